import { createMarkdownStream, type Block } from 'sluice/markdown'
import { describe, expect, test } from 'vitest'
import type { Inline } from '../../src/markdown/block.ts'
import { mathSyntax } from '../../src/math/syntax.ts'

const syntaxes = [mathSyntax]

function read(pieces: readonly string[]): readonly Block[] {
  const stream = createMarkdownStream({ syntaxes })
  for (const piece of pieces) stream.push(piece)
  stream.end()
  return stream.blocks
}

/** The formulas in a text, as `mark source`. */
function formulas(text: string): string[] {
  const found: string[] = []
  const look = (nodes: readonly (Block | Inline)[]): void => {
    for (const node of nodes) {
      if (typeof node === 'string') continue
      if (node.kind === 'custom') found.push(`${node.info} ${node.text}`)
      if ('children' in node) look(node.children)
      if ('blocks' in node) look(node.blocks)
      if (node.kind === 'list') look(node.items.flat().flatMap(({ blocks }) => blocks))
      if (node.kind === 'table') look([node.head, ...node.rows.flat()].flat(2))
    }
  }
  look(read([text]))
  return found
}

const texts: Readonly<Record<string, readonly [text: string, ...formulas: string[]]>> = {
  inline: ['Take $x^2$ and $a_1 + *b*$, then.', '$ x^2', '$ a_1 + *b*'],
  brackets: ['Take \\(x\\) or \\[y = 1\\] here.', '\\( x', '\\[ y = 1'],
  'double dollars in a line': ['So $$x$$ it is.', '$$ x'],
  'a block': ['Then\n\n$$\nx = \\frac{1}{2}\n+ y\n$$\n\nand.', '$$ x = \\frac{1}{2}\n+ y'],
  'a block in one line': ['$$ x $$\n\n\\[ y \\]', '$$ x', '\\[ y'],
  'a block after a paragraph': ['So\n$$\nx\n$$\nand.', '$$ x'],
  'a block without an end': ['$$\nx\n\nnext', '$$ x'],
  'in a list': ['- one\n\n  $$\n  x\n  $$\n- $y$', '$$ x', '$ y'],
  'in a quote': ['> \\[\n> x\n> \\]\n> so', '\\[ x'],
  'in a table': ['| a |\n| - |\n| $x_1$ |', '$ x_1'],
  'in emphasis': ['**so $a*b$ is**', '$ a*b'],
  'a number': ['$5$ and $2x$ and $10^{-3}$', '$ 5', '$ 2x', '$ 10^{-3}'],
  'text in it': ['$5 \\text{ or so}$', '$ 5 \\text{ or so}'],
  money: ['It costs $5 and $10, or $5-$10, US$5, CA$7, ($6) and 10$ or $5 to 10$ more.'],
  shell: ['Set $HOME and $PATH, a$b$c, $ x $, and \\$x\\$.'],
  code: ['`$x$` and\n\n```\n$$\nx\n$$\n```'],
  Japanese: ['面積は$x^2$です。', '$ x^2'],
  'other escapes': ['\\\\(x\\\\) and \\*no\\* \\[a](b)'],
}

describe('formulas', () => {
  test.each(Object.entries(texts))('%s', (_name, [text, ...expected]) => {
    expect(formulas(text)).toEqual(expected)
  })

  test.each(Object.entries(texts))('%s: cut anywhere, it is the same', (_name, [text]) => {
    const whole = read([text])
    expect(read([...text])).toEqual(whole)
    for (let at = 0; at <= text.length; at++)
      expect(read([text.slice(0, at), text.slice(at)]), `cut at ${at}`).toEqual(whole)
  })

  test.each(Object.entries(texts))('%s: what is settled stays', (_name, [text]) => {
    const whole = read([text])
    const stream = createMarkdownStream({ syntaxes })
    for (const character of text) {
      stream.push(character)
      const { settled } = stream
      expect(stream.blocks.slice(0, settled), stream.text).toEqual(whole.slice(0, settled))
    }
  })
})

describe('an unfinished formula', () => {
  const shown = (text: string): readonly Block[] => {
    const stream = createMarkdownStream({ syntaxes })
    stream.push(text)
    return stream.blocks
  }

  test('is no emphasis, and no link', () => {
    for (const text of ['Take $a_1 * b_2 *', 'Take \\(a *b* [c](d', 'Take $$a *b*']) {
      const [block] = shown(text)
      const kinds = block?.kind === 'paragraph' ? block.children.slice(1) : []
      expect(kinds, text).toMatchObject([{ kind: 'custom', name: 'math_inline' }])
    }
  })

  test('that may be money is text like any other', () => {
    expect(shown('It costs $5 and *more*')).toEqual(createOneShot('It costs $5 and *more*'))
    expect(shown('Set $HOME to **x** and')).toEqual(createOneShot('Set $HOME to **x** and'))
  })

  function createOneShot(text: string): readonly Block[] {
    return read([text])
  }

  test('is text when the answer was stopped', () => {
    const stream = createMarkdownStream({ syntaxes })
    stream.push('Take $a_1 + b')
    stream.end({ complete: false })
    expect(stream.blocks).toEqual([{ kind: 'paragraph', children: ['Take $a_1 + b'] }])
  })
})
