import type { Meta, StoryObj } from '@storybook/react-vite'
import { MessageList } from 'sluice'
import { expect, fn } from 'storybook/test'
import { inColumn } from './support/column.tsx'
import { answered, said } from './support/messages.ts'
import { half, prose, question } from './support/scripts.ts'

/** `MessageList` alone, in a page that has no thread. */
const meta = {
  title: 'MessageList',
  component: MessageList,
  decorators: [inColumn],
} satisfies Meta<typeof MessageList>

export default meta
type Story = StoryObj<typeof meta>

export const Conversation: Story = {
  args: { messages: [said(question), answered(prose), said('And who pays for the water?')] },
  play: async ({ canvas }) => {
    const headings = canvas.getAllByRole('heading', { level: 2 })
    await expect(headings.map((heading) => heading.textContent)).toEqual([
      'You said',
      'Assistant said',
      'You said',
    ])
    await expect(canvas.getByRole('heading', { level: 4 })).toHaveTextContent('two doors')
  },
}

export const Waiting: Story = {
  args: { messages: [said(question), answered([], { type: 'running' })] },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Waiting for the answer')).toBeInTheDocument()
  },
}

export const Streaming: Story = {
  args: {
    messages: [
      said(question),
      answered([{ type: 'text', text: half, state: 'streaming' }], { type: 'running' }),
    ],
  },
  play: async ({ canvasElement }) => {
    await expect(
      canvasElement.querySelector('[data-streaming] ol, [data-streaming] p'),
    ).toBeTruthy()
  },
}

export const OnItsWay: Story = {
  args: {
    messages: [
      said('First this.', { delivery: 'sending' }),
      said('Then that.', { delivery: 'queued' }),
      said('This never left.', { delivery: 'failed' }),
    ],
  },
  play: async ({ canvas }) => {
    for (const words of ['Sending', 'Queued', 'Not sent'])
      await expect(canvas.getByText(words)).toBeVisible()
  },
}

export const Continued: Story = {
  args: {
    messages: [
      said(question),
      answered(half, { type: 'incomplete', reason: 'length' }),
      answered('and the boat rises with it.', undefined, { continues: 'the first' }),
    ],
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Continued')).toBeVisible()
    await expect(canvas.getByText('Cut off at the length limit')).toBeVisible()
  },
}

export const Refusal: Story = {
  args: {
    messages: [
      said('Force the gates open.'),
      answered(
        [{ type: 'data-refusal', data: { text: 'I can’t help with gates that are not yours.' } }],
        { type: 'incomplete', reason: 'refusal' },
      ),
    ],
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('I can’t help with gates that are not yours.')).toBeVisible()
    await expect(canvas.getByText('Declined')).toBeVisible()
  },
}

const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

export const FilesAndSources: Story = {
  args: {
    messages: [
      said('What is in these?', {
        parts: [
          { type: 'file', mediaType: 'application/pdf', url: 'about:blank', filename: 'tides.pdf' },
          { type: 'text', text: 'What is in these?' },
        ],
      }),
      answered([
        { type: 'text', text: 'A table of tides, and one pixel.' },
        { type: 'file', mediaType: 'image/png', url: pixel, filename: 'one pixel' },
        {
          type: 'source-url',
          sourceId: '1',
          url: 'https://example.com/tides',
          title: 'Tides of the Severn',
        },
        { type: 'source-url', sourceId: '2', url: 'javascript:alert(1)', title: 'No link' },
      ]),
    ],
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('tides.pdf')).toBeVisible()
    await expect(canvas.getByRole('link', { name: 'Tides of the Severn' })).toHaveAttribute(
      'rel',
      expect.stringContaining('noopener'),
    )
    await expect(canvas.getByText('No link').closest('a')).toBeNull()
  },
}

/** A part that throws is a notice; the others stay. */
export const BrokenPart: Story = {
  args: {
    messages: [
      answered([
        { type: 'text', text: 'Before.' },
        { type: 'data-chart', data: {} },
        { type: 'text', text: 'After.' },
      ]),
    ],
    renderers: {
      'data-chart': () => {
        throw new Error('No chart without data.')
      },
    },
    onRenderError: fn(),
  },
  // React reports what a boundary caught; here that is what is shown.
  beforeEach: () => {
    const { error } = console
    console.error = () => undefined
    return () => {
      console.error = error
    }
  },
  play: async ({ canvas, args }) => {
    await expect(canvas.getByText('Before.')).toBeVisible()
    await expect(canvas.getByText('This part could not be shown.')).toBeVisible()
    await expect(canvas.getByText('After.')).toBeVisible()
    await expect(args.onRenderError).toHaveBeenCalled()
  },
}

/** `renderers` draws parts in place of ours. */
export const OwnRenderers: Story = {
  args: {
    messages: [
      answered([
        {
          type: 'tool-weather',
          toolCallId: '1',
          state: 'output-available',
          input: { place: 'Kew' },
          output: { sky: 'clear' },
        },
      ]),
    ],
    renderers: {
      'tool-weather': (part) => (
        <p>{part.state === 'output-available' ? `Sky: ${JSON.stringify(part.output)}` : '…'}</p>
      ),
    },
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Sky: {"sky":"clear"}')).toBeVisible()
  },
}
