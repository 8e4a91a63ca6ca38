'use client'

/** What is put on the clipboard: each may still be on its way. */
export interface Clipping {
  readonly text: Promise<string>
  /** The same as HTML that is safe to put anywhere. */
  readonly html?: Promise<string> | undefined
}

/** Writes to the clipboard, as text and, where the browser can, as rich text beside it. */
export async function writeClipboard({ text, html }: Clipping): Promise<void> {
  // Asked for at once: what is waited for first would no longer be what the person has just done.
  if (typeof ClipboardItem === 'undefined' || html === undefined)
    return navigator.clipboard.writeText(await text)
  const blob = async (type: string, content: Promise<string>): Promise<Blob> =>
    new Blob([await content], { type })
  await navigator.clipboard.write([
    new ClipboardItem({
      'text/plain': blob('text/plain', text),
      'text/html': blob('text/html', html),
    }),
  ])
}
