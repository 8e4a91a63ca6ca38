import { vi } from 'vitest'

/** What jsdom has not and every browser has; enough of it for parts that lay nothing out. */
export function standInForBrowser({ touch = false }: { readonly touch?: boolean } = {}): void {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('reduced-motion') || (touch && query.includes('coarse')),
  }))
  vi.stubGlobal('CSS', { supports: () => true })
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    },
  )
}
