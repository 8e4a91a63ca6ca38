// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { Activity, StrictMode, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { useModelStream, type UseModelStream } from 'sluice'
import { createModelStream, type ModelStream, type ModelStreamOptions } from 'sluice/core'
import { manualClock, manualScheduler } from 'sluice/testing'
import { begun, createPage, createServer, done, text, type Server } from '../generation/rig.ts'
import { numbered } from '../support/events.ts'

afterEach(cleanup)

/** Options in the test's hands. */
function setUp(server: Server = createServer()) {
  const clock = manualClock()
  const scheduler = manualScheduler()
  const page = createPage()
  const options: ModelStreamOptions = { transport: server, clock, scheduler, lifecycle: page }
  /** Lets the server speak, and draws a frame. */
  const say = async (first: number, ...bodies: Parameters<typeof numbered>[0]): Promise<void> => {
    await act(async () => {
      server.last.send(...numbered(bodies, server.last.requestId, first))
      await clock.advance(0)
      scheduler.frame()
    })
  }
  return { server, clock, scheduler, page, options, say }
}

/** Draws the answer, counts its renders and hands out what the hook gives. */
function Answer({
  source,
  onRender,
}: {
  readonly source: ModelStream | ModelStreamOptions
  readonly onRender?: (given: UseModelStream) => void
}): ReactElement {
  const stream = useModelStream(source)
  onRender?.(stream)
  return (
    <p data-testid="answer" data-status={stream.status}>
      <span data-testid="text">{stream.text}</span>
      <button type="button" onClick={() => void stream.start('q')}>
        Ask
      </button>
    </p>
  )
}

const draw = (element: ReactElement): ReturnType<typeof render> =>
  render(<StrictMode>{element}</StrictMode>)
const ask = (): void => act(() => screen.getByText('Ask').click())
const shown = (): string => screen.getByTestId('text').textContent
const status = (): string | undefined => screen.getByTestId('answer').dataset['status']

describe('useModelStream', () => {
  test('StrictMode: nothing before the first start, then one request and the whole text', async () => {
    const { server, clock, page, options, say } = setUp()
    draw(<Answer source={options} />)
    expect(server.connections).toEqual([])
    expect(clock.pending).toBe(0)
    expect(page.listeners).toBe(0)
    ask()
    expect(status()).toBe('submitted')
    await say(1, begun(), text('One'))
    expect(shown()).toBe('One')
    expect(status()).toBe('streaming')
    await say(3, text(' two'), done)
    expect(shown()).toBe('One two')
    expect(status()).toBe('ready')
    expect(server.connections).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })

  test('one render a frame, none without a change', async () => {
    const { server, options, say } = setUp()
    const rendered = vi.fn<() => void>()
    render(<Answer source={options} onRender={rendered} />)
    ask()
    await say(1, begun())
    rendered.mockClear()
    await say(2, ...Array.from({ length: 50 }, () => text('x')))
    expect(rendered).toHaveBeenCalledTimes(1)
    await act(async () => server.last.beat())
    expect(rendered).toHaveBeenCalledTimes(1)
    expect(shown()).toHaveLength(50)
  })

  test('a store passed in outlives its component: unmounted, mounted again, one message', async () => {
    const { server, options, say } = setUp()
    const store = createModelStream(options)
    const first = draw(<Answer source={store} />)
    ask()
    await say(1, begun(), text('aaa'))
    first.unmount()
    await say(3, text('bbb'))
    expect(server.last.signal.aborted).toBe(false)
    draw(<Answer source={store} />)
    expect(shown()).toBe('aaabbb')
    expect(status()).toBe('streaming')
    await say(4, text('ccc'), done)
    expect(shown()).toBe('aaabbbccc')
    expect(server.connections).toHaveLength(1)
    expect(store.getSnapshot().message?.parts).toHaveLength(1)
  })

  test('unmounting does not stop an own stream either, and warns of nothing', async () => {
    const { server, options, say } = setUp()
    const error = vi.spyOn(console, 'error')
    const onFinish = vi.fn<() => void>()
    const { unmount } = draw(<Answer source={{ ...options, onFinish }} />)
    ask()
    await say(1, begun(), text('aaa'))
    unmount()
    await say(3, text('bbb'), done)
    expect(onFinish).toHaveBeenCalledTimes(1)
    expect(server.connections).toHaveLength(1)
    expect(error).not.toHaveBeenCalled()
    error.mockRestore()
  })

  test('hidden by Activity and shown again: one request, one message, the whole text', async () => {
    const { server, options, say } = setUp()
    const page = (mode: 'hidden' | 'visible'): ReactElement => (
      <StrictMode>
        <Activity mode={mode}>
          <Answer source={options} />
        </Activity>
      </StrictMode>
    )
    const { rerender } = render(page('visible'))
    ask()
    await say(1, begun(), text('One'))
    rerender(page('hidden'))
    await say(3, text(' two'))
    rerender(page('visible'))
    expect(shown()).toBe('One two')
    await say(4, text(' three'), done)
    expect(shown()).toBe('One two three')
    expect(server.connections).toHaveLength(1)
  })

  test('hidden for longer than 30 s: the connection is given back, and resumed when it is shown', async () => {
    const { server, clock, options, say } = setUp()
    const page = (mode: 'hidden' | 'visible'): ReactElement => (
      <StrictMode>
        <Activity mode={mode}>
          <Answer source={options} />
        </Activity>
      </StrictMode>
    )
    const { rerender } = render(page('visible'))
    ask()
    await say(1, begun(), text('One'))
    rerender(page('hidden'))
    await act(() => clock.advance(30_000))
    expect(server.last.signal.aborted).toBe(true)
    rerender(page('visible'))
    await act(() => clock.advance(0))
    expect(server.last).toMatchObject({ kind: 'resume', after: 2 })
    await say(3, text(' two'), done)
    expect(shown()).toBe('One two')
    expect(server.connections.filter(({ kind }) => kind === 'start')).toHaveLength(1)
  })

  test('callbacks are the newest ones, the transport is taken at the next send', async () => {
    const { server, options, say } = setUp()
    const told: string[] = []
    const other = createServer()
    const frozen = (name: string, transport: Server): ModelStreamOptions =>
      Object.freeze({ ...options, transport, onFinish: () => told.push(name) })
    const { rerender } = draw(<Answer source={frozen('first', server)} />)
    ask()
    rerender(
      <StrictMode>
        <Answer source={frozen('second', other)} />
      </StrictMode>,
    )
    await say(1, begun(), text('One'), done)
    expect(told).toEqual(['second'])
    expect(other.connections).toEqual([])
    ask()
    expect(other.connections).toHaveLength(1)
    expect(server.connections).toHaveLength(1)
  })

  test('the functions keep their identity', async () => {
    const { options, say } = setUp()
    const given: UseModelStream[] = []
    render(<Answer source={options} onRender={(stream) => given.push(stream)} />)
    ask()
    await say(1, begun(), text('One'))
    for (const name of ['start', 'stop', 'resume', 'retry'] as const) {
      expect(new Set(given.map((stream) => stream[name])).size).toBe(1)
    }
    expect(given.length).toBeGreaterThan(2)
  })

  test('twenty components of one store make one request', async () => {
    const { server, options, say } = setUp()
    const store = createModelStream(options)
    draw(
      <>
        {Array.from({ length: 20 }, (_, place) => (
          <Answer key={place} source={store} />
        ))}
      </>,
    )
    act(() => void store.start('q'))
    await say(1, begun(), text('One'), done)
    expect(screen.getAllByTestId('text').map((node) => node.textContent)).toEqual(
      Array.from({ length: 20 }, () => 'One'),
    )
    expect(server.connections).toHaveLength(1)
  })

  test('a server renders the idle state', () => {
    const { options } = setUp()
    expect(renderToString(<Answer source={options} />)).toContain('data-status="ready"')
  })
})
