'use client'
import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactElement } from 'react'
import { useMergedRef } from './merged-ref.ts'
import { renderPart, type PartProps } from './part.ts'

const buttonsOf = (toolbar: HTMLElement): HTMLElement[] => [
  ...toolbar.querySelectorAll<HTMLElement>('button, a[href]'),
]

/** Where an arrow key leads from `from`; `undefined` for other keys. */
function targetOf(key: string, from: number, count: number, isRtl: boolean): number | undefined {
  const forward = isRtl ? 'ArrowLeft' : 'ArrowRight'
  const backward = isRtl ? 'ArrowRight' : 'ArrowLeft'
  if (key === forward) return (from + 1) % count
  if (key === backward) return (from - 1 + count) % count
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return undefined
}

/** A row of controls with one stop for the Tab key; arrow keys move inside it. */
export function Toolbar({ ref: given, ...props }: PartProps<'div'>): ReactElement {
  const own = useRef<HTMLDivElement>(null)
  const ref = useMergedRef(own, given)
  const [current, setCurrent] = useState(0)

  // After every render: which controls there are is the caller's to say.
  useLayoutEffect(() => {
    if (own.current === null) return
    for (const [index, button] of buttonsOf(own.current).entries())
      button.tabIndex = index === current ? 0 : -1
  })

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const buttons = buttonsOf(event.currentTarget)
    const from = buttons.findIndex((button) => button.contains(document.activeElement))
    if (from === -1) return
    const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const to = targetOf(event.key, from, buttons.length, isRtl)
    if (to === undefined) return
    event.preventDefault()
    setCurrent(to)
    buttons[to]?.focus()
  }

  return renderPart(
    'div',
    props,
    { ref, role: 'toolbar', className: 'sluice-toolbar', onKeyDown },
    {},
  )
}
