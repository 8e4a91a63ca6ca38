'use client'
import { createElement, Fragment, type ReactNode } from 'react'
import type { Inline, InlineNode } from '../../markdown/block.ts'
import { plainTextOf } from '../../markdown/plain-text.ts'
import { assertNever } from '../../protocol/assert.ts'
import { MarkdownImage } from './image.tsx'
import { MarkdownLink } from './link.tsx'
import type { View } from './view.ts'

/**
 * Inline content as children of an element, to be spread into it: without keys and components of their own, which a
 * long text would pay for at each word. A single text comes alone, so that React writes it straight into its element.
 */
export function inlineChildren(
  nodes: readonly Inline[],
  view: View,
  isInLink = false,
): readonly ReactNode[] {
  const children: ReactNode[] = []
  for (const node of nodes) {
    const child = typeof node === 'string' ? node : madeElement(node, view, isInLink)
    const before = children.at(-1)
    // Raw HTML shown as text, or a label that is no link: one text node with what is beside it.
    if (typeof child === 'string' && typeof before === 'string')
      children[children.length - 1] = before + child
    else children.push(child)
  }
  return children
}

/** A node that has not changed gives the element that it gave before, which React then leaves alone. */
function madeElement(node: InlineNode, view: View, isInLink: boolean): ReactNode {
  const before = view.made.get(node)
  if (before !== undefined) return before
  const made = inlineElement(node, view, isInLink)
  view.made.set(node, made)
  return made
}

function inlineElement(node: InlineNode, view: View, isInLink: boolean): ReactNode {
  const { components, renderers } = view
  const within = (children: readonly Inline[]): readonly ReactNode[] =>
    inlineChildren(children, view, isInLink)
  switch (node.kind) {
    case 'emphasis':
      return createElement(components.em ?? 'em', null, ...within(node.children))
    case 'strong':
      return createElement(components.strong ?? 'strong', null, ...within(node.children))
    case 'strike':
      return createElement(components.del ?? 'del', null, ...within(node.children))
    case 'code':
      // A direction of its own keeps code from deciding that of its paragraph.
      return createElement(components.code ?? 'code', { dir: 'ltr' }, node.text)
    case 'break':
      return <br />
    case 'isolate':
      return <bdi>{node.text}</bdi>
    case 'html':
      return node.text
    case 'image':
      return <MarkdownImage src={node.src} alt={node.alt} title={node.title} isInLink={isInLink} />
    case 'link': {
      const children = inlineChildren(node.children, view, true)
      // One link in another is no valid document; the outer one stays.
      if (isInLink) return createElement(Fragment, null, ...children)
      return createElement(
        MarkdownLink,
        { href: node.href, title: node.title, text: plainTextOf(node.children) },
        ...children,
      )
    }
    case 'footnote': {
      const id = `${view.idPrefix}-note-${node.number}`
      return (
        <sup className="sluice-md-footnote">
          <a href={`#${id}`} id={`${id}-reference`}>
            {node.number}
          </a>
        </sup>
      )
    }
    case 'custom': {
      const Renderer = renderers.inlines[node.name]
      if (Renderer !== undefined) return <Renderer node={node} />
      return node.children.length > 0
        ? createElement(Fragment, null, ...within(node.children))
        : node.text
    }
    default:
      return assertNever(node)
  }
}
