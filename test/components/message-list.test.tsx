// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { Profiler, StrictMode, type ReactElement } from 'react'
import { Message, MessageList, StopButton } from 'sluice'
import type { ChatMessage, MessagePart } from 'sluice/core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { answer, cut, userMessage } from '../support/messages.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const show = (element: ReactElement) => render(<StrictMode>{element}</StrictMode>)
const article = (): HTMLElement => screen.getAllByRole('article').at(-1) as HTMLElement
const running = { type: 'running' } as const

describe('a message is an article', () => {
  test('that begins with who speaks and carries its marks', () => {
    show(<MessageList messages={[userMessage('u', 'Hi'), cut('length')]} />)
    const [user, assistant] = screen.getAllByRole('article')
    expect(Object.entries(user?.dataset ?? {})).toEqual([['role', 'user']])
    expect(user?.firstElementChild?.tagName).toBe('H2')
    expect(user?.firstElementChild?.textContent).toBe('You said')
    expect(Object.entries(assistant?.dataset ?? {})).toEqual([
      ['role', 'assistant'],
      ['status', 'incomplete'],
      ['reason', 'length'],
    ])
    expect(assistant?.firstElementChild?.textContent).toBe('Assistant said')
  })

  test('headings of an answer stand below its own', () => {
    show(<MessageList messages={[answer('a', '# One\n\n## Two')]} />)
    expect(screen.getByRole('heading', { name: 'One' }).tagName).toBe('H3')
    expect(screen.getByRole('heading', { name: 'Two' }).tagName).toBe('H4')
  })

  test('what a person wrote is shown as written', () => {
    show(<MessageList messages={[userMessage('u', '**not bold**\n<b>x</b>')]} />)
    expect(screen.getByText(/not bold/).textContent).toBe('**not bold**\n<b>x</b>')
  })

  test('an answer that goes on from another stands below a seam', () => {
    const next = answer('b', 'on', undefined, { continues: 'a' })
    show(<MessageList messages={[cut('length'), next]} />)
    expect(screen.getByText('Continued')).toBeTruthy()
    expect(article().hasAttribute('data-continued')).toBe(true)
  })
})

describe('waiting', () => {
  const waits = (parts: MessagePart[]): boolean => {
    const { unmount } = show(<MessageList messages={[answer('a', parts, running)]} />)
    const isWaiting = screen.queryByText('Waiting for the answer') !== null
    unmount()
    return isWaiting
  }
  const tool = { type: 'tool-gauge', toolCallId: 't', input: {} } as const

  test('until something is seen, and again after a settled step', () => {
    expect(waits([])).toBe(true)
    expect(waits([{ type: 'step-start' }])).toBe(true)
    expect(waits([{ type: 'text', text: '', state: 'streaming' }])).toBe(true)
    expect(waits([{ ...tool, state: 'output-available', output: 1 }])).toBe(true)
    expect(waits([{ type: 'text', text: 'The', state: 'streaming' }])).toBe(false)
    expect(waits([{ ...tool, state: 'input-available' }])).toBe(false)
    expect(waits([{ type: 'reasoning', text: 'so', state: 'streaming' }])).toBe(false)
  })
})

describe('while one answer streams', () => {
  test('200 earlier messages are drawn 0 times again', () => {
    const earlier: ChatMessage[] = Array.from({ length: 200 }, (_, index) =>
      index % 2 === 0 ? userMessage(`m${index}`, 'Q') : answer(`m${index}`, '*A*'),
    )
    const commits = new Map<string, number>()
    const draw = (message: ChatMessage) => (
      <Profiler id={message.id} onRender={(id) => commits.set(id, (commits.get(id) ?? 0) + 1)}>
        <Message.Root message={message}>
          <Message.Parts />
          <Message.Status />
        </Message.Root>
      </Profiler>
    )
    const page = (text: string) => (
      <StrictMode>
        <MessageList messages={[...earlier, answer('live', text, running)]}>{draw}</MessageList>
      </StrictMode>
    )
    const { rerender } = render(page('The'))
    commits.clear()
    for (let length = 1; length <= 30; length += 1) rerender(page('word '.repeat(length)))
    expect([...commits]).toEqual([['live', 30]])
  })

  test('extensions reach the text of answers, and an array written in place costs nothing', () => {
    const drawn = vi.fn(() => <p>a diagram</p>)
    const extension = { name: 'diagrams', renderers: { code: { mermaid: drawn } } }
    const message = answer('a', '```mermaid\nx\n```')
    const page = (): ReactElement => (
      <StrictMode>
        <MessageList messages={[message]} extensions={[extension]} />
      </StrictMode>
    )
    const { rerender } = render(page())
    expect(screen.getByText('a diagram')).toBeTruthy()
    const before = drawn.mock.calls.length
    rerender(page())
    expect(drawn).toHaveBeenCalledTimes(before)
  })

  test('renderers written in place draw nothing anew as long as their functions stay', () => {
    const draw = vi.fn(() => <i>drawn</i>)
    const first = answer('a', 'A')
    const page = (count: number) => (
      <StrictMode>
        <MessageList
          messages={[first, answer('b', 'word '.repeat(count), running)]}
          renderers={{ text: draw }}
        />
      </StrictMode>
    )
    const { rerender } = render(page(1))
    const isOfA = ([part]: unknown[]): boolean => (part as { text: string }).text === 'A'
    const before = draw.mock.calls.filter(isOfA).length
    rerender(page(2))
    rerender(page(3))
    expect(draw.mock.calls.filter(isOfA)).toHaveLength(before)
  })
})

describe('parts', () => {
  test('one that throws is a notice; the others stay, and the caller hears of it', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const onRenderError = vi.fn()
    const broken = new Error('no')
    show(
      <MessageList
        messages={[
          answer('a', [
            { type: 'text', text: 'Before' },
            { type: 'data-chart', data: 1 },
            { type: 'text', text: 'After' },
          ]),
        ]}
        renderers={{
          'data-chart': () => {
            throw broken
          },
        }}
        onRenderError={onRenderError}
      />,
    )
    expect(article().textContent).toContain('Before')
    expect(article().textContent).toContain('This part could not be shown.')
    expect(article().textContent).toContain('After')
    expect(onRenderError).toHaveBeenCalledWith(broken, { type: 'data-chart', data: 1 })
  })

  test('a part that failed while it grew is tried again once it is whole', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const renderers = {
      text: ({ state }: { state?: string }) => {
        if (state === 'streaming') throw new Error('half')
        return <b>whole</b>
      },
    }
    const page = (message: ChatMessage) => (
      <StrictMode>
        <MessageList messages={[message]} renderers={renderers} />
      </StrictMode>
    )
    const { rerender } = render(page(answer('a', 'x', running)))
    expect(screen.queryByText('whole')).toBeNull()
    rerender(page(answer('a', 'x')))
    expect(screen.getByText('whole')).toBeTruthy()
  })

  test('the most exact renderer wins; `undefined` leaves a part to the kit', () => {
    const tool = {
      type: 'tool-gauge',
      toolCallId: 't',
      state: 'input-available',
      input: {},
    } as const
    const renderers = {
      tool: () => 'any tool',
      'tool-gauge': () => 'the gauge',
      text: () => undefined,
    }
    show(
      <MessageList
        messages={[
          answer('a', [
            tool,
            { ...tool, type: 'tool-other', toolCallId: 'o' },
            { type: 'text', text: 'left to the kit' },
          ]),
        ]}
        renderers={renderers}
      />,
    )
    for (const words of [/the gauge/, /any tool/, /left to the kit/])
      expect(article().textContent).toMatch(words)
  })

  test('a picture that the message carries is shown; nothing is fetched from elsewhere', () => {
    show(
      <MessageList
        messages={[
          answer('a', [
            {
              type: 'file',
              mediaType: 'image/png',
              url: 'data:image/png;base64,AA',
              filename: 'own',
            },
            {
              type: 'file',
              mediaType: 'image/svg+xml',
              url: 'data:image/svg+xml,x',
              filename: 'svg',
            },
            {
              type: 'file',
              mediaType: 'image/png',
              url: 'https://x.example/a.png',
              filename: 'far',
            },
          ]),
        ]}
      />,
    )
    expect(screen.getAllByRole('img').map((image) => image.getAttribute('alt'))).toEqual(['own'])
    expect(screen.getByText('far')).toBeTruthy()
  })

  test('sources are links only where the address may be one, each once', () => {
    const source = {
      type: 'source-url',
      sourceId: '1',
      url: 'https://a.example/',
      title: 'A',
    } as const
    show(
      <MessageList
        messages={[
          answer('a', [
            source,
            source,
            { ...source, sourceId: '2', url: 'javascript:alert(1)', title: 'B' },
          ]),
        ]}
      />,
    )
    expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(['A'])
    expect(screen.getAllByText('B')).toHaveLength(1)
  })
})

describe('the toolbar of a message', () => {
  test('is one stop for Tab; arrows move inside it', async () => {
    const stream = { regenerate: vi.fn() }
    show(<MessageList messages={[answer('a', 'A')]} stream={stream} />)
    await userEvent.tab()
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Copy')
    await userEvent.keyboard('{ArrowRight}')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Answer again')
    await userEvent.keyboard('{ArrowRight}{ArrowLeft}{Enter}')
    expect(stream.regenerate).toHaveBeenCalledWith({ messageId: 'a' })
    await userEvent.tab()
    expect(document.activeElement).toBe(document.body)
  })

  test('copies the Markdown, and says so', async () => {
    const user = userEvent.setup()
    show(<MessageList messages={[answer('a', '**A**')]} />)
    await user.click(screen.getByRole('button', { name: 'Copy' }))
    expect(await navigator.clipboard.readText()).toBe('**A**')
    expect(screen.getByRole('button', { name: 'Copied' })).toBeTruthy()
  })

  test('is not there while an answer runs', () => {
    show(<MessageList messages={[answer('a', 'A', running)]} />)
    expect(screen.queryByRole('toolbar')).toBeNull()
  })
})

test('focus stays in the message when its action goes away', async () => {
  const page = (message: ChatMessage) => (
    <StrictMode>
      <MessageList
        messages={[message]}
        stream={{ continueResponse: () => rerender(page(answer('cut-length', 'on', running))) }}
      />
    </StrictMode>
  )
  const { rerender } = render(page(cut('length')))
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull()
  expect(document.activeElement).toBe(article())
})

describe('StopButton', () => {
  test('stops anything that has a status and a stop, and keeps the focus when there is nothing to stop', async () => {
    const stop = vi.fn()
    const { rerender } = show(<StopButton stream={{ status: 'streaming', stop }} />)
    const button = screen.getByRole('button', { name: 'Stop' })
    await userEvent.click(button)
    expect(stop).toHaveBeenCalledOnce()
    act(() =>
      rerender(
        <StrictMode>
          <StopButton stream={{ status: 'ready', stop }} />
        </StrictMode>,
      ),
    )
    expect(document.activeElement).toBe(button)
    expect(button.getAttribute('aria-disabled')).toBe('true')
    await userEvent.click(button)
    expect(stop).toHaveBeenCalledOnce()
  })
})
