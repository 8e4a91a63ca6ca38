'use client'

/** Gives the focus to what stays, before a control goes away with what it was pressed for. */
export function keepFocus(control: Element): void {
  const stays = control.closest<HTMLElement>('.sluice-viewport') ?? control.closest('article')
  stays?.focus({ preventScroll: true })
}
