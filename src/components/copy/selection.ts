'use client'
import type { ClipboardEvent } from 'react'
import { writeClipboard } from './clipboard.ts'
import type * as WhatIsSeen from './what-is-seen.ts'

let loaded: typeof WhatIsSeen | undefined

/** Loads what `copySelection` needs: it has to answer at once when the time comes. */
export async function prepareCopy(): Promise<typeof WhatIsSeen> {
  loaded ??= await import('./what-is-seen.ts')
  return loaded
}

/** Copies what is selected in an answer as Markdown and as rich text; what is selected in code as the code it is. */
export function copySelection(event: ClipboardEvent): void {
  const selection = getSelection()
  if (selection === null || selection.rangeCount !== 1 || selection.isCollapsed) return
  const range = selection.getRangeAt(0)
  const { commonAncestorContainer: place } = range
  if (event.defaultPrevented || !event.currentTarget.contains(place)) return
  const root = place instanceof Element ? place : place.parentElement
  if (root === null || root.closest('pre, input, textarea') !== null) return
  if (loaded !== undefined) {
    event.preventDefault()
    event.clipboardData.setData('text/plain', loaded.toMarkdown(root, range))
    event.clipboardData.setData('text/html', loaded.toHtml(root, range))
  } else if (typeof ClipboardItem !== 'undefined') {
    event.preventDefault()
    const seen = prepareCopy()
    writeClipboard({
      text: seen.then(({ toMarkdown }) => toMarkdown(root, range)),
      html: seen.then(({ toHtml }) => toHtml(root, range)),
    }).catch((error: unknown) => reportError(error))
  }
}
