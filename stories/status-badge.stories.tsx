import type { Meta, StoryObj } from '@storybook/react-vite'
import { StatusBadge } from 'sluice'
import type { IncompleteReason } from 'sluice/core'
import { expect, fn } from 'storybook/test'
import { inColumn } from './support/column.tsx'
import { answered, failure } from './support/messages.ts'

const stream = { continueResponse: fn(), retry: fn(), resumeStream: fn(), canResume: true }

const meta = {
  title: 'StatusBadge',
  component: StatusBadge,
  decorators: [inColumn],
  args: { stream },
} satisfies Meta<typeof StatusBadge>

export default meta
type Story = StoryObj<typeof meta>

const ending = (reason: IncompleteReason, words: string, action?: string): Story => ({
  args: { message: answered('The gates meet in a shallow V', { type: 'incomplete', reason }) },
  play: async ({ canvas }) => {
    await expect(canvas.getByText(words)).toBeVisible()
    const names = canvas.queryAllByRole('button').map((button) => button.textContent)
    await expect(names).toEqual(action === undefined ? [] : [action])
  },
})

export const Stopped: Story = ending('cancelled', 'Stopped', 'Continue')
export const Truncated: Story = ending('length', 'Cut off at the length limit', 'Continue')
export const Interrupted: Story = ending('interrupted', 'Connection lost, text kept', 'Resume')
export const Refused: Story = ending('refusal', 'Declined')
export const Filtered: Story = ending('content-filter', 'Withheld by a filter')
export const Unknown: Story = ending('unknown', 'End not confirmed', 'Check')
export const Paused: Story = ending('paused', 'Paused', 'Continue')
export const Invalid: Story = ending('invalid', 'The answer did not pass the check', 'Retry')

export const Failed: Story = {
  args: {
    message: answered(
      [],
      failure({ code: 'auth', message: 'Incorrect API key provided.', status: 401 }),
    ),
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByText('Details'))
    await expect(canvas.getByText(/Incorrect API key/)).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Retry' }))
    await expect(stream.retry).toHaveBeenCalled()
  },
}

export const RateLimited: Story = {
  args: {
    message: answered(
      [],
      failure({ code: 'rate-limit', message: 'Slow down.', status: 429, retryAfterMs: 20_000 }),
    ),
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByText(/^Rate limited, \d+ s$/)).toBeVisible()
  },
}

/** A complete answer says nothing about itself. */
export const Complete: Story = {
  args: { message: answered('Done.') },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.querySelector('main')?.children).toHaveLength(0)
  },
}
