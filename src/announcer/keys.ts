const TEXT_FIELD =
  'textarea, [contenteditable]:not([contenteditable="false"]), input:not([type=button], [type=checkbox], [type=color], [type=file], [type=image], [type=radio], [type=range], [type=reset], [type=submit])'
const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'Meta', 'CapsLock'])

/** What the announcer wants to know of the keyboard. */
export interface KeyListeners {
  /** Ends the watch. */
  readonly signal: AbortSignal
  /** A key was pressed: screen readers fall silent then. */
  onKey(): void
  /** Somebody writes in a text field. */
  onTyping(): void
  onEscape(): void
}

/** Watches the keyboard of a page. Prevents nothing. */
export function watchKeys(document: Document, listeners: KeyListeners): void {
  const onKeyDown = (event: KeyboardEvent): void => {
    // An input method's own Enter and Escape: 229 is how Safari reports them.
    const composing = event.isComposing || event.keyCode === 229
    if (MODIFIERS.has(event.key)) return
    listeners.onKey()
    if (isTextField(event.target)) listeners.onTyping()
    if (event.key === 'Escape' && !composing) listeners.onEscape()
  }
  const options = { capture: true, signal: listeners.signal }
  document.addEventListener('keydown', onKeyDown, options)
  document.addEventListener('compositionupdate', () => listeners.onTyping(), options)
}

function isTextField(target: EventTarget | null): boolean {
  return target !== null && 'closest' in target && (target as Element).closest(TEXT_FIELD) !== null
}
