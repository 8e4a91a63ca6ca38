// What the screen reader said, and how that compares with what it should say. Times are those of Date.now().
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/**
 * One message given to the synthesiser; `heard` is its text, or of one that was cut what had been spoken.
 *
 * @typedef {{ start: number, end: number | undefined, text: string, cut: boolean, heard: string }} Utterance
 */

/**
 * @typedef {object} Measures
 * @property {number} utterances
 * @property {number} characters Spoken in all.
 * @property {number} redundancy Characters spoken, by those of the texts that were to be heard.
 * @property {number} lagMs From the end of the stream to the end of speech.
 * @property {string[]} lost Texts that were not heard whole.
 * @property {boolean} inOrder
 */

/**
 * @param {string} log
 * @param {number} [since] Leaves out what began before.
 * @returns {Utterance[]}
 */
export function readTranscript(log, since = 0) {
  /** @type {Map<number, Utterance>} */
  const utterances = new Map()
  // The last line may still be being written.
  for (const line of readFileSync(log, 'utf8').split('\n').slice(0, -1)) {
    const { at, id, event, text, heard } = JSON.parse(line)
    if (event === 'start') {
      utterances.set(id, { start: at, end: undefined, text, cut: false, heard: text })
      continue
    }
    const utterance = utterances.get(id)
    if (utterance === undefined) continue
    utterance.end = at
    if (event !== 'cut') continue
    utterance.cut = true
    utterance.heard = [...utterance.text].slice(0, heard).join('')
  }
  return [...utterances.values()].filter(({ start }) => start >= since)
}

/**
 * Waits until nothing has been said for a while; false if there was no end to it.
 *
 * @param {string} log
 * @param {{ quietMs?: number, timeoutMs?: number }} [options]
 */
export async function waitForQuiet(log, { quietMs = 2500, timeoutMs = 60_000 } = {}) {
  const called = Date.now()
  for (;;) {
    const last = readTranscript(log).at(-1)
    const isSpeaking = last !== undefined && last.end === undefined
    if (!isSpeaking && Date.now() - Math.max(called, last?.end ?? 0) >= quietMs) return true
    if (Date.now() - called >= timeoutMs) return false
    await sleep(100)
  }
}

/** Drops all that is said or waits to be said; twice, since some of it may be on its way. */
export async function cancelSpeech() {
  await execute('spd-say', ['--cancel'], { timeout: 10_000 })
  await sleep(600)
  await execute('spd-say', ['--cancel'], { timeout: 10_000 })
}

/**
 * Presses real keys in the window that has the focus; names are xdotool's.
 *
 * @param {...string} keys
 */
export async function pressKeys(...keys) {
  await execute('xdotool', ['key', '--delay', '60', ...keys], { timeout: 30_000 })
}

/**
 * Clicks with the real pointer, at a place on the screen.
 *
 * @param {number} x
 * @param {number} y
 */
export async function clickScreen(x, y) {
  await execute('xdotool', ['mousemove', String(x), String(y), 'click', '1'], { timeout: 10_000 })
}

/** Letters and digits only: readers split and punctuate as they like. */
const bare = (/** @type {string} */ text) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')

const lengthOf = (/** @type {readonly string[]} */ texts) =>
  texts.reduce((sum, text) => sum + [...text].length, 0)

/**
 * @param {readonly Utterance[]} transcript
 * @param {readonly string[]} expected The texts that a listener should hear, in order.
 * @param {number} ended When the stream was over.
 * @returns {Measures}
 */
export function measure(transcript, expected, ended) {
  const heard = transcript.map((utterance) => utterance.heard)
  const all = bare(heard.join(''))
  let from = 0
  let inOrder = true
  const lost = expected.filter((text) => {
    const place = all.indexOf(bare(text), from)
    if (place >= 0) {
      from = place + bare(text).length
      return false
    }
    if (all.includes(bare(text))) inOrder = false
    return !all.includes(bare(text))
  })
  const end = Math.max(ended, ...transcript.map((utterance) => utterance.end ?? Date.now()))
  return {
    utterances: transcript.length,
    characters: lengthOf(heard),
    redundancy: lengthOf(heard) / Math.max(1, lengthOf(expected)),
    lagMs: end - ended,
    lost,
    inOrder,
  }
}

/**
 * How many of the sentences, from the first on, were begun: the part of an answer that was read.
 *
 * @param {readonly Utterance[]} transcript
 * @param {readonly string[]} sentences
 */
export function countRead(transcript, sentences) {
  const all = bare(transcript.map((utterance) => utterance.heard).join(''))
  return sentences.findLastIndex((sentence) => all.includes(bare(sentence))) + 1
}
