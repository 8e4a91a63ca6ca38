import type { DataEvent, FileEvent, ReviewEvent, SourceEvent, TextDeltaEvent } from './events.ts'
import { mergeJson, type ProviderMetadata } from './json.ts'
import type { DataPart, MessagePart, RefusalPart, TextPart } from './message.ts'

/** A part that begins with this piece of text. */
export function openPart(event: TextDeltaEvent): MessagePart {
  if (event.type === 'refusal_delta') return { type: 'data-refusal', data: { text: event.text } }
  return {
    type: event.type === 'text_delta' ? 'text' : 'reasoning',
    text: event.text,
    state: 'streaming',
    ...metadataOf(event.meta),
  }
}

/** Adds a piece of text; `undefined` where the part is of another kind. */
export function growPart(part: MessagePart, event: TextDeltaEvent): MessagePart | undefined {
  if (event.type === 'refusal_delta') {
    if (!isRefusal(part)) return undefined
    return { ...part, data: { text: part.data.text + event.text } }
  }
  if (part.type !== (event.type === 'text_delta' ? 'text' : 'reasoning')) return undefined
  return {
    ...part,
    text: part.text + event.text,
    state: 'streaming',
    ...metadataOf(event.meta, part.providerMetadata),
  }
}

/** The part is whole. */
export function endPart(part: MessagePart, meta: ProviderMetadata | undefined): MessagePart {
  if (part.type !== 'text' && part.type !== 'reasoning') return part
  return { ...part, state: 'done', ...metadataOf(meta, part.providerMetadata) }
}

/** A text of which nothing was let through yet. */
export function withheldPart(event: ReviewEvent): TextPart {
  return { type: 'text', text: '', state: 'streaming', review: reviewOf(event) }
}

/** What moderation says of a part. A text that it took back is gone, whatever kind it was. */
export function reviewPart(part: MessagePart, event: ReviewEvent): MessagePart {
  const isRetracted = event.state === 'retracted'
  if (isRefusal(part)) return isRetracted ? { ...part, data: { text: '' } } : part
  if (part.type !== 'text' && part.type !== 'reasoning') return part
  return { ...part, ...(isRetracted && { text: '' }), review: reviewOf(event) }
}

/** A citation: of a page where it has an address, else of a document. */
export function sourcePart(event: SourceEvent): MessagePart {
  const more = {
    ...metadataOf(event.meta),
    ...(event.range !== undefined && { range: event.range }),
  }
  return event.url !== undefined
    ? {
        type: 'source-url',
        sourceId: event.sourceId,
        url: event.url,
        ...(event.title !== undefined && { title: event.title }),
        ...more,
      }
    : {
        type: 'source-document',
        sourceId: event.sourceId,
        mediaType: event.mediaType ?? 'text/plain',
        title: event.title ?? event.filename ?? event.sourceId,
        ...(event.filename !== undefined && { filename: event.filename }),
        ...more,
      }
}

/** A file; one that came as base64 becomes a data URL. */
export function filePart(event: FileEvent): MessagePart {
  return {
    type: 'file',
    mediaType: event.mediaType,
    url: event.url ?? `data:${event.mediaType};base64,${event.data ?? ''}`,
    ...(event.filename !== undefined && { filename: event.filename }),
    ...metadataOf(event.meta),
  }
}

/** The application's own data. */
export function dataPart(event: DataEvent): DataPart {
  return {
    type: `data-${event.name}`,
    ...(event.id !== undefined && { id: event.id }),
    data: event.value,
  }
}

/** Whether a name of data is one that this package gives to parts of its own. */
export function isReservedName(name: string): boolean {
  return name === 'refusal' || name === 'component'
}

function isRefusal(part: MessagePart): part is RefusalPart {
  return part.type === 'data-refusal'
}

function reviewOf({ state, category }: ReviewEvent): NonNullable<TextPart['review']> {
  return { state, ...(category !== undefined && { category }) }
}

function metadataOf(
  meta: ProviderMetadata | undefined,
  before?: ProviderMetadata | undefined,
): { providerMetadata?: ProviderMetadata } {
  if (meta === undefined) return {}
  return { providerMetadata: mergeJson(before, meta) as ProviderMetadata }
}
