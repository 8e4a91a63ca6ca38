import type { Meta, StoryObj } from '@storybook/react-vite'
import { Composer } from 'sluice'
import { expect, fn, waitFor } from 'storybook/test'
import { inColumn } from './support/column.tsx'

const meta = {
  title: 'Composer',
  component: Composer.Root,
  decorators: [inColumn],
  args: {
    onSend: fn(),
    stream: { status: 'ready', stop: fn() },
    children: (
      <>
        <Composer.Input />
        <Composer.Submit />
      </>
    ),
  },
} satisfies Meta<typeof Composer.Root>

export default meta
type Story = StoryObj<typeof meta>

export const Empty: Story = {
  play: async ({ canvas, args, userEvent }) => {
    const send = canvas.getByRole('button', { name: 'Send' })
    await expect(send).toHaveAttribute('aria-disabled', 'true')
    await userEvent.click(send)
    await expect(args.onSend).not.toHaveBeenCalled()
  },
}

export const Typing: Story = {
  play: async ({ canvas, args, userEvent }) => {
    const box = canvas.getByRole('textbox', { name: 'Message' })
    await userEvent.type(box, 'Two{Shift>}{Enter}{/Shift}lines')
    await expect(box).toHaveValue('Two\nlines')
    await userEvent.type(box, '{Enter}')
    await expect(args.onSend).toHaveBeenCalledWith('Two\nlines')
    await expect(box).toHaveValue('')
    await userEvent.type(box, 'What else?')
  },
}

/** Grows with its text, up to 40 % of the page. */
export const LongText: Story = {
  args: { value: 'A line of a long message.\n'.repeat(60) },
  play: async ({ canvas }) => {
    const box = canvas.getByRole('textbox')
    await expect(box.scrollHeight).toBeGreaterThan(box.clientHeight)
    await expect(box.offsetHeight).toBeLessThanOrEqual(Math.ceil(window.innerHeight * 0.4))
  },
}

/** Send is Stop. */
export const Busy: Story = {
  args: { stream: { status: 'streaming', stop: fn() } },
  play: async ({ canvas, args, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Stop' }))
    await waitFor(() => expect(args.stream?.stop).toHaveBeenCalled())
  },
}
