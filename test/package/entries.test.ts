import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { bundle } from '../../scripts/bundle.mjs'
import { modules } from './modules.ts'

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const inRoot = (path: string): string => join(root, path)

/** Every sub-path that is code, with its conditions. */
const entries = Object.entries(manifest.exports).flatMap(([path, conditions]) =>
  typeof conditions === 'object' && 'types' in conditions
    ? [{ name: path.replace('.', 'sluice'), conditions }]
    : [],
)

/** The names that users' code relies on; an entry may have more. */
const promised: Readonly<Record<string, string>> = {
  sluice: `useModelStream useChat useStickToBottom useAnnouncer Chat Thread Message Composer Tool
    Reasoning Markdown MessageList StopButton StatusBadge LiveAnnouncer`,
  'sluice/core': `readModelStream collectMessage createModelStream createChat httpTransport
    directTransport`,
  'sluice/formats': `auto openaiChat openaiResponses anthropic messagesFor openAIChatModel
    openAIResponsesModel anthropicModel geminiModel ollamaModel`,
  'sluice/markdown': 'createMarkdownStream renderToHtml',
  'sluice/metrics': 'createStreamMetrics summarise',
  'sluice/code': 'shikiCode',
  'sluice/math': 'katexMath',
  'sluice/diagrams': 'mermaidDiagrams',
  'sluice/labels': 'en de ja ar',
  'sluice/server': `createStreamHandler memoryEventLog openAIChatModel openAIResponsesModel
    anthropicModel`,
  'sluice/server/node': 'toNodeListener fileEventLog fileActionLog',
  'sluice/redis': 'redisEventLog redisActionLog',
  'sluice/testing': `scriptedModel injectFaults manualClock manualScheduler eachCut recordStream
    replayStream`,
}

test('the package is built', () => {
  expect(existsSync(inRoot('dist')), 'npm run build').toBe(true)
})

test.for(Object.entries(manifest.exports))('%s leads to files that are there', ([, target]) => {
  const files = typeof target === 'string' ? [target] : Object.values(target)
  expect(files.filter((file) => !existsSync(inRoot(file)))).toEqual([])
})

test.for(entries)('$name exports what was promised', async ({ name, conditions }) => {
  const exported = Object.keys((await import(inRoot(conditions.default))) as object)
  const names = promised[name]?.split(/\s+/) ?? []
  expect(names, 'a line in the list above').not.toEqual([])
  expect(names.filter((promise) => !exported.includes(promise))).toEqual([])
})

test.for(Object.entries(manifest.bin))('the command %s is an executable script', ([, path]) => {
  expect(readFileSync(inRoot(path), 'utf8').split('\n')[0]).toBe('#!/usr/bin/env node')
})

test("'use client' is still the first line after the build", () => {
  const lost = modules
    .filter(({ lines }) => lines[0] === "'use client'")
    .map(({ path }) => `dist/${path.replace(/\.tsx?$/, '.js')}`)
    .filter((path) => !/^['"]use client['"]/.test(readFileSync(inRoot(path), 'utf8')))
  expect(lost).toEqual([])
})

describe('an import in plain Node', () => {
  test.for(entries)('of $name needs no DOM and leaves nothing behind', async ({ name }) => {
    const code = `
      const names = () => Object.getOwnPropertyNames(globalThis)
      const before = new Set(names())
      const entry = await import(${JSON.stringify(name)})
      console.log(JSON.stringify({
        exported: Object.keys(entry).length,
        globals: names().filter((name) => !before.has(name)),
        alive: process.getActiveResourcesInfo().filter((kind) => /Timeout|Immediate|TCP|Server/.test(kind)),
      }))`
    const { stdout, stderr } = await execute('node', ['--input-type=module', '--eval', code], {
      cwd: root,
      timeout: 30_000,
    })
    expect(stderr).toBe('')
    const { exported, globals, alive } = JSON.parse(stdout) as Record<string, unknown>
    expect(exported).toBeGreaterThan(0)
    expect({ globals, alive }).toEqual({ globals: [], alive: [] })
  })
})

describe('a bundle of one name', () => {
  /** `react`, `markdown-it`, `dist/server`: the packages and the folders that end up in it. */
  async function contentsOf(name: string, entry: string): Promise<ReadonlySet<string>> {
    const { files } = await bundle(`export { ${name} } from '${entry}'`)
    return new Set(
      files.map((file) => {
        const path = file.replace(/^.*node_modules\//, '')
        return path.split('/', /^(?:@|dist\/)/.test(path) ? 2 : 1).join('/')
      }),
    )
  }

  test.for([
    ['StatusBadge', 'sluice', 'markdown-it dompurify dist/markdown dist/generation dist/formats'],
    [
      'useModelStream',
      'sluice',
      'markdown-it dompurify lucide-react dist/markdown dist/components',
    ],
    ['Markdown', 'sluice', 'dompurify dist/generation dist/transport dist/formats dist/chat'],
    ['createModelStream', 'sluice/core', 'react markdown-it dompurify dist/server dist/chat'],
    ['readModelStream', 'sluice/core', 'react markdown-it dist/generation dist/server dist/chat'],
    ['createStreamHandler', 'sluice/server', 'react markdown-it dist/components dist/generation'],
  ] as const)('%s of %s leaves out %s', async ([name, entry, strangers]) => {
    const contents = await contentsOf(name, entry)
    expect(contents.size).toBeGreaterThan(0)
    expect(strangers.split(' ').filter((stranger) => contents.has(stranger))).toEqual([])
  })
})

describe('a TypeScript project that installed the package', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-consumer-'))
    await mkdir(join(folder, 'node_modules'))
    await symlink(root, join(folder, 'node_modules/sluice'))
    await symlink(inRoot('node_modules/@types'), join(folder, 'node_modules/@types'))
    const imports = entries.map(({ name }, index) => `import * as entry${index} from '${name}'`)
    const exported = entries.map((_, index) => `entry${index}`).join(', ')
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(join(folder, 'app.ts'), `${imports.join('\n')}\nexport { ${exported} }\n`)
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  test.for([
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
    ['preserve', 'bundler'],
  ] as const)(
    'compiles with module %s, resolution %s, libraries checked',
    async ([module, moduleResolution]) => {
      const config = join(folder, `tsconfig.${module}.json`)
      const compilerOptions = {
        module,
        moduleResolution,
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        noEmit: true,
        target: 'es2022',
        lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
        types: ['node'],
      }
      await writeFile(config, JSON.stringify({ compilerOptions, files: ['app.ts'] }))
      const output = await execute(inRoot('node_modules/.bin/tsc'), ['-p', config]).then(
        () => '',
        (error: unknown) => (error as { stdout: string }).stdout,
      )
      expect(output).toBe('')
    },
  )
})
