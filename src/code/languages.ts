'use client'
import type { LanguageInput } from 'shiki/core'

/** The grammars that can be loaded, each a module of its own. */
const grammars: Readonly<Record<string, LanguageInput>> = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('./cpp.ts').then(({ loadCpp }) => loadCpp()),
  csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
}

const aliases = new Map<string, string>([
  ['c#', 'csharp'],
  ['c++', 'cpp'],
  ['cs', 'csharp'],
  ['dockerfile', 'docker'],
  ['js', 'javascript'],
  ['kt', 'kotlin'],
  ['md', 'markdown'],
  ['mjs', 'javascript'],
  ['py', 'python'],
  ['rb', 'ruby'],
  ['rs', 'rust'],
  ['sh', 'bash'],
  ['shell', 'bash'],
  ['ts', 'typescript'],
  ['yml', 'yaml'],
  ['zsh', 'bash'],
])

/** The language that an info string names, if there is a grammar for it. */
export function languageNamed(name: string): string | undefined {
  const lower = name.toLowerCase()
  const language = aliases.get(lower) ?? lower
  return Object.hasOwn(grammars, language) ? language : undefined
}

/** The grammar of a language by the name that {@link languageNamed} gave. */
export function grammarOf(language: string): LanguageInput {
  const grammar = grammars[language]
  if (grammar === undefined) throw new Error(`No grammar for ${language}`)
  return grammar
}
