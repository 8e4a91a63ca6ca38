import { systemClock, type Clock } from '../protocol/clock.ts'
import type { MarkdownSyntax } from '../markdown/parser.ts'
import { textOf, type ChatMessage } from '../protocol/message.ts'
import { answerReader, type AnswerReader } from './answer.ts'
import { endingOf, withRemaining, type Ending } from './ending.ts'
import { createHost } from './host.ts'
import { watchKeys } from './keys.ts'
import { focusLatestAnswer } from './latest.ts'
import { createPassage, type Passage, type Reach } from './passage.ts'
import { englishPhrases, type AnnouncerPhrases } from './phrases.ts'
import { createQueue } from './queue.ts'
import { announcerTimings, type AnnouncerTimings } from './timings.ts'

/**
 * How much is said. `off`: nothing. `status`: how answers go, not what they say. `balanced`: their opening too, then what
 * is left, counted. `full`: all of them.
 */
export type Verbosity = 'off' | 'status' | 'balanced' | 'full'

/** How a stream or a chat stands: what the announcer reads of either's snapshot. */
export interface AnswerSnapshot {
  readonly status?: 'ready' | 'submitted' | 'streaming' | 'error' | undefined
  readonly connection?: string | undefined
  readonly stopState?: string | undefined
  readonly message?: ChatMessage | undefined
  /** Of a chat: its last message is the answer, if the assistant wrote it. */
  readonly messages?: readonly ChatMessage[] | undefined
}

/** Anything that can be followed: a `ModelStream`, a `ChatStore`. */
export interface AnswerSource {
  getSnapshot(): AnswerSnapshot
  subscribe(listener: () => void): () => void
}

/** Options of {@link createAnnouncer}. */
export interface AnnouncerOptions {
  /** What it says; default English. */
  readonly phrases?: AnnouncerPhrases | undefined
  /** BCP 47 tag of the phrases, and of answers in the same script; default `en`. */
  readonly locale?: string | undefined
  /** Default `balanced`. */
  readonly verbosity?: Verbosity | undefined
  readonly timings?: Partial<AnnouncerTimings> | undefined
  /** The syntaxes beyond GFM that the answers are drawn with, so that they are worded too. */
  readonly syntaxes?: readonly MarkdownSyntax[] | undefined
  readonly clock?: Clock | undefined
}

/** Says what happens in a conversation through live regions, in order, once and not too fast. */
export interface Announcer {
  /**
   * Puts the live regions into a page, and listens to its keyboard and its connection. To be called when the page starts,
   * before the first message; until then, and after the function that it returns was called, nothing is said. Mounted
   * twice it stays until both have let go; one announcer speaks in one page.
   */
  mount(document?: Document): () => void
  /** Announces the answers of a source until the function that it returns is called. */
  follow(source: AnswerSource): () => void
  /** Announces one step of an answer; {@link Announcer.follow} calls it. An answer that has ended when first seen is silent. */
  update(snapshot: AnswerSnapshot): void
  /** Says a text of the application's own. */
  say(
    text: string,
    options?: { readonly urgent?: boolean | undefined; readonly lang?: string | undefined },
  ): void
  /** Says that something was copied. */
  copied(): void
  /** Moves the focus to the heading of the latest answer. False where there is none, or no page. */
  goToLatest(): boolean
  /** Says the last announcement again. */
  repeat(): void
  /** Reads the answer to its end from where speech stopped. False where nothing is left. */
  readOn(): boolean
  /** Forgets what waits to be said and reads the answer no further; Escape does the same. */
  silence(): void
  getVerbosity(): Verbosity
  /** Forgets what waits to be said; an answer goes on from where it was. */
  setVerbosity(verbosity: Verbosity): void
  /** Takes other words from the next announcement on. */
  setLanguage(language: { readonly phrases: AnnouncerPhrases; readonly locale: string }): void
}

interface Answer {
  readonly id: string
  readonly passage: Passage
  readonly reader: AnswerReader
  message: ChatMessage
  /** The state of the message whose text was read last. */
  looked: ChatMessage | undefined
  ended: boolean
}

/** How often a growing text is looked at. */
const LOOK_MS = 200

const REACH: Readonly<Record<Verbosity, Reach>> = {
  off: 'nothing',
  status: 'nothing',
  balanced: 'opening',
  full: 'everything',
}

/** Makes an announcer. Touches no document before {@link Announcer.mount}. */
export function createAnnouncer(options: AnnouncerOptions = {}): Announcer {
  const clock = options.clock ?? systemClock
  const timings = announcerTimings(options.timings)
  const queue = createQueue({ clock, timings })
  let phrases = options.phrases ?? englishPhrases
  let locale = options.locale ?? 'en'
  let verbosity = options.verbosity ?? 'balanced'
  let page: { readonly document: Document; readonly detach: () => void; uses: number } | undefined
  let answer: Answer | undefined
  /** An answer has been asked for. */
  let awaited = false
  let before: AnswerSnapshot = {}
  /** Nothing was said of the answer that was asked for. */
  let isQuiet = true
  let toolAt = -Infinity
  let nextLook: unknown
  let patience: unknown
  let retry: unknown

  const notify = (text: string | (() => string | undefined), closing = false): void => {
    if (verbosity === 'off' || page === undefined) return
    queue.notify({ text: typeof text === 'string' ? () => text : text, lang: locale, closing })
  }

  const interject = (text: string): void => {
    if (verbosity !== 'off' && page !== undefined) queue.interject(text, locale)
  }

  const rest = (): void => {
    clock.clearTimeout(patience)
    patience = undefined
  }

  const waitFor = (ms: number, next: () => void): void => {
    rest()
    patience = clock.setTimeout(next, ms)
  }

  const stillWorking = (): void => {
    notify(phrases.working)
    waitFor(timings.workingAgainMs, stillWorking)
  }

  /** A new answer: what was still to be said of the last one is of no interest any more. */
  const begin = (): void => {
    queue.clear()
    queue.read(undefined)
    clock.clearTimeout(retry)
    answer = undefined
    awaited = true
    isQuiet = true
    waitFor(timings.respondingMs, () => {
      if (isQuiet && (answer?.passage.size() ?? 0) === 0) notify(phrases.responding)
      waitFor(timings.workingMs - timings.respondingMs, stillWorking)
    })
  }

  const open = (message: ChatMessage, reach: Reach): Answer => {
    awaited = false
    const passage = createPassage(reach)
    const namesLinks = verbosity === 'full'
    const reader = answerReader({ locale, phrases, namesLinks, syntaxes: options.syntaxes ?? [] })
    answer = { id: message.id, passage, reader, message, looked: undefined, ended: false }
    queue.read(passage)
    return answer
  }

  /** Reads on as long as nothing that was read waits to be said: text costs nothing before its turn. */
  const look = (): void => {
    clock.clearTimeout(nextLook)
    nextLook = undefined
    if (answer === undefined || answer.ended || page === undefined) return
    const { passage, reader, message, looked } = answer
    const caughtUp = passage.next() === undefined
    if (passage.reach() === 'nothing' || (caughtUp && looked === message)) return
    if (caughtUp) {
      answer.looked = message
      passage.add(reader.units(message, false), clock.now())
      queue.pump()
    }
    nextLook = clock.setTimeout(look, LOOK_MS)
  }

  const end = (current: Answer, words: Ending): void => {
    const { passage, reader, message } = current
    current.ended = true
    rest()
    // Half a sentence is not said where more of the answer may come yet.
    if (words.clears === true) queue.clear()
    else passage.add(reader.units(message, true), clock.now())
    if (words.urgent === true) interject(words.text)
    else {
      notify(
        () =>
          withRemaining(words, verbosity === 'status' ? undefined : passage.remaining(), phrases),
        true,
      )
    }
    if (words.retryAfterMs !== undefined) {
      retry = clock.setTimeout(() => notify(phrases.retryNow), words.retryAfterMs)
    }
  }

  const examine = (current: Answer, message: ChatMessage): void => {
    const isNew = current.message !== message
    current.message = message
    const news = current.reader.news(message)
    if (news.thinking || news.tools.length + news.approvals.length > 0) isQuiet = false
    if (news.thinking) notify(phrases.thinking)
    for (const name of news.tools) {
      if (clock.now() - toolAt < timings.toolMs) continue
      toolAt = clock.now()
      notify(phrases.usingTool(name))
    }
    for (const name of news.approvals) notify(phrases.approvalNeeded(name))
    const ending = endingOf(message.status, phrases)
    if (ending !== undefined) return end(current, ending)
    if (message.status.type === 'requires-action') rest()
    else if (patience === undefined || (isNew && textOf(message) !== '')) {
      waitFor(timings.workingMs, stillWorking)
    }
    if (nextLook === undefined) look()
  }

  const updateMessage = (message: ChatMessage): void => {
    const isRunning = message.status.type === 'running'
    if (answer?.id === message.id) {
      // An answer that was lost may go on.
      if (isRunning && answer.ended) {
        answer.ended = false
        answer.passage.setReach(REACH[verbosity])
      }
      if (!answer.ended) examine(answer, message)
      return
    }
    if (isRunning || awaited) {
      if (!awaited) begin()
      return examine(open(message, REACH[verbosity]), message)
    }
    // It was there before: nothing is said of it, but it can be read on demand.
    const old = open(message, 'nothing')
    old.ended = message.status.type !== 'requires-action'
  }

  const update = (snapshot: AnswerSnapshot): void => {
    const message = snapshot.message ?? snapshot.messages?.at(-1)
    const became = (key: 'status' | 'stopState' | 'connection', word: string): boolean =>
      snapshot[key] === word && before[key] !== word
    if (became('status', 'submitted')) begin()
    if (became('stopState', 'requested')) queue.clear()
    if (became('connection', 'reconnecting')) notify(phrases.reconnecting)
    before = snapshot
    if (message?.role === 'assistant') updateMessage(message)
  }

  const attach = (document: Document): (() => void) => {
    const host = createHost({ document, clock, settleMs: timings.settleMs })
    const listeners = new AbortController()
    const { signal } = listeners
    document.defaultView?.addEventListener('offline', () => notify(phrases.offline), { signal })
    document.defaultView?.addEventListener('online', () => notify(phrases.online), { signal })
    watchKeys(document, {
      signal,
      onKey: queue.interrupt,
      onTyping: queue.hold,
      onEscape: queue.clear,
    })
    queue.setHost(host)
    return () => {
      listeners.abort()
      for (const timer of [nextLook, patience, retry]) clock.clearTimeout(timer)
      nextLook = undefined
      patience = undefined
      queue.setHost(undefined)
      host.remove()
    }
  }

  return {
    mount(document = globalThis.document) {
      page ??= { document, uses: 0, detach: attach(document) }
      page.uses += 1
      let isMounted = true
      return () => {
        if (!isMounted || page === undefined) return
        isMounted = false
        page.uses -= 1
        if (page.uses > 0) return
        page.detach()
        page = undefined
      }
    },
    follow(source) {
      const onChange = (): void => update(source.getSnapshot())
      const unsubscribe = source.subscribe(onChange)
      onChange()
      return unsubscribe
    },
    update,
    say(text, { urgent = false, lang = locale } = {}) {
      if (verbosity === 'off' || page === undefined) return
      if (urgent) queue.interject(text, lang)
      else queue.notify({ text: () => text, lang })
    },
    copied: () => notify(phrases.copied),
    goToLatest: () => page !== undefined && focusLatestAnswer(page.document),
    repeat() {
      const last = queue.last()
      if (last !== undefined) queue.notify({ text: () => last.text, lang: last.lang })
    },
    readOn() {
      if (answer === undefined) return false
      const { passage, reader, message, ended } = answer
      if (ended) passage.add(reader.units(message, true), clock.now())
      passage.setReach('everything')
      const hasMore = passage.rewind()
      look()
      queue.pump()
      return hasMore || !ended
    },
    silence: queue.clear,
    getVerbosity: () => verbosity,
    setVerbosity(next) {
      if (next === verbosity) return
      verbosity = next
      const goesOn = answer?.ended === false || answer?.passage.next() !== undefined
      queue.clear()
      if (answer !== undefined && goesOn) {
        answer.passage.setReach(REACH[next])
        look()
        queue.pump()
      }
    },
    setLanguage(next) {
      phrases = next.phrases
      locale = next.locale
    },
  }
}
