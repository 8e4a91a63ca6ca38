import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ChatMessageInput } from 'sluice/core'
import { expect, waitFor, within, fireEvent } from 'storybook/test'
import { ScriptedChat } from './support/scripted-chat.tsx'
import {
  asking,
  complete,
  failed,
  filtered,
  half,
  interrupted,
  prose,
  question,
  rateLimited,
  refused,
  silent,
  truncated,
  unknown,
  withTool,
} from './support/scripts.ts'

const meta = {
  title: 'Chat',
  component: ScriptedChat,
  args: { scripts: [complete], speed: 20 },
} satisfies Meta<typeof ScriptedChat>

export default meta
type Story = StoryObj<typeof meta>
type Play = NonNullable<Story['play']>
type PlayContext = Parameters<Play>[0]

const suggestions = [
  { prompt: question, title: 'How a lock lifts a boat', detail: 'Gates, paddles, and patience' },
  { prompt: 'Compare the greatest tides.', title: 'The greatest tides', detail: 'Seven places' },
  { prompt: 'Read a stream in TypeScript.', title: 'Read a stream', detail: 'In two languages' },
  { prompt: 'Work a lock.', title: 'Work a lock', detail: 'A checklist for the first time' },
  { prompt: 'Who was Leonardo?', title: 'Leonardo', detail: 'and his gates' },
]

const ask = async ({ canvas, userEvent }: PlayContext): Promise<void> => {
  await userEvent.type(canvas.getByRole('textbox'), `${question}{Enter}`)
}

/** Asks, and waits until the answer has come to this status. */
const until =
  (status: string, reason?: string, words?: string): Play =>
  async (context) => {
    await ask(context)
    const wanted = reason === undefined ? '' : `[data-reason="${reason}"]`
    await waitFor(() =>
      expect(
        context.canvasElement.querySelector(
          `[data-role=assistant][data-status="${status}"]${wanted}`,
        ),
      ).not.toBeNull(),
    )
    if (words !== undefined) await expect(context.canvas.getByText(words)).toBeVisible()
  }

export const Empty: Story = {
  args: { suggestions },
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByText('What would you like to know?')).toBeVisible()
    await expect(canvas.getAllByRole('listitem')).toHaveLength(4)
    await userEvent.click(canvas.getByRole('button', { name: 'More suggestions' }))
    await expect(canvas.getAllByRole('listitem')).toHaveLength(suggestions.length)
  },
}

export const Waiting: Story = {
  args: { scripts: [silent] },
  play: async (context) => {
    await until('running')(context)
    await expect(context.canvas.getByText('Waiting for the answer')).toBeInTheDocument()
    await expect(context.canvas.getByRole('button', { name: 'Stop' })).toBeVisible()
  },
}

export const Streaming: Story = {
  args: { pauseAt: 60 },
  play: async (context) => {
    await until('running')(context)
    await context.canvas.findByText(/Picture a stone/)
  },
}

export const Complete: Story = {
  play: async (context) => {
    await until('complete', 'stop')(context)
    const answer = context.canvasElement.querySelector<HTMLElement>('[data-role=assistant]')
    await expect(answer).toHaveTextContent(/push of a shoulder\.$/)
    await expect(context.canvas.getByRole('button', { name: 'Send' })).toBeVisible()
  },
}

export const Stopped: Story = {
  args: { pauseAt: 60 },
  play: async (context) => {
    const { canvas, userEvent } = context
    await until('running')(context)
    await canvas.findByText(/Picture a stone/)
    // The first 400 ms after Send belong to Send.
    await waitFor(async () => {
      const stop = canvas.queryByRole('button', { name: 'Stop' })
      if (stop !== null) await userEvent.click(stop)
      await expect(canvas.getByText('Stopped')).toBeVisible()
    })
    await expect(canvas.getByRole('button', { name: 'Continue' })).toBeVisible()
    await expect(canvas.getByText(/Picture a stone/)).toBeVisible()
  },
}

export const Truncated: Story = {
  args: { scripts: [truncated, complete] },
  play: until('incomplete', 'length', 'Cut off at the length limit'),
}

export const Continued: Story = {
  args: { scripts: [truncated, complete] },
  play: async (context) => {
    await until('incomplete', 'length')(context)
    await context.userEvent.click(context.canvas.getByRole('button', { name: 'Continue' }))
    await expect(await context.canvas.findByText('Continued')).toBeVisible()
    await waitFor(() =>
      expect(context.canvasElement.querySelector('[data-status=complete]')).not.toBeNull(),
    )
  },
}

export const Interrupted: Story = {
  args: { scripts: [interrupted, complete] },
  play: until('incomplete', 'interrupted', 'Connection lost, text kept'),
}

export const Refused: Story = {
  args: { scripts: [refused] },
  play: until('incomplete', 'refusal', 'Declined'),
}

export const Filtered: Story = {
  args: { scripts: [filtered] },
  play: until('incomplete', 'content-filter', 'Withheld by a filter'),
}

export const Failed: Story = {
  args: { scripts: [failed, complete] },
  play: async (context) => {
    await until('incomplete', 'error', 'The model is overloaded. Retry in a moment.')(context)
    await expect(context.canvas.getByRole('button', { name: 'Retry' })).toBeVisible()
  },
}

export const RateLimited: Story = {
  args: { scripts: [rateLimited, complete] },
  play: async (context) => {
    await until('incomplete', 'error')(context)
    await expect(context.canvas.getByText(/^Rate limited, \d+ s$/)).toBeVisible()
    await expect(context.canvas.getByRole('button', { name: 'Retry' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
  },
}

export const Unknown: Story = {
  args: { scripts: [unknown] },
  play: until('incomplete', 'unknown', 'End not confirmed'),
}

export const WithTool: Story = {
  args: { scripts: [withTool] },
  play: async (context) => {
    await until('complete', 'stop')(context)
    await context.userEvent.click(context.canvas.getByText('Used tide gauge'))
    await expect(context.canvas.getByText(/"rising"/)).toBeVisible()
  },
}

export const AsksForApproval: Story = {
  args: { scripts: [asking] },
  play: async (context) => {
    await until('requires-action', 'approval')(context)
    const asked = context.canvas.getByRole('group', { name: 'Allow open sluice?' })
    await expect(within(asked).getByRole('button', { name: 'Allow' })).toBeVisible()
    await expect(within(asked).getByRole('button', { name: 'Deny' })).toBeVisible()
  },
}

const turns = Array.from({ length: 12 }, (_, turn): ChatMessageInput[] => [
  { id: `q${turn}`, role: 'user', parts: [{ type: 'text', text: question }] },
  { id: `a${turn}`, role: 'assistant', parts: [{ type: 'text', text: turn % 2 ? half : prose }] },
]).flat()

/** A long conversation: the reader goes up, and is led back. */
export const Long: Story = {
  args: { messages: turns },
  play: async ({ canvas, canvasElement, userEvent }) => {
    const viewport = canvas.getByRole('region', { name: 'Conversation' })
    const distance = (): number =>
      viewport.scrollHeight - viewport.clientHeight - viewport.scrollTop
    // Only what overflows can be left.
    await waitFor(() => expect(viewport.scrollTop).toBeGreaterThan(400))
    await waitFor(() => expect(distance()).toBeLessThanOrEqual(1))
    await fireEvent.wheel(viewport, { deltaY: -400 })
    viewport.scrollTop -= 400
    const jump = await waitFor(() => canvas.getByRole('button', { name: 'Jump to latest' }))
    await userEvent.click(jump)
    await waitFor(() => expect(distance()).toBeLessThanOrEqual(1))
    await expect(canvasElement.querySelectorAll('article')).toHaveLength(turns.length)
  },
}
