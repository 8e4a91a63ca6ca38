import type { Conclusion } from '../protocol/end.ts'
import type { StreamEvent } from '../protocol/events.ts'
import type { ChatMessage } from '../protocol/message.ts'
import type { StopOutcome, StreamState, ToolAnswer } from '../protocol/transport.ts'

/** What only this client knows. Facts change the message, but are no events of the stream. */
export type Fact =
  /** A request was sent. `onto`: the message that its parts are appended to. */
  | {
      readonly type: 'sent'
      readonly requestId: string
      readonly messageId: string
      readonly onto?: ChatMessage | undefined
    }
  /** The connection delivers bytes. */
  | { readonly type: 'opened' }
  /** Nothing but heartbeats has come for a while. */
  | { readonly type: 'stalled' }
  /** An event has been missing for too long, though later ones are here. */
  | { readonly type: 'missed' }
  /** The connection ended without a terminal event; it is opened anew. */
  | { readonly type: 'lost' }
  /** What the server says of a stream to which no connection could be made again. */
  | { readonly type: 'told'; readonly known: StreamState }
  /** Everything was replayed from the start. Put aside and swapped in at once. */
  | { readonly type: 'resynced'; readonly events: readonly StreamEvent[] }
  /** The person pressed Stop. */
  | { readonly type: 'stopped' }
  /** What became of a stopped stream; `tail`: what the model had said after all. */
  | {
      readonly type: 'stop_answered'
      readonly outcome: StopOutcome
      readonly tail?: readonly StreamEvent[] | undefined
    }
  /** The client gave up, or the request failed. */
  | { readonly type: 'concluded'; readonly conclusion: Conclusion }
  /** The application looked at the whole answer; `problem`: why it refuses it. */
  | { readonly type: 'validated'; readonly problem?: string | undefined }
  /** A person decided, or a tool that runs here returned. */
  | { readonly type: 'answered'; readonly answer: ToolAnswer }
