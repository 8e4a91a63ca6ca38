import type { Meta, StoryObj } from '@storybook/react-vite'
import { LiveAnnouncer } from 'sluice'
import type { ChatMessage } from 'sluice/core'
import { expect, waitFor } from 'storybook/test'
import { inColumn } from './support/column.tsx'
import { answered } from './support/messages.ts'

function Heard({ message }: { readonly message: ChatMessage }) {
  return (
    <>
      <p>There is nothing to see here: a live region at the end of the page is written to.</p>
      <LiveAnnouncer message={message} />
    </>
  )
}

/** `LiveAnnouncer` draws nothing: what it tells a screen reader is in a region at the end of the page. */
const meta = {
  title: 'LiveAnnouncer',
  component: Heard,
  decorators: [inColumn],
} satisfies Meta<typeof Heard>

export default meta
type Story = StoryObj<typeof meta>

const heard = (words: RegExp): Promise<void> =>
  waitFor(() => expect(document.querySelector('[role=log]')?.textContent).toMatch(words))

/** What is said while an answer arrives. */
export const Answering: Story = {
  args: { message: answered('A lock never lifts a boat. It lets the', { type: 'running' }) },
  play: () => heard(/A lock never lifts a boat\./),
}
