import { guarded } from '../generation/guarded.ts'
import type { StreamObserver } from '../generation/stream-types.ts'

/** Hands on to whoever looks at the time, so that one may come and go while a stream runs. */
export function relay(observers: ReadonlySet<StreamObserver>): StreamObserver {
  const each = (tell: (observer: StreamObserver) => void): void => {
    for (const observer of observers) guarded(() => tell(observer))
  }
  return {
    event: (...what) => each((observer) => observer.event?.(...what)),
    fact: (...what) => each((observer) => observer.fact?.(...what)),
    frame: (...what) => each((observer) => observer.frame?.(...what)),
    bytes: (...what) => each((observer) => observer.bytes?.(...what)),
    pressure: (...what) => each((observer) => observer.pressure?.(...what)),
  }
}
