// @vitest-environment jsdom
import { virtual } from '@guidepup/virtual-screen-reader'
import { cleanup, render } from '@testing-library/react'
import { StrictMode, type ReactElement } from 'react'
import { Chat, LabelsProvider, SettingsProvider, createSettings } from 'sluice'
import type { ChatMessage, MessagePart } from 'sluice/core'
import { de } from 'sluice/labels'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SettingsPanel } from '../../src/components/settings/settings-panel.tsx'
import { standInForBrowser } from '../support/browser-like.ts'
import { handTransport } from '../support/hand-transport.ts'
import { answer, cut, userMessage } from '../support/messages.ts'

// What a reader hears who goes through the page item by item: written by hand.

beforeEach(() => standInForBrowser())
afterEach(async () => {
  await virtual.stop()
  cleanup()
  vi.unstubAllGlobals()
})

/** Every item from the first to the last, without the ends of paragraphs and the like. */
async function read(element: ReactElement, from = 'main'): Promise<string[]> {
  const { container } = render(<StrictMode>{element}</StrictMode>)
  await virtual.start({ container })
  let last = ''
  while (last !== `end of ${from}`) {
    await virtual.next()
    last = await virtual.lastSpokenPhrase()
  }
  const spoken = await virtual.spokenPhraseLog()
  return spoken.filter((phrase) => !/^(end of|paragraph$|rowgroup$)/.test(phrase))
}

const page = (messages: readonly ChatMessage[]): ReactElement => (
  <Chat transport={handTransport()} messages={messages} />
)

test('a conversation: who speaks, the answer by its structure, what can be done, where to write', async () => {
  const text = [
    '## In short',
    'It lets the river do it.',
    '- Close the gates.\n- Let the water in.',
    '```js\nrise()\n```',
    '| Gate | Height |\n| --- | --- |\n| upper | 3 m |',
    'See [the canal](https://example.com/canal).',
  ]
  const spoken = await read(
    page([userMessage('u', 'How does a lock work?'), answer('a', text.join('\n\n'))]),
  )
  expect(spoken).toEqual([
    'main',
    'heading, Chat, level 1',
    'region, Conversation',
    'article',
    'heading, You said, level 2',
    'How does a lock work?',
    'toolbar, Message actions, orientated horizontally',
    'button, Copy',
    'article',
    'heading, Assistant said, level 2',
    'heading, In short, level 4',
    'It lets the river do it.',
    'list',
    'listitem, level 1, position 1, set size 2',
    'Close the gates.',
    'listitem, level 1, position 2, set size 2',
    'Let the water in.',
    'js',
    'button, Wrap lines, not pressed',
    'button, Download code',
    'button, Copy code',
    'region, Code, js',
    'code',
    'rise()',
    'region, Table',
    'table',
    'row, Gate Height',
    'columnheader, Gate',
    'columnheader, Height',
    'row, upper 3 m',
    'cell, upper',
    'cell, 3 m',
    'button, Copy table as Markdown',
    'Markdown',
    'button, Copy table as CSV',
    'CSV',
    'button, Copy table as TSV',
    'TSV',
    'See',
    'link, the canal',
    '.',
    'toolbar, Message actions, orientated horizontally',
    'button, Copy',
    'button, Answer again',
    'button, Jump to latest',
    'form, Write a message',
    'textbox, Message, placeholder Ask anything',
    'button, Send, Write something first, disabled',
    'Enter to send, Shift + Enter for a new line',
    'button, Settings, not expanded, has popup dialog',
  ])
})

/** What is heard of the newest answer, without its actions. */
async function readAnswer(message: ChatMessage): Promise<string[]> {
  const spoken = await read(page([userMessage('u', 'And?'), message]))
  const from = spoken.indexOf('heading, Assistant said, level 2')
  return spoken.slice(
    from + 1,
    spoken.indexOf('toolbar, Message actions, orientated horizontally', from),
  )
}

test('an answer that was cut: what there is, how it ended, what helps', async () => {
  expect(await readAnswer(cut('length', 'The keeper winds'))).toEqual([
    'The keeper winds',
    'Cut off at the length limit',
    'button, Continue',
  ])
})

test('thoughts and a tool are one line each, which opens', async () => {
  const parts: MessagePart[] = [
    { type: 'reasoning', text: 'Low water is at eight.', state: 'done' },
    {
      type: 'tool-tide',
      toolCallId: 'c',
      state: 'output-available',
      input: { place: 'Avonmouth' },
      output: 'rising',
    },
    { type: 'text', text: 'It rises.', state: 'done' },
  ]
  const spoken = await readAnswer({ ...answer('a', ''), parts })
  // What a closed line holds is not hidden where nothing is laid out.
  expect(spoken).toEqual([
    'group',
    'Thought',
    'Thought',
    'end, Thought',
    'Low water is at eight.',
    'group',
    'Used tide',
    'Used tide',
    'end, Used tide',
    'Arguments',
    '{ "place": "Avonmouth" }',
    'Result',
    'rising',
    'It rises.',
  ])
})

test('a call that asks: the question first, then what it would do, then the two answers', async () => {
  const asks: ChatMessage = {
    ...answer('a', '', { type: 'requires-action', reason: 'approval' }),
    parts: [
      {
        type: 'tool-open',
        toolCallId: 'c',
        state: 'approval-requested',
        input: { gate: 'upper' },
        approval: { id: 'p' },
      },
    ],
  }
  expect(await readAnswer(asks)).toEqual([
    'group, Allow open?',
    'Allow open?',
    'Arguments',
    '{ "gate": "upper" }',
    'button, Allow',
    'button, Deny',
  ])
})

test('settings, in the language of the page', async () => {
  const spoken = await read(
    <LabelsProvider labels={de}>
      <SettingsProvider settings={createSettings({ key: 'reading' })}>
        <section aria-labelledby="title">
          <SettingsPanel headingId="title" onClose={() => {}} />
        </section>
      </SettingsProvider>
    </LabelsProvider>,
    'region, Einstellungen',
  )
  expect(spoken).toEqual([
    'region, Einstellungen',
    'heading, Einstellungen, level 2',
    'button, Schließen',
    'group, Bildschirmleser',
    'Bildschirmleser',
    'Nichts',
    'radio, Nichts, not checked, position 1, set size 4',
    'Nur wie es steht',
    'radio, Nur wie es steht, not checked, position 2, set size 4',
    'Den Anfang, dann eine Übersicht',
    'radio, Den Anfang, dann eine Übersicht, checked, position 3, set size 4',
    'Alles',
    'radio, Alles, not checked, position 4, set size 4',
    'group, Seite',
    'Seite',
    'Text gleichmäßig zeigen',
    'switch, Text gleichmäßig zeigen, not checked',
    'Weniger Bewegung',
    'switch, Weniger Bewegung, not checked',
    'Töne, wenn eine Antwort endet',
    'switch, Töne, wenn eine Antwort endet, not checked',
  ])
})
