import type { SourceEvent } from '../protocol/events.ts'
import { count, fields, list, string, type Fields } from './fields.ts'

/** What an answer was grounded on. Offsets on the wire count UTF-8 bytes, ours count UTF-16 units. */
export function geminiSources(metadata: Fields, text: string): SourceEvent[] {
  const sources: SourceEvent[] = []
  const seen = new Set<string>()
  const units = createOffsets(text)

  function add(
    url: string,
    title: string,
    start: number | undefined,
    end: number | undefined,
  ): void {
    if (url === '' || seen.has(url)) return
    seen.add(url)
    const part = `source-${sources.length + 1}`
    const range =
      end === undefined ? undefined : { part: 'text', start: units(start ?? 0), end: units(end) }
    sources.push({
      type: 'source',
      part,
      sourceId: part,
      url,
      ...(title !== '' && { title }),
      ...(range && { range }),
    })
  }

  const grounding = fields(metadata['groundingMetadata'])
  const supports = list(grounding['groundingSupports']).map(fields)
  for (const [index, chunk] of list(grounding['groundingChunks']).entries()) {
    const place = Object.values(fields(chunk)).map(fields)[0] ?? {}
    const support = supports.find((candidate) =>
      list(candidate['groundingChunkIndices']).includes(index),
    )
    const segment = fields(support?.['segment'])
    add(
      string(place['uri']) || string(place['sourceUri']),
      string(place['title']),
      count(segment['startIndex']),
      count(segment['endIndex']),
    )
  }
  const citations = fields(metadata['citationMetadata'])
  for (const source of [...list(citations['citations']), ...list(citations['citationSources'])].map(
    fields,
  )) {
    add(
      string(source['uri']),
      string(source['title']),
      count(source['startIndex']),
      count(source['endIndex']),
    )
  }
  for (const page of list(fields(metadata['urlContextMetadata'])['urlMetadata']).map(fields)) {
    add(string(page['retrievedUrl']), '', undefined, undefined)
  }
  return sources
}

/** Turns byte offsets of a text's UTF-8 form into offsets of its UTF-16 units. */
function createOffsets(text: string): (bytes: number) => number {
  return (bytes) => {
    let seen = 0
    let units = 0
    for (const character of text) {
      if (seen >= bytes) break
      const code = character.codePointAt(0) ?? 0
      seen += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
      units += character.length
    }
    return units
  }
}
