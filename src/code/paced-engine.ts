'use client'
import type { RegexEngine } from 'shiki/core'
import {
  createJavaScriptRegexEngine,
  defaultJavaScriptRegexConstructor,
  JavaScriptScanner,
} from 'shiki/engine/javascript'
import { late } from './late.ts'

/** How often a pattern has to run until V8 has compiled it for good. */
const coldRuns = 4

/**
 * Shiki's JavaScript engine, which a strict Content-Security-Policy allows as it needs no WebAssembly, in small pieces. A
 * grammar's first line compiles hundreds of patterns, which takes up to a second. Before each of them `isLate` is asked,
 * and `late` thrown if it is: what is compiled by then is kept, so that the same line gets further the next time.
 */
export function createPacedEngine(isLate: () => boolean): RegexEngine {
  const { createString } = createJavaScriptRegexEngine()
  const compiled = new Map<string, RegExp | undefined>()
  const pause = (): void => {
    if (isLate()) throw late
  }
  const compile = (pattern: string): RegExp | undefined => {
    if (compiled.has(pattern)) return compiled.get(pattern)
    pause()
    const regExp = construct(pattern)
    if (regExp !== undefined) slowStart(regExp, pause)
    compiled.set(pattern, regExp)
    return regExp
  }
  return {
    createString,
    createScanner: (patterns) =>
      new JavaScriptScanner(
        patterns.map((pattern) =>
          typeof pattern === 'string' ? (compile(pattern) ?? neverMatches) : pattern,
        ),
        { regexConstructor: defaultJavaScriptRegexConstructor },
      ),
  }
}

const neverMatches = /(?!)/dg

/** A pattern in Oniguruma's syntax; `undefined` if JavaScript has nothing like it, which leaves its text uncoloured. */
function construct(pattern: string): RegExp | undefined {
  try {
    return defaultJavaScriptRegexConstructor(pattern)
  } catch {
    return undefined
  }
}

function slowStart(regExp: RegExp, pause: () => void): void {
  let runs = 0
  const exec = regExp.exec.bind(regExp)
  regExp.exec = (text) => {
    if (runs === coldRuns) return exec(text)
    pause()
    runs += 1
    if (runs === coldRuns) Reflect.deleteProperty(regExp, 'exec')
    return exec(text)
  }
}
