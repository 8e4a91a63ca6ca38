'use client'
import type { Verbosity } from '../../announcer/announcer.ts'
import type { AnnouncerPhrases } from '../../announcer/phrases.ts'
import type { ErrorCode } from '../../protocol/errors.ts'

/**
 * Every string of the interface, in one language. Take one of `en`, `de`, `ja`, `ar` and spread over it what you
 * want to say differently; numbers, plurals and durations are the language's own (Intl).
 */
export interface Labels {
  /** BCP 47 tag, also for dates and numbers. */
  readonly locale: string
  readonly dir: 'ltr' | 'rtl'
  /** A span of time, short: "20 s", "1 min 5 s". */
  readonly duration: (milliseconds: number) => string
  readonly thread: {
    /** Heading of the page, for assistive technology. */
    readonly title: string
    /** Name of the scroll region. */
    readonly conversation: string
    readonly greeting: string
    readonly suggestions: string
    readonly moreSuggestions: string
    /** `count`: messages that came since the reader left the end. */
    readonly jumpToLatest: (count: number) => string
  }
  readonly composer: {
    /** Name of the form. */
    readonly form: string
    /** Name of the text box. */
    readonly input: string
    readonly placeholder: string
    readonly send: string
    readonly stop: string
    /** Why Send does nothing yet. */
    readonly nothingToSend: string
    readonly hint: string
  }
  readonly message: {
    readonly userSaid: string
    readonly assistantSaid: string
    readonly systemSaid: string
    readonly waiting: string
    /** Beside the seam above an answer that goes on from an earlier one. */
    readonly continued: string
    readonly actions: string
    readonly copy: string
    readonly copied: string
    readonly copyFailed: string
    readonly regenerate: string
    readonly sending: string
    readonly queued: string
    readonly notSent: string
    readonly sources: string
    readonly attachment: string
    readonly partFailed: string
    readonly unknownPart: string
  }
  /** How an answer ended. */
  readonly status: {
    readonly cancelled: string
    readonly length: string
    readonly contextWindow: string
    readonly contentFilter: string
    readonly refusal: string
    readonly paused: string
    readonly unknown: string
    readonly interrupted: string
    /** The connection was lost before any text had come. */
    readonly interruptedEmpty: string
    readonly invalid: string
    readonly toolCalls: string
    readonly approval: string
    readonly rateLimited: (wait: string) => string
    readonly continue: string
    readonly retry: string
    readonly resume: string
    readonly check: string
    readonly details: string
  }
  /** What failed and what to do next, one text a code. */
  readonly errors: Readonly<Record<ErrorCode, string>>
  readonly reasoning: {
    readonly thinking: string
    readonly thought: string
    readonly thoughtFor: (duration: string) => string
  }
  readonly tool: {
    readonly preparing: (name: string) => string
    readonly running: (name: string) => string
    readonly used: (name: string) => string
    readonly failed: (name: string) => string
    readonly denied: (name: string) => string
    readonly incomplete: (name: string) => string
    readonly outcomeUnknown: (name: string) => string
    readonly asks: (name: string) => string
    readonly answered: (name: string) => string
    readonly approve: string
    readonly deny: string
    readonly arguments: string
    readonly result: string
    readonly error: string
    readonly untrusted: string
  }
  readonly markdown: {
    readonly copyCode: string
    readonly wrapLines: string
    readonly downloadCode: string
    readonly copied: string
    /** Name of a code block; `language` may be empty. */
    readonly codeBlock: (language: string) => string
    readonly table: string
    readonly copyTableAs: (format: 'Markdown' | 'CSV' | 'TSV') => string
    readonly formula: string
    readonly diagram: string
    /** Of a button that shows what a diagram was drawn from. */
    readonly diagramSource: string
    readonly loadImage: string
    readonly imageFrom: (host: string) => string
    readonly taskDone: string
    readonly taskOpen: string
    readonly hiddenCharacters: (count: number) => string
    readonly tooLarge: string
    readonly footnotes: string
    readonly backToText: string
    /** What is asked before a link is opened whose text may not say where it leads. */
    readonly opensHost: (host: string) => string
    readonly openLink: string
    readonly keepClosed: string
  }
  /** The dialog of what a reader chooses. */
  readonly settings: {
    readonly title: string
    readonly close: string
    /** Heading over how much a screen reader says. */
    readonly speech: string
    readonly verbosity: Readonly<Record<Verbosity, string>>
    readonly repeat: string
    readonly readOn: string
    readonly goToLatest: string
    /** Heading over what is seen and heard of the page. */
    readonly display: string
    readonly smooth: string
    readonly reducedMotion: string
    readonly sounds: string
  }
  /** What is said to screen readers. */
  readonly announcer: AnnouncerPhrases
}
