import type { Meta, StoryObj } from '@storybook/react-vite'
import { StopButton } from 'sluice'
import { expect, fn } from 'storybook/test'
import { inColumn } from './support/column.tsx'

const meta = {
  title: 'StopButton',
  component: StopButton,
  decorators: [inColumn],
  render: (args) => (
    <p>
      <StopButton {...args} />
    </p>
  ),
} satisfies Meta<typeof StopButton>

export default meta
type Story = StoryObj<typeof meta>

export const Streaming: Story = {
  args: { stream: { status: 'streaming', stop: fn() } },
  play: async ({ canvas, args, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Stop' }))
    await expect(args.stream.stop).toHaveBeenCalledOnce()
  },
}

/** Stays where it is, and keeps the focus, without effect. */
export const Ready: Story = {
  args: { stream: { status: 'ready', stop: fn() } },
  play: async ({ canvas, args, userEvent }) => {
    const button = canvas.getByRole('button', { name: 'Stop' })
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    await userEvent.click(button)
    await expect(args.stream.stop).not.toHaveBeenCalled()
    await expect(button).toHaveFocus()
  },
}
