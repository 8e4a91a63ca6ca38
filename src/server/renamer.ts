import type { EventBody } from '../protocol/events.ts'

/** Makes the names in the events of several model calls unique in their one stream. */
export interface Renamer {
  /** The next model call begins. */
  nextCall(): void
  rename(body: EventBody): EventBody
}

/** Begins with the first model call. `taken`: ids of tool calls that the message has already. */
export function createRenamer(taken: Iterable<string>): Renamer {
  const ids = new Set(taken)
  let call = 1
  let names = new Map<string, string>()

  const partName = (part: string): string => (call === 1 ? part : `${call}:${part}`)

  const freshId = (wanted: string): string => {
    let id = wanted
    for (let more = 2; ids.has(id); more += 1) id = `${wanted}-${more}`
    ids.add(id)
    return id
  }

  return {
    nextCall() {
      call += 1
      names = new Map()
    },
    rename(body) {
      let renamed = body
      if ('toolCallId' in body) {
        const { toolCallId } = body
        if (body.type === 'tool_start' && !names.has(toolCallId)) {
          names.set(toolCallId, freshId(toolCallId))
        }
        const id = names.get(toolCallId) ?? toolCallId
        if (id !== toolCallId) renamed = { ...renamed, toolCallId: id } as EventBody
      }
      if (call === 1) return renamed
      if ('part' in renamed) renamed = { ...renamed, part: partName(renamed.part) }
      if (renamed.type === 'source' && renamed.range !== undefined) {
        renamed = { ...renamed, range: { ...renamed.range, part: partName(renamed.range.part) } }
      }
      return renamed
    },
  }
}
