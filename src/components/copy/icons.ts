'use client'
import { Check, Copy, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { CopyState } from './use-copy.ts'

/** What stands in a button that copies, by its state. */
export const copyIcons: Readonly<Record<CopyState, LucideIcon>> = {
  idle: Copy,
  copied: Check,
  failed: TriangleAlert,
}
