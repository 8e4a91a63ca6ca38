import type { Assembler } from './assembler.ts'

const OPEN = '<think>'
const CLOSE = '</think>'

/** Splits `<think>…</think>` off the start of an answer, wherever the tags are cut. */
export function createThinkTags(assembler: Assembler): { push(text: string): void; end(): void } {
  let state: 'before' | 'thinking' | 'after' | 'answer' = 'before'
  let held = ''

  function push(text: string): void {
    let rest = held + text
    held = ''
    if (state === 'before') {
      const start = rest.trimStart()
      if (start.startsWith(OPEN)) {
        state = 'thinking'
        rest = start.slice(OPEN.length)
      } else if (OPEN.startsWith(start)) {
        held = rest
        return
      } else state = 'answer'
    }
    if (state === 'thinking') {
      const at = rest.indexOf(CLOSE)
      const until = at === -1 ? rest.length - overlap(rest, CLOSE) : at
      assembler.text('reasoning', 'reasoning', rest.slice(0, until))
      if (at === -1) {
        held = rest.slice(until)
        return
      }
      state = 'after'
      rest = rest.slice(at + CLOSE.length)
    }
    if (state === 'after') {
      rest = rest.trimStart()
      if (rest === '') return
      state = 'answer'
    }
    assembler.text('text', 'text', rest)
  }

  return {
    push,
    end() {
      const rest = held
      held = ''
      if (rest !== '')
        assembler.text(
          state === 'thinking' ? 'reasoning' : 'text',
          state === 'thinking' ? 'reasoning' : 'text',
          rest,
        )
    },
  }
}

/** How much of the end of `text` could be the start of `tag`. */
function overlap(text: string, tag: string): number {
  for (let size = Math.min(tag.length - 1, text.length); size > 0; size--) {
    if (text.endsWith(tag.slice(0, size))) return size
  }
  return 0
}
