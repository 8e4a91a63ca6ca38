'use client'
// What is copied of an answer, read from what is seen of it: the elements that `<Markdown>` draws, or a range of them.

/** Controls, and what only repeats what is beside it. */
const skipped =
  'button, input:not([type=checkbox]), script, style, [aria-hidden=true], .sluice-md-code-head, .sluice-md-buttons, .sluice-md-question, .sluice-md-host, .sluice-md-footnotes a[href^="#"]'
const blocks =
  'p, h1, h2, h3, h4, h5, h6, pre, ul, ol, li, blockquote, hr, table, div, section, details, figure, dl'

/** The part of a text that is in a range. */
function textIn(node: Text, range: Range | undefined): string {
  if (range === undefined) return node.data
  const from = node === range.startContainer ? range.startOffset : 0
  const to = node === range.endContainer ? range.endOffset : node.length
  return node.data.slice(from, to)
}

/** The children of an element that are seen and in the range. */
function childrenOf(parent: Node, range: Range | undefined): Node[] {
  return [...parent.childNodes].filter(
    (node) =>
      (range?.intersectsNode(node) ?? true) && !(node instanceof Element && node.matches(skipped)),
  )
}

const isBlock = (node: Node): node is Element => node instanceof Element && node.matches(blocks)

/** The source of a formula, where there is one. */
const sourceOf = (node: Element): string | undefined =>
  node.getAttribute('data-source') ?? undefined

/** As Markdown. */
export function toMarkdown(root: Node, range?: Range): string {
  const inline = (parent: Node): string =>
    childrenOf(parent, range)
      .map((node) => (node instanceof Text ? escaped(textIn(node, range)) : inlineElement(node)))
      .join('')

  const inlineElement = (node: Node): string => {
    if (!(node instanceof Element)) return ''
    const source = sourceOf(node)
    if (source !== undefined) return source
    const within = inline(node)
    switch (node.localName) {
      case 'strong':
      case 'b':
        return around('**', within)
      case 'em':
      case 'i':
        return around('*', within)
      case 'del':
      case 's':
        return around('~~', within)
      case 'code':
        return codeSpan(plain(node))
      case 'br':
        return '\\\n'
      case 'input':
        return ''
      case 'img':
        return `![${node.getAttribute('alt') ?? ''}](${target(node, 'src')})`
      case 'a': {
        const href = node.getAttribute('href') ?? ''
        if (within === '') return ''
        return plain(node) === href ? `<${href}>` : `[${within}](${target(node, 'href')})`
      }
      case 'sup':
        return node.className === 'sluice-md-footnote' ? `[^${plain(node)}]` : within
      default:
        return within
    }
  }

  const plain = (node: Node): string =>
    childrenOf(node, range)
      .map((child) => (child instanceof Text ? textIn(child, range) : plain(child)))
      .join('')

  /** Blocks, one after the other; what is between them is a paragraph. */
  const flow = (parent: Node, gap = '\n\n'): string => {
    const pieces: string[] = []
    let loose = ''
    const flush = (): void => {
      if (loose.trim() !== '') pieces.push(loose.trim())
      loose = ''
    }
    for (const node of childrenOf(parent, range)) {
      if (isBlock(node)) {
        flush()
        const text = block(node)
        if (text !== '') pieces.push(text)
      } else loose += node instanceof Text ? escaped(textIn(node, range)) : inlineElement(node)
    }
    flush()
    return pieces.join(gap)
  }

  const block = (node: Element): string => {
    const source = sourceOf(node)
    if (source !== undefined) return source
    switch (node.localName) {
      case 'p':
        return atLineStart(inline(node).trim())
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
      case 'h5':
      case 'h6': {
        const level = /sluice-md-h(\d)/.exec(node.className)?.[1] ?? node.localName.slice(1)
        return `${'#'.repeat(Number(level))} ${inline(node).trim()}`
      }
      case 'hr':
        return '---'
      case 'pre':
        return fenced(plain(node), languageOf(node))
      case 'blockquote':
        return indented(flow(node), '> ', '> ')
      case 'ul':
      case 'ol':
        return list(node)
      case 'table':
        return table(
          rowsOf(node, (cell) => inline(cell).replaceAll('|', '\\|')),
          node,
        )
      case 'section':
        return node.className === 'sluice-md-footnotes' ? notes(node) : flow(node)
      default:
        return flow(node)
    }
  }

  const list = (node: Element): string => {
    const gap = node.className === 'sluice-md-loose' ? '\n\n' : '\n'
    const first = node.localName === 'ol' ? Number(node.getAttribute('start') ?? 1) : undefined
    const all = [...node.children]
    // With the same mark it would be one list with the one before it.
    const [bullet, dot] = isSecond(node) ? ['*', ')'] : ['-', '.']
    return childrenOf(node, range)
      .filter((item) => item instanceof Element)
      .map((item) => {
        const mark = first === undefined ? `${bullet} ` : `${first + all.indexOf(item)}${dot} `
        const box = item.querySelector(':scope > input[type=checkbox]')
        const task = box === null ? '' : box.matches(':checked') ? '[x] ' : '[ ] '
        return indented(task + flow(item, gap), mark, ' '.repeat(mark.length))
      })
      .join(gap)
  }

  const notes = (node: Element): string =>
    [...node.querySelectorAll('li')]
      .filter((item) => range?.intersectsNode(item) ?? true)
      .map((item) => {
        const number = item.id.slice(item.id.lastIndexOf('-') + 1)
        return indented(flow(item), `[^${number}]: `, '    ')
      })
      .join('\n')

  const rowsOf = (node: Element, read: (cell: Element) => string): string[][] =>
    [...node.querySelectorAll('tr')]
      .filter((row) => range?.intersectsNode(row) ?? true)
      .map((row) => [...row.children].map((cell) => read(cell).trim()))

  const table = ([head = [], ...rows]: readonly string[][], node: Element): string => {
    const sides = [...(node.querySelector('tr')?.children ?? [])].map((cell) =>
      cell.matches('.sluice-md-left')
        ? ':--'
        : cell.matches('.sluice-md-right')
          ? '--:'
          : cell.matches('.sluice-md-center')
            ? ':-:'
            : '---',
    )
    return [head, sides, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  }

  const top = topOf(root)
  return isWhole(top) ? block(top) : flow(top)
}

/** Rows without their table would be nothing. */
const topOf = (root: Node): Node =>
  root instanceof Element && root.matches('tr, thead, tbody')
    ? (root.closest('table') ?? root)
    : root

/** Whether a part of it is still one of its kind: some items are a list, some words no paragraph. */
const isWhole = (root: Node): root is Element =>
  root instanceof Element && root.matches('ul, ol, table, blockquote, pre')

const kept = new Set(
  'p h1 h2 h3 h4 h5 h6 strong em b i del s blockquote ul ol li pre code table thead tbody tr th td a br hr sub sup'.split(
    ' ',
  ),
)

/** As HTML of plain elements, without a style, a class or a script: text, links that are links here, and images shown. */
export function toHtml(root: Node, range?: Range): string {
  const print = (node: Node): string => {
    if (node instanceof Text) return escapeHtml(textIn(node, range))
    if (!(node instanceof Element)) return ''
    const source = sourceOf(node)
    if (source !== undefined) return escapeHtml(source)
    if (node instanceof HTMLInputElement) return node.checked ? '☑ ' : '☐ '
    const name = /sluice-md-h\d/.test(node.className) ? node.className.slice(-2) : node.localName
    if (name === 'img') return `<img${attributes(node, ['src', 'alt'])}>`
    const within = childrenOf(node, range).map(print).join('')
    if (!kept.has(name)) return within
    const href = node.getAttribute('href') ?? ''
    if (name === 'br' || name === 'hr') return `<${name}>`
    if (name === 'a' && (href === '' || href.startsWith('#'))) return within
    return `<${name}${attributes(node, ['href', 'start'])}>${within}</${name}>`
  }
  const top = topOf(root)
  return isWhole(top) ? print(top) : childrenOf(top, range).map(print).join('')
}

function attributes(node: Element, names: readonly string[]): string {
  return names
    .filter((name) => node.hasAttribute(name))
    .map((name) => ` ${name}="${escapeHtml(node.getAttribute(name) ?? '')}"`)
    .join('')
}

const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** Characters that would be marks, before what makes them so. A lone `*` or `_` stays as it is. */
function escaped(text: string): string {
  return text
    .replaceAll(/\\(?=[!-/:-@[-`{-~])/g, '\\\\')
    .replaceAll(/[*_`~](?=(\S|.*[*_`~]))/g, (mark, _rest, at: number) =>
      mark === '_' && /\w/.test(text.charAt(at - 1)) && /\w/.test(text.charAt(at + 1))
        ? mark
        : `\\${mark}`,
    )
    .replaceAll(/\[(?=.*\])/g, '\\[')
    .replaceAll(/<(?=[a-z/!?])/gi, '\\<')
    .replaceAll(/&(?=#?\w+;)/g, '\\&')
    .replaceAll('\n', ' ')
}

/** A paragraph whose beginning would make it something else. */
const atLineStart = (text: string): string =>
  text.replace(/^(?=#{1,6}\s|>|[-+*]\s|[-=]+$|~~~|\|)/, '\\').replace(/^(\d+)(?=[.)]\s)/, '$1\\')

const around = (mark: string, text: string): string => {
  const [, before = '', inside = '', after = ''] = /^(\s*)([^]*?)(\s*)$/.exec(text) ?? []
  return inside === '' ? text : `${before}${mark}${inside}${mark}${after}`
}

function codeSpan(text: string): string {
  const ticks = longest(text, /`+/g, 0)
  const mark = '`'.repeat(ticks + 1)
  return ticks === 0 ? mark + text + mark : `${mark} ${text} ${mark}`
}

function fenced(text: string, language: string): string {
  const mark = '`'.repeat(longest(text, /`+/g, 2) + 1)
  return `${mark}${language}\n${text.replace(/\n$/, '')}\n${mark}`
}

const longest = (text: string, runs: RegExp, least: number): number =>
  Math.max(least, ...[...text.matchAll(runs)].map(([run]) => run.length))

/** Whether a list follows a list of its kind, which follows none, and so on. */
function isSecond(list: Element): boolean {
  const before = list.previousElementSibling
  return before?.localName === list.localName && !isSecond(before)
}

const languageOf = (pre: Element): string =>
  /language-(\S+)/.exec(pre.querySelector('code')?.className ?? '')?.[1] ?? ''

function indented(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, index) => ((index === 0 ? first : others) + line).trimEnd())
    .join('\n')
}

function target(node: Element, name: 'href' | 'src'): string {
  const address = node.getAttribute(name) ?? ''
  const title = node.getAttribute('title')
  const safe = /[\s()<>]/.test(address) ? `<${address.replaceAll(/[<>]/g, '')}>` : address
  return title === null ? safe : `${safe} "${title.replaceAll('"', '\\"')}"`
}
