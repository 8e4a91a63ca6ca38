import type { Clock } from '../protocol/clock.ts'
import type { AnnouncerHost } from './host.ts'
import type { Passage } from './passage.ts'
import type { AnnouncerTimings } from './timings.ts'
import type { Unit } from './unit.ts'

/** Something to be said beside the answer. */
export interface Notice {
  /** Made when it is said, so that it can tell what was read; undefined: nothing to say any more. */
  readonly text: () => string | undefined
  readonly lang: string
  /** It closes the answer: what is still to be read of that goes first, also while somebody types. */
  readonly closing?: boolean | undefined
}

/** The one order in which everything polite is said, paced so that a screen reader keeps up. */
export interface SpeechQueue {
  /** Says the sentences of this answer from now on. */
  read(passage: Passage | undefined): void
  /** Puts a notice at the end of the queue. */
  notify(notice: Notice): void
  /** Says it at once, in the urgent region. */
  interject(text: string, lang: string): void
  /** Something has changed: writes what is due and waits for the rest. */
  pump(): void
  /** Forgets what has not been written. The answer is read no further. */
  clear(): void
  /** Holds the answer back for a while. */
  hold(): void
  /** Speech was cut off by a key. */
  interrupt(): void
  /** What was written last. */
  last(): { readonly text: string; readonly lang: string } | undefined
  setHost(host: AnnouncerHost | undefined): void
}

interface Queued extends Notice {
  /** The units of the answer that were known before it. */
  readonly after: number
}

/** Makes the queue. */
export function createQueue(options: {
  readonly clock: Clock
  readonly timings: AnnouncerTimings
}): SpeechQueue {
  const { clock, timings } = options
  let host: AnnouncerHost | undefined
  let passage: Passage | undefined
  let notices: Queued[] = []
  let urgent: { readonly text: string; readonly lang: string }[] = []
  let timer: unknown
  let wroteAt = -Infinity
  let spokenBy = -Infinity
  let heldUntil = -Infinity
  let last: { readonly text: string; readonly lang: string } | undefined

  const speakingTime = (text: string): number => (text.length / timings.charactersPerSecond) * 1000

  const write = (text: string, lang: string, isUrgent: boolean): void => {
    const now = clock.now()
    host?.write(text, { lang, urgent: isUrgent })
    wroteAt = now
    spokenBy = Math.max(now, spokenBy) + speakingTime(text)
    last = { text, lang }
  }

  /** When a unit may be written: now or later; undefined: the reading of this answer is over. */
  const dueAt = (unit: Unit, reading: Passage, now: number, ahead: number): number | undefined => {
    const begun = reading.spoken() > 0
    const opening = reading.reach() === 'opening'
    if (opening && begun && reading.spoken() + unit.text.length > timings.budget) return undefined
    const backlog = Math.max(0, spokenBy - now) + ahead
    const over = backlog + speakingTime(unit.text) - timings.backlogMs
    // A sentence that alone is too long is said when nothing waits.
    if (over <= 0 || backlog === 0) return now
    // The opening of an answer, never patches of it: having fallen behind once, it stays silent.
    if (opening && begun) return undefined
    return now + Math.min(over, backlog)
  }

  /** Takes the notice that is due, if one is; what an answer said before it goes first. */
  const dueNotice = (now: number): Queued | undefined => {
    const reading = passage?.next() !== undefined
    const held = now < heldUntil
    const index = notices.findIndex(
      (notice) =>
        !reading ||
        (passage !== undefined && passage.position() >= notice.after) ||
        (held && notice.closing !== true),
    )
    return index < 0 ? undefined : notices[index]
  }

  const wait = (until: number): void => {
    clock.clearTimeout(timer)
    timer = clock.setTimeout(pump, Math.max(0, until - clock.now()))
  }

  const pump = (): void => {
    clock.clearTimeout(timer)
    timer = undefined
    if (host === undefined) return
    while (urgent.length > 0 || notices.length > 0 || passage?.next() !== undefined) {
      const now = clock.now()
      const free = Math.max(host.readyAt(), wroteAt + timings.gapMs)
      if (now < free) return wait(free)
      const alarm = urgent.shift()
      if (alarm !== undefined) {
        write(alarm.text, alarm.lang, true)
        continue
      }
      const later = writeNext(now)
      if (later !== undefined) return wait(later)
    }
  }

  /** Writes all that goes into one write; the time to try again where nothing was due. */
  const writeNext = (now: number): number | undefined => {
    const texts: string[] = []
    let lang: string | undefined
    let length = 0
    let later: number | undefined
    const fits = (text: string, language: string): boolean =>
      lang === undefined || (lang === language && length + 1 + text.length <= timings.writeLength)
    const take = (text: string, language: string): void => {
      length += text.length + (texts.length > 0 ? 1 : 0)
      texts.push(text)
      lang = language
    }

    for (;;) {
      const notice = dueNotice(now)
      if (notice !== undefined) {
        const text = notice.text()
        if (text !== undefined && !fits(text, notice.lang)) break
        notices = notices.filter((other) => other !== notice)
        if (text !== undefined) take(text, notice.lang)
        continue
      }
      const unit = passage?.next()
      if (passage === undefined || unit === undefined) break
      const closes = notices.some((other) => other.closing === true)
      const begun = passage.spoken() > 0 || closes
      const coalesced = begun ? now : (passage.readyAt() ?? now) + timings.coalesceMs
      const due = dueAt(unit, passage, now, (length / timings.charactersPerSecond) * 1000)
      if (due === undefined) {
        passage.setReach('nothing')
        continue
      }
      later = Math.max(heldUntil, coalesced, due)
      if (later > now || !fits(unit.text, unit.lang)) break
      take(unit.text, unit.lang)
      passage.advance(Math.max(now, spokenBy) + (length / timings.charactersPerSecond) * 1000)
      later = undefined
    }
    if (lang === undefined) return later
    write(texts.join(' '), lang, false)
    return undefined
  }

  return {
    read(next) {
      passage = next
    },
    notify(notice) {
      notices.push({ ...notice, after: passage?.size() ?? 0 })
      pump()
    },
    interject(text, lang) {
      urgent.push({ text, lang })
      pump()
    },
    pump,
    clear() {
      clock.clearTimeout(timer)
      notices = []
      urgent = []
      passage?.setReach('nothing')
    },
    hold() {
      heldUntil = clock.now() + timings.typingMs
    },
    interrupt() {
      passage?.interrupt(clock.now())
      spokenBy = Math.min(spokenBy, clock.now())
    },
    last: () => last,
    setHost(next) {
      host = next
      if (next === undefined) {
        notices = []
        urgent = []
      }
      pump()
    },
  }
}
