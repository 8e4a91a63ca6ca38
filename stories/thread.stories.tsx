import type { Meta, StoryObj } from '@storybook/react-vite'
import { useState } from 'react'
import { Composer, Thread, useChat } from 'sluice'
import type { ChatMessage } from 'sluice/core'
import { expect } from 'storybook/test'
import { answered, said } from './support/messages.ts'
import { complete, prose, question } from './support/scripts.ts'
import { createPlayer } from './support/scripted-stream.ts'
import './support/stories.css'

/** The ready-made page taken apart: the parts of `Thread` and `Composer`, put together by hand. */
function ByHand({ messages }: { readonly messages: readonly ChatMessage[] }) {
  const [player] = useState(() => createPlayer([complete], { speed: 20 }))
  const chat = useChat({ transport: player.transport, messages })
  return (
    <div className="story-page">
      <Thread.Root chat={chat}>
        <Thread.Viewport>
          <Thread.Empty>Ask the lock keeper.</Thread.Empty>
          <Thread.Messages />
        </Thread.Viewport>
        <div className="sluice-foot">
          <Thread.JumpToLatest />
          <Composer.Root>
            <Composer.Input />
            <Composer.Submit />
          </Composer.Root>
        </div>
        <Thread.Suggestions
          suggestions={[{ title: 'How a lock lifts a boat', prompt: question }]}
        />
      </Thread.Root>
    </div>
  )
}

const meta = { title: 'Thread', component: ByHand } satisfies Meta<typeof ByHand>

export default meta
type Story = StoryObj<typeof meta>

export const Empty: Story = {
  args: { messages: [] },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Ask the lock keeper.')).toBeVisible()
    await expect(canvas.getByRole('button', { name: /How a lock lifts a boat/ })).toBeVisible()
  },
}

export const WithMessages: Story = {
  args: { messages: [said(question), answered(prose)] },
  play: async ({ canvas }) => {
    await expect(canvas.getAllByRole('article')).toHaveLength(2)
    await expect(canvas.queryByText('Ask the lock keeper.')).toBeNull()
  },
}
