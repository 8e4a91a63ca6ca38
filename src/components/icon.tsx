'use client'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** An icon beside words or in a named button: decoration, sized and drawn by the stylesheet. */
export function Icon({ of: Shape }: { readonly of: LucideIcon }): ReactNode {
  return <Shape className="sluice-icon" aria-hidden focusable={false} />
}
