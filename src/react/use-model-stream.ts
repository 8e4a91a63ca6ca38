'use client'
import { useState, useSyncExternalStore } from 'react'
import { createModelStream } from '../generation/model-stream.ts'
import type { StreamSnapshot } from '../generation/snapshot.ts'
import type { ModelStream, ModelStreamOptions } from '../generation/stream-types.ts'
import { useLatest } from './use-latest.ts'

/** What {@link useModelStream} gives: the snapshot, and what can be done. The functions keep their identity. */
export type UseModelStream = StreamSnapshot &
  Pick<ModelStream, 'start' | 'stop' | 'resume' | 'retry'>

/**
 * Draws one answer while it streams. Renders at most once per animation frame.
 *
 * Given options, the component owns the stream: it is created once, callbacks and `validate` are the newest ones at each
 * use, `transport` is taken at the next send. Given a stream, the stream is the caller's. Neither unmounting nor StrictMode
 * stops or repeats a request: the store owns it, no effect does.
 *
 * @example
 * ```tsx
 * const { text, status, start, stop } = useModelStream({ transport: httpTransport({ url: '/api/chat' }) })
 * ```
 */
export function useModelStream(source: ModelStream | ModelStreamOptions): UseModelStream {
  const given = 'getSnapshot' in source ? source : undefined
  const options = useLatest<ModelStreamOptions | ModelStream>(source)
  const [own] = useState(() => given ?? createModelStream(options as ModelStreamOptions))
  const stream = given ?? own
  const snapshot = useSyncExternalStore(
    stream.subscribe,
    stream.getSnapshot,
    stream.getServerSnapshot,
  )
  const { start, stop, resume, retry } = stream
  return { ...snapshot, start, stop, resume, retry }
}
