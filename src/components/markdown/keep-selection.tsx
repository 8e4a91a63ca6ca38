'use client'
import { Component, createRef, type ReactNode } from 'react'

type Place = readonly [node: Node, offset: number]

/** The ends of a selection: characters from the start of the text, or `undefined` for one that lies outside of it. */
interface Kept {
  readonly anchor: number | undefined
  readonly focus: number | undefined
}

interface KeepSelectionProps {
  readonly children: ReactNode
}

/**
 * An element around text that only grows. It keeps what is selected selected while the text nodes under it are written anew: when a line grows, or gets its colours.
 * A class, since React asks nothing else right before it changes the DOM.
 */
export class KeepSelection extends Component<KeepSelectionProps> {
  readonly #host = createRef<HTMLSpanElement>()

  override getSnapshotBeforeUpdate(): Kept | null {
    return this.#host.current === null ? null : selectionIn(this.#host.current)
  }

  override componentDidUpdate(_props: unknown, _state: unknown, before: Kept | null): void {
    const host = this.#host.current
    const selection = getSelection()
    if (before === null || host === null || selection === null) return
    const now = selectionIn(host)
    if (now?.anchor === before.anchor && now?.focus === before.focus) return
    const { anchorNode, anchorOffset, focusNode, focusOffset } = selection
    const anchor = placeOf(host, before.anchor) ?? [anchorNode, anchorOffset]
    const focus = placeOf(host, before.focus) ?? [focusNode, focusOffset]
    if (anchor[0] !== null && focus[0] !== null)
      selection.setBaseAndExtent(anchor[0], anchor[1], focus[0], focus[1])
  }

  override render(): ReactNode {
    return (
      <span className="sluice-md-lines" ref={this.#host}>
        {this.props.children}
      </span>
    )
  }
}

function selectionIn(host: Element): Kept | null {
  const selection = getSelection()
  if (selection === null || selection.isCollapsed) return null
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection
  const anchor = offsetIn(host, anchorNode, anchorOffset)
  const focus = offsetIn(host, focusNode, focusOffset)
  return anchor === undefined && focus === undefined ? null : { anchor, focus }
}

/** How many characters of the text come before a place in it. */
function offsetIn(host: Element, node: Node | null, offset: number): number | undefined {
  if (node === null || !host.contains(node)) return undefined
  const before = document.createRange()
  before.selectNodeContents(host)
  before.setEnd(node, offset)
  return before.toString().length
}

function placeOf(host: Element, offset: number | undefined): Place | undefined {
  if (offset === undefined) return undefined
  const texts = document.createTreeWalker(host, NodeFilter.SHOW_TEXT)
  let left = offset
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const length = node.nodeValue?.length ?? 0
    if (left <= length) return [node, left]
    left -= length
  }
  return undefined
}
