import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { createId } from '../protocol/ids.ts'
import { recordStream } from '../testing/record-stream.ts'
import { namedFormat, type FormatName } from '../transport/named-format.ts'
import { ask, type Asking } from './asking.ts'
import { check, type Diagnosis } from './check.ts'
import { mistake, only, reading } from './command-line.ts'

const askingFlags = {
  format: { type: 'string', default: 'sluice' },
  message: { type: 'string', default: 'Write two short paragraphs about the tide.' },
  'model-name': { type: 'string' },
  data: { type: 'string' },
  header: { type: 'string', multiple: true },
} as const

interface AskingValues {
  readonly format: string
  readonly message: string
  readonly 'model-name'?: string | undefined
  readonly data?: string | undefined
  readonly header?: readonly string[] | undefined
}

/** `sluice check URL`. Resolves to 0 only if all is well. */
export async function checkCommand(args: readonly string[]): Promise<number> {
  const options = { ...askingFlags, json: { type: 'boolean', default: false } } as const
  const { values, positionals } = reading(() =>
    parseArgs({ args: [...args], options, allowPositionals: true }),
  )
  const diagnosis = await check(await askingOf(only(positionals, 'URL'), values))
  console.log(values.json ? JSON.stringify(diagnosis, undefined, 2) : reportOf(diagnosis))
  return diagnosis.ok ? 0 : 1
}

/** `sluice record URL -o FILE`. */
export async function recordCommand(args: readonly string[]): Promise<number> {
  const options = { ...askingFlags, output: { type: 'string', short: 'o' } } as const
  const { values, positionals } = reading(() =>
    parseArgs({ args: [...args], options, allowPositionals: true }),
  )
  const { output } = values
  if (output === undefined) return mistake('Say which file to write, with -o FILE.')
  const asking = await askingOf(only(positionals, 'URL'), values)
  const recording = await recordStream(await ask(asking, createId()))
  await writeFile(output, `${JSON.stringify(recording)}\n`)
  const { status, chunks, end } = recording
  const lost = end === 'lost' ? ', then the connection was lost' : ''
  console.log(
    `${output}: status ${status}, ${chunks.length} pieces in ${chunks.at(-1)?.at ?? 0} ms${lost}`,
  )
  return 0
}

async function askingOf(url: string, values: AskingValues): Promise<Asking> {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    return mistake(`${url} is no http or https address.`)
  }
  const headers = (values.header ?? []).map((header) => {
    const [, name = '', value = ''] =
      /^([^:\s]+):\s*(.*)$/.exec(header) ?? mistake(`${header} is no header: write 'NAME: VALUE'.`)
    return [name.toLowerCase(), value] as const
  })
  return {
    url,
    // Refuses a name that is none, and tells which there are.
    format: await namedFormat(values.format as FormatName),
    message: values.message,
    model: values['model-name'],
    data: values.data,
    headers: Object.fromEntries(headers),
    env: process.env,
  }
}

function reportOf({ url, format, ok, findings, headersMs, firstTextMs, endMs }: Diagnosis): string {
  const width = Math.max(...findings.map(({ name }) => name.length))
  const lines = findings.map(
    (finding) => `${finding.ok ? 'ok' : 'NO'}  ${finding.name.padEnd(width)}  ${finding.detail}`,
  )
  const times = `headers after ${headersMs} ms, first text after ${firstTextMs ?? '–'} ms, end after ${endMs} ms`
  const wrong = findings.filter((finding) => !finding.ok).length
  const verdict = ok ? 'All is well.' : `${wrong} of ${findings.length} are not well.`
  return [`${url} as ${format}`, ...lines, times, verdict].join('\n')
}
