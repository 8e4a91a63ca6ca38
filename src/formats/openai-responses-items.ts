import type { JsonObject } from '../protocol/json.ts'
import type { Assembler } from './assembler.ts'
import type { CallStart } from './call-table.ts'
import { vendorMeta } from './usage.ts'
import { count, fields, list, string, type Fields } from './fields.ts'
import { vendorError } from './vendor-error.ts'

/** The output items of one response, by whatever name an event calls them. */
export interface ResponseItems {
  keyOf(event: Fields): string
  /** Key of one content part of a message. */
  partOf(event: Fields): string
  added(event: Fields): void
  done(event: Fields): void
  /** An item told again by the terminal event: read only as far as it was missed. */
  repeated(item: Fields): void
  /** Reasoning text; `isWhole` tells all of one summary or content part again. */
  thought(event: Fields, text: string, isWhole: boolean): void
  cite(event: Fields): void
}

/** Tools that the application itself must run, beside its functions. */
const LOCAL = new Set(['computer_call', 'local_shell_call', 'apply_patch_call'])

/** Tools that OpenAI runs. */
const HOSTED = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
  'mcp_approval_request',
  'tool_search_call',
])

/** Items without anything to show. */
const SILENT = new Set([
  'mcp_list_tools',
  'mcp_approval_response',
  'compaction',
  'tool_search_output',
  'additional_tools',
  'program',
  'program_output',
])

/** Makes the table of items. */
export function createResponseItems(assembler: Assembler): ResponseItems {
  // An item is named by `output_index`, `item_id` or both; some servers leave one out, some change the id on the way.
  const byIndex = new Map<number, string>()
  const byId = new Map<string, string>()
  const thoughts = new Map<string, { last: string; texts: Map<string, string> }>()
  let made = 0
  let sources = 0

  function keyFor(index: number | undefined, id: string): string {
    const known =
      (index === undefined ? undefined : byIndex.get(index)) ??
      (id === '' ? undefined : byId.get(id))
    const key = known ?? `item-${made++}`
    if (index !== undefined) byIndex.set(index, key)
    if (id !== '') byId.set(id, key)
    return key
  }

  const keyOf = (event: Fields): string =>
    keyFor(count(event['output_index']), string(event['item_id']))
  const partOf = (event: Fields): string => `${keyOf(event)}:${count(event['content_index']) ?? 0}`

  function callOf(item: Fields): CallStart | undefined {
    const type = string(item['type'])
    const id = string(item['call_id']) || string(item['id'])
    const meta = vendorMeta('openai', { itemId: string(item['id']), type })
    const name = string(item['name']) || type.replace(/_call$/, '')
    if (type === 'function_call') return { id, name, meta }
    if (type === 'custom_tool_call') return { id, name, kind: 'text', meta }
    if (type === 'code_interpreter_call') return { id, name, kind: 'text', runs: 'provider', meta }
    // A shell in OpenAI's container is theirs to run; any other is ours.
    if (type === 'shell_call') {
      const place = string(fields(item['environment'])['type'])
      return { id, name, runs: place.startsWith('container') ? 'provider' : 'client', meta }
    }
    if (LOCAL.has(type)) return { id, name, meta }
    return HOSTED.has(type) ? { id, name, runs: 'provider', meta } : undefined
  }

  function open(key: string, item: Fields): void {
    const call = callOf(item)
    if (call !== undefined) {
      assembler.callStart(key, call)
      return
    }
    const type = string(item['type'])
    const isKnown =
      type === 'message' || type === 'reasoning' || type.endsWith('_output') || SILENT.has(type)
    if (!isKnown) assembler.skip()
  }

  function close(key: string, item: Fields): void {
    const type = string(item['type'])
    if (type === 'message') return closeMessage(key, item)
    if (type === 'reasoning') return closeReasoning(key, item)
    if (type.endsWith('_output')) return closeOutput(item)
    if (!assembler.hasCall(key)) return
    if (item['status'] === 'incomplete') return
    switch (type) {
      case 'function_call':
        return assembler.callComplete(key, string(item['arguments']))
      case 'custom_tool_call':
        return assembler.callComplete(key, string(item['input']))
      case 'mcp_approval_request':
        assembler.callComplete(key, string(item['arguments']))
        return assembler.approval(key, string(item['id']))
      case 'image_generation_call':
        return closeImage(key, item)
      case 'code_interpreter_call':
        assembler.callComplete(key, string(item['code']))
        return result(key, item, item['outputs'])
      case 'mcp_call':
        assembler.callComplete(key, string(item['arguments']))
        return result(key, item, item['output'])
      case 'file_search_call':
        assembler.callValue(key, { queries: item['queries'] })
        return result(key, item, item['results'])
      default:
        assembler.callValue(key, item['action'] ?? item['operation'] ?? {})
        if (type === 'web_search_call') result(key, item, item['action'])
    }
  }

  function result(key: string, item: Fields, output: unknown): void {
    const failed = item['status'] === 'failed' || item['error'] != null
    if (failed)
      assembler.callResult(key, {
        state: 'failed',
        error: vendorError({ error: item['error'] }).message,
      })
    else assembler.callResult(key, { state: 'succeeded', output: output ?? null })
  }

  function closeImage(key: string, item: Fields): void {
    assembler.callComplete(key)
    const data = string(item['result'])
    result(key, item, null)
    if (data === '') return
    const format = string(item['output_format']) || 'png'
    assembler.emit({ type: 'file', part: `${key}:image`, mediaType: `image/${format}`, data })
  }

  function closeMessage(key: string, item: Fields): void {
    const phase = string(item['phase'])
    for (const [index, content] of list(item['content']).entries()) {
      const part = fields(content)
      const id = `${key}:${index}`
      if (part['type'] === 'output_text') assembler.settle('text', id, string(part['text']))
      else if (part['type'] === 'refusal') assembler.settle('refusal', id, string(part['refusal']))
      assembler.partEnd(id, phase === '' ? undefined : vendorMeta('openai', { phase }))
    }
  }

  function closeReasoning(key: string, item: Fields): void {
    for (const [index, part] of list(item['summary']).entries())
      think(key, `s${index}`, string(fields(part)['text']), true)
    for (const [index, part] of list(item['content']).entries())
      think(key, `c${index}`, string(fields(part)['text']), true)
    // Without it the next request is refused, where the vendor stores nothing.
    const encrypted = string(item['encrypted_content'])
    if (encrypted !== '') {
      const kept: JsonObject = { itemId: string(item['id']), encryptedContent: encrypted }
      assembler.text('reasoning', key, '', vendorMeta('openai', kept))
    }
    assembler.partEnd(key)
  }

  function closeOutput(item: Fields): void {
    const output = item['output']
    assembler.callResult(string(item['call_id']), { state: 'succeeded', output: output ?? null })
  }

  function think(key: string, piece: string, text: string, isWhole: boolean): void {
    const thought = thoughts.get(key) ?? { last: piece, texts: new Map<string, string>() }
    thoughts.set(key, thought)
    const seen = thought.texts.get(piece) ?? ''
    const added = !isWhole ? text : text.startsWith(seen) ? text.slice(seen.length) : ''
    if (added === '') return
    thought.texts.set(piece, seen + added)
    // One thought in several summaries: a blank line between them.
    assembler.text('reasoning', key, thought.last === piece ? added : `\n\n${added}`)
    thought.last = piece
  }

  return {
    keyOf,
    partOf,
    added(event) {
      const item = fields(event['item'])
      open(keyFor(count(event['output_index']), string(item['id'])), item)
    },
    done(event) {
      const item = fields(event['item'])
      const key = keyFor(count(event['output_index']), string(item['id']))
      if (!assembler.hasCall(key)) open(key, item)
      close(key, item)
    },
    repeated(item) {
      const id = string(item['id'])
      const known = byId.get(id)
      const key = known ?? keyFor(undefined, id)
      if (known === undefined) open(key, item)
      if (known === undefined || item['type'] === 'message') close(key, item)
    },
    thought(event, text, isWhole) {
      const summary = count(event['summary_index'])
      const piece = summary === undefined ? `c${count(event['content_index']) ?? 0}` : `s${summary}`
      think(keyOf(event), piece, text, isWhole)
    },
    cite(event) {
      const annotation = fields(event['annotation'])
      const type = string(annotation['type'])
      const url = string(annotation['url'])
      const file = string(annotation['file_id'])
      if (url === '' && file === '') return
      sources += 1
      const start = count(annotation['start_index'])
      const end = count(annotation['end_index'])
      const title = string(annotation['title'])
      const filename = string(annotation['filename'])
      assembler.emit({
        type: 'source',
        part: `source-${sources}`,
        sourceId: file === '' ? `source-${sources}` : file,
        ...(url !== '' && { url }),
        ...(title !== '' && { title }),
        ...(url === '' && { mediaType: 'text/plain' }),
        ...(filename !== '' && { filename }),
        ...(start !== undefined &&
          end !== undefined && { range: { part: partOf(event), start, end } }),
        meta: vendorMeta('openai', { type }),
      })
    },
  }
}
