import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import fc from 'fast-check'
import { shared } from '../support/shared.ts'

/** A document with a name that a failure can be found by. */
export interface Sample {
  readonly name: string
  readonly text: string
  readonly html?: string | undefined
}

interface SpecExample {
  readonly number: number
  readonly markdown: string
  readonly html: string
}

const fixture = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../fixtures', path), 'utf8')

const { tests } = createRequire(import.meta.filename)('commonmark-spec') as {
  tests: readonly SpecExample[]
}

/** The examples of the CommonMark specification. They write a tab as an arrow. */
export const commonmark: readonly Sample[] = tests.map(({ number, markdown, html }) => ({
  name: `CommonMark ${number}`,
  text: markdown.replaceAll('→', '\t'),
  html: html.replaceAll('→', '\t'),
}))

// eslint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what the file holds
const suite = <T>(name: string): readonly T[] =>
  shared === undefined
    ? []
    : (JSON.parse(readFileSync(`${shared}/suites/${name}.json`, 'utf8')) as readonly T[])

/** The examples of the GFM specification, where they are there. */
export const gfm: readonly Sample[] = suite<SpecExample>('gfm-spec').map(
  ({ number, markdown, html }) => ({ name: `GFM ${number}`, text: markdown, html }),
)

/** Markdown that got script or requests past other renderers, where it is there. */
export const bypasses: readonly Sample[] = suite<{ name: string; markdown: string }>(
  'markdown-bypass',
).map(({ name, markdown }) => ({ name, text: markdown }))

/** HTML that the sanitiser's own tests are made of, where it is there. */
export const payloads: readonly Sample[] = suite<{ title?: string; payload: string }>(
  'dompurify-expect',
).map(({ title, payload }, index) => ({ name: title ?? `payload ${index}`, text: payload }))

/** A report from the field whose input is Markdown. */
export interface FieldReport {
  readonly id: string
  readonly theme: string
  readonly fact: string
  readonly input: { readonly kind: string; readonly text: string; readonly generator?: boolean }
  readonly check: Readonly<Record<string, unknown>>
}

export const fieldReports: readonly FieldReport[] = (
  JSON.parse(fixture('cases/field-reports.json')) as readonly FieldReport[]
).filter(({ input }) => input.kind === 'markdown')

const reported: readonly Sample[] = fieldReports
  .filter(({ input }) => input.generator !== true)
  .map(({ id, input }) => ({ name: id, text: input.text }))

const written: readonly Sample[] = ['answer', 'cjk', 'rtl', 'attacks'].map((name) => ({
  name: `${name}.md`,
  text: fixture(`markdown/${name}.md`),
}))

/** The project's own documents and those of the field reports. */
export const ownDocuments: readonly Sample[] = [...written, ...reported]

/** Documents that the whole of the rules is tried on, except the suites that may be absent. */
export const documents: readonly Sample[] = [...commonmark, ...ownDocuments]

const words = [
  'one',
  'two',
  '**',
  '*',
  '_',
  '__',
  '~~',
  '`',
  '``',
  '[',
  ']',
  '](',
  '![',
  ')',
  '(',
  '<',
  '>',
  '</b>',
  '<b>',
]
const addresses = [
  'https://a.example/b_c',
  'www.a.example',
  '<https://b.example>',
  '[x](/u "t")',
  '[r]',
  '[^1]',
  'm@a.example',
]
const oddities = [
  '&amp;',
  '&',
  '\\',
  '\\*',
  '「',
  '」',
  '。',
  '|',
  ' ',
  '  ',
  '\t',
  '#',
  '1.',
  '-',
  '=',
  '5*3',
  'é',
  '👨‍👩‍👧',
]
const starts = [
  '',
  '# ',
  '## ',
  '- ',
  '  - ',
  '* ',
  '1. ',
  '2) ',
  '   ',
  '    ',
  '> ',
  '>> ',
  '```',
  '```js',
  '~~~',
  '---',
  '===',
  '| ',
  '|--|--|',
  '- [ ] ',
  '[r]: ',
  '[^1]: ',
  '<div>',
  '<!-- ',
  '***',
]

const line: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...starts),
    fc.array(fc.constantFrom(...words, ...addresses, ...oddities), { maxLength: 8 }),
  )
  .map(([start, rest]) => start + rest.join(''))

/** Random documents of the pieces that Markdown is made of. */
export const anyDocument: fc.Arbitrary<string> = fc
  .tuple(fc.array(line, { maxLength: 10 }), fc.constantFrom('\n', '\n\n', '\r\n'), fc.boolean())
  .map(([lines, between, ends]) => lines.join(between) + (ends ? between : ''))

/** Whether the whole of a campaign runs, and not only its seeded sample. */
export const isFull: boolean = process.env['FULL'] === '1'
