import type { Meta, StoryObj } from '@storybook/react-vite'
import { MessageList } from 'sluice'
import type { MessagePart } from 'sluice/core'
import { expect, fn } from 'storybook/test'
import { inColumn } from './support/column.tsx'
import { answered } from './support/messages.ts'

/** Reasoning, tool calls and approvals: one quiet line each, except for what needs a decision. */
const meta = {
  title: 'Steps',
  component: MessageList,
  decorators: [inColumn],
} satisfies Meta<typeof MessageList>

export default meta
type Story = StoryObj<typeof meta>

const running = { type: 'running' } as const
const of = (part: MessagePart, status: Parameters<typeof answered>[1] = running) => ({
  messages: [answered([part], status)],
})
const input = { station: 'Avonmouth', unit: 'm' }
const tool = { type: 'tool-tide_gauge', toolCallId: 'call-1' } as const

const says = (words: string): NonNullable<Story['play']> =>
  async function ({ canvas }) {
    await expect(canvas.getByText(words)).toBeVisible()
  }

export const Thinking: Story = {
  args: of({ type: 'reasoning', text: 'Low water was at **08:05**, so', state: 'streaming' }),
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Thinking')).toBeVisible()
    await expect(canvas.getByText('08:05')).toBeVisible()
  },
}

export const Thought: Story = {
  args: of({ type: 'reasoning', text: 'Low water was at 08:05.', state: 'done' }, undefined),
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByText('Low water was at 08:05.')).not.toBeVisible()
    await userEvent.click(canvas.getByText('Thought'))
    await expect(canvas.getByText('Low water was at 08:05.')).toBeVisible()
  },
}

export const ToolPreparing: Story = {
  args: of({ ...tool, state: 'input-streaming', argsText: '{"station":"Avon' }),
  play: says('Preparing tide gauge'),
}

export const ToolRunning: Story = {
  args: of({ ...tool, state: 'input-available', input }),
  play: says('Running tide gauge'),
}

export const ToolUsed: Story = {
  args: of(
    { ...tool, state: 'output-available', input, output: { level: 7.9 }, trusted: false },
    undefined,
  ),
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByText('Used tide gauge'))
    await expect(canvas.getByText('What the tool returned, unchecked')).toBeVisible()
    await expect(canvas.getByText(/7\.9/)).toBeVisible()
  },
}

export const ToolFailed: Story = {
  args: of(
    { ...tool, state: 'output-error', input, errorText: 'The gauge is dry.', outcome: 'failed' },
    undefined,
  ),
  play: says('tide gauge failed'),
}

export const ToolUnknown: Story = {
  args: of(
    { ...tool, state: 'output-error', input, errorText: 'Timed out.', outcome: 'unknown' },
    undefined,
  ),
  play: says('tide gauge: outcome not known'),
}

export const ToolDenied: Story = {
  args: of(
    { ...tool, state: 'output-denied', input, approval: { id: 'a', approved: false } },
    undefined,
  ),
  play: says('tide gauge was denied'),
}

const respond = fn()

export const Approval: Story = {
  args: {
    ...of(
      {
        type: 'tool-open_sluice',
        toolCallId: 'call-2',
        state: 'approval-requested',
        input: { gate: 'north', percent: 20 },
        approval: { id: 'approval-1' },
      },
      { type: 'requires-action', reason: 'approval' },
    ),
    stream: { addToolApprovalResponse: respond },
  },
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByRole('group', { name: 'Allow open sluice?' })).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Allow' }))
    await expect(respond).toHaveBeenCalledWith({ id: 'approval-1', approved: true })
  },
}
