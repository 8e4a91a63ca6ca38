import type { StreamEvent } from '../protocol/events.ts'
import { isToolPart, type ChatMessage } from '../protocol/message.ts'
import { guarded } from './guarded.ts'
import type { Run } from './run.ts'
import { statusOf } from './status.ts'
import type { ModelStreamOptions } from './stream-types.ts'

/** Tells the application what happens. What a callback throws is reported, and the stream goes on. */
export interface Callbacks {
  /** An event was applied for the first time. */
  event(event: StreamEvent): void
  /** A stream is over. */
  over(run: Run, message: ChatMessage): void
}

/** Calls the newest of the callbacks in `options`, which are read at each use. */
export function createCallbacks(options: ModelStreamOptions): Callbacks {
  return {
    event(event) {
      if (event.type === 'data') guarded(() => options.onData?.(event))
    },
    over({ request, state }, message) {
      const { error } = statusOf(state, message)
      const isCut = message.status.type === 'incomplete' && message.status.reason === 'interrupted'
      if (error !== undefined) guarded(() => options.onError?.(error))
      if (message.status.type === 'complete') guarded(() => options.onComplete?.(message))
      guarded(() =>
        options.onFinish?.({
          message,
          messages: [...request.messages, message],
          finishReason: message.finishReason,
          isAbort: state.conclusion?.type === 'stopped' || state.fold.end?.type === 'cancelled',
          isDisconnect: isCut || error?.code === 'network',
          isError: error !== undefined,
        }),
      )
      // Not before the end: until then a call may be refused, withdrawn, or part of an answer that fails.
      if (message.status.type === 'incomplete') return
      for (const part of message.parts) {
        if (!isToolPart(part) || part.runs !== 'client' || part.state !== 'input-available')
          continue
        guarded(() => options.onToolCall?.(part))
      }
    },
  }
}
