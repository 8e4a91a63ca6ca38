'use client'
import { useEffect, useState } from 'react'

const second = 1000

/** Counts a wait down, in whole seconds, from when it was first seen. 0 without a wait. */
export function useCountdown(milliseconds: number | undefined): number {
  const total = milliseconds ?? 0
  const [counted, setCounted] = useState({ total, left: total })
  if (counted.total !== total) setCounted({ total, left: total })

  useEffect(() => {
    if (total === 0) return undefined
    const end = Date.now() + total
    const timer = setInterval(() => {
      const left = Math.max(0, end - Date.now())
      setCounted({ total, left })
      if (left === 0) clearInterval(timer)
    }, second)
    return () => clearInterval(timer)
  }, [total])

  return counted.left
}
