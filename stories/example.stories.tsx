import type { Meta, StoryObj } from '@storybook/react-vite'
import { createStreamHandler, memoryEventLog } from 'sluice/server'
import { demoModel, demoTools } from 'sluice/testing'
import { expect, waitFor } from 'storybook/test'
import { Page } from './example/page.tsx'
import './support/stories.css'

/** The copy-paste page of `stories/example/`, unchanged; its server half runs in the page, since it is web-standard. */
const meta = {
  title: 'Example page',
  component: Page,
  decorators: [
    (Story) => (
      <div className="story-page">
        <Story />
      </div>
    ),
  ],
  beforeEach: () => {
    const handler = createStreamHandler({
      base: '/api/chat',
      model: demoModel({ queueMs: 0, prefillMs: 100, tokenMs: 5 }),
      tools: demoTools,
      log: memoryEventLog(),
    })
    const own = globalThis.fetch
    globalThis.fetch = (input, init) => {
      const request = new Request(input, init)
      const { pathname } = new URL(request.url)
      return pathname.startsWith('/api/chat') ? handler(request) : own(request)
    }
    return () => {
      globalThis.fetch = own
    }
  },
} satisfies Meta<typeof Page>

export default meta
type Story = StoryObj<typeof meta>

export const Empty: Story = {
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('button', { name: /How a lock lifts a boat/ })).toBeVisible()
  },
}

/** A suggestion is asked and answered through the server half. */
export const Answered: Story = {
  play: async ({ canvas, canvasElement, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: /greatest tides/ }))
    await waitFor(
      () =>
        expect(
          canvasElement.querySelector('[data-role=assistant][data-reason=stop]'),
        ).not.toBeNull(),
      { timeout: 20_000 },
    )
    await expect(canvas.getAllByRole('row').length).toBeGreaterThan(5)
  },
}
