/** What the page tells of itself. Each call returns a function that stops the telling. */
export interface Lifecycle {
  isOnline(): boolean
  isHidden(): boolean
  /**
   * The page may have missed something: it became visible, came back from the cache, went online. `frozen`: it was
   * frozen, after which a `fetch` reader never delivers again and gives no error.
   */
  onReturn(run: (how: 'visible' | 'online' | 'frozen') => void): () => void
}

/** The lifecycle of the page that this runs in; always online and visible where there is none. */
export function pageLifecycle(): Lifecycle {
  if (typeof document === 'undefined') {
    return { isOnline: () => true, isHidden: () => false, onReturn: () => () => {} }
  }
  return {
    isOnline: () => navigator.onLine,
    isHidden: () => document.visibilityState === 'hidden',
    onReturn(run) {
      const off = new AbortController()
      const { signal } = off
      const onVisible = (): void => {
        if (document.visibilityState === 'visible') run('visible')
      }
      document.addEventListener('visibilitychange', onVisible, { signal })
      document.addEventListener('resume', () => run('frozen'), { signal })
      window.addEventListener('pageshow', (event) => event.persisted && run('frozen'), { signal })
      window.addEventListener('online', () => run('online'), { signal })
      return () => off.abort()
    },
  }
}
