'use client'
import { createContext, use, useState, type Context, type ReactNode } from 'react'
import type {
  ChatMessage,
  DynamicToolPart,
  FilePart,
  MessagePart,
  NamedToolPart,
  ReasoningPart,
  RefusalPart,
  SourceDocumentPart,
  SourceUrlPart,
  TextPart,
} from '../protocol/message.ts'
import type { MarkdownExtension } from './markdown/view.ts'

/** Where a part stands. */
export interface PartPlace {
  readonly message: ChatMessage
  readonly index: number
}

/** Draws one part. Called by our parts as a function, so that what it draws keeps its DOM from flush to flush. */
export type PartRenderer<Part> = (part: Part, place: PartPlace) => ReactNode

/**
 * Functions that draw parts in place of ours. `tool-<name>` and `data-<name>` win over `tool` and `data`;
 * `fallback` draws what nothing else does. Keep them outside of the component, or memoise them: a new function
 * draws every message anew.
 */
export type PartRenderers = {
  readonly text?: PartRenderer<TextPart> | undefined
  readonly reasoning?: PartRenderer<ReasoningPart> | undefined
  readonly refusal?: PartRenderer<RefusalPart> | undefined
  readonly file?: PartRenderer<FilePart> | undefined
  readonly source?: PartRenderer<SourceUrlPart | SourceDocumentPart> | undefined
  readonly tool?: PartRenderer<NamedToolPart | DynamicToolPart> | undefined
  readonly data?: PartRenderer<MessagePart> | undefined
  readonly fallback?: PartRenderer<MessagePart> | undefined
} & {
  readonly [name: `tool-${string}`]: PartRenderer<NamedToolPart | DynamicToolPart> | undefined
} & { readonly [name: `data-${string}`]: PartRenderer<MessagePart> | undefined }

/** How the messages below are drawn. */
export interface Rendering {
  readonly renderers?: PartRenderers | undefined
  /** Syntaxes and renderers for the text of answers, as of `sluice/code`. Make each of them once, outside of components. */
  readonly extensions?: readonly MarkdownExtension[] | undefined
  /** Hears of a part that threw while it was drawn; a notice stands in its place. */
  readonly onRenderError?: ((error: unknown, part: MessagePart) => void) | undefined
}

const RenderingContext = createContext<Rendering>({})

/** Gives the messages below it how they are drawn. */
export const RenderingProvider: Context<Rendering> = RenderingContext

/** How messages are drawn here. */
export function useRendering(): Rendering {
  return use(RenderingContext)
}

function isShallowEqual(a: object, b: object): boolean {
  const entries = Object.entries(a)
  return (
    entries.length === Object.keys(b).length &&
    entries.every(([key, value]) => Object.is(value, (b as Record<string, unknown>)[key]))
  )
}

/** The same object for as long as its fields stay the same, so that one written in place costs nothing. */
export function useShallow<T extends object>(value: T): T {
  const [kept, keep] = useState(value)
  if (kept === value || isShallowEqual(kept, value)) return kept
  keep(value)
  return value
}
