'use client'
import { useInsertionEffect, useState } from 'react'

/**
 * An object with the fields of `options` that always reads the newest ones: for stores that are created once and call
 * callbacks later. Fields that are absent at first may come later.
 */
export function useLatest<Options extends object>(options: Options): Options {
  const [box] = useState(() => {
    const held = { current: options }
    // An empty target: a proxy must not contradict the fields of a frozen one.
    const proxy = new Proxy<Options>({} as Options, {
      get: (_, name) => Reflect.get(held.current, name),
      has: (_, name) => Reflect.has(held.current, name),
    })
    return { held, proxy }
  })
  useInsertionEffect(() => {
    // eslint-disable-next-line react/immutability -- a box for the store, written after the render and never read in one
    box.held.current = options
  })
  return box.proxy
}
