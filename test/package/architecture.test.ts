import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  folderOf,
  isRelative,
  modules,
  packageOf,
  targetOf,
  type Import,
  type Module,
} from './modules.ts'

interface Layer {
  /** The folders it may import besides itself. */
  readonly folders: readonly string[]
  /** The packages it may import at run time. */
  readonly npm?: readonly string[]
  /** The packages it may import types of. */
  readonly types?: readonly string[]
}

// Lowest first.
const layers: Readonly<Record<string, Layer>> = {
  protocol: { folders: [], types: ['@standard-schema/spec'] },
  formats: { folders: ['protocol'] },
  safety: { folders: ['protocol'], npm: ['dompurify'] },
  actions: { folders: ['protocol'], types: ['@standard-schema/spec'] },
  metrics: { folders: ['protocol'] },
  transport: { folders: ['protocol', 'formats'] },
  markdown: { folders: ['protocol', 'safety'], npm: ['markdown-it', 'markdown-it-cjk-friendly'] },
  announcer: { folders: ['protocol', 'markdown'] },
  generation: { folders: ['protocol', 'safety', 'transport'] },
  chat: { folders: ['protocol', 'safety', 'actions', 'generation'], npm: ['idb'] },
  server: { folders: ['protocol', 'formats', 'safety', 'actions', 'metrics', 'transport'] },
  react: {
    folders: ['protocol', 'transport', 'markdown', 'metrics', 'announcer', 'generation', 'chat'],
    npm: ['react'],
  },
  components: {
    folders: [
      'protocol',
      'safety',
      'markdown',
      'metrics',
      'announcer',
      'generation',
      'chat',
      'react',
    ],
    npm: ['react', 'react-dom', 'lucide-react'],
  },
  code: { folders: ['markdown', 'components'], npm: ['react', 'shiki'] },
  math: { folders: ['markdown', 'react', 'components'], npm: ['react', 'katex'] },
  diagrams: { folders: ['react', 'components'], npm: ['react'] },
  testing: { folders: ['protocol', 'formats', 'transport', 'generation', 'server'] },
  node: {
    folders: ['protocol', 'formats', 'actions', 'transport', 'metrics', 'server', 'testing'],
    npm: ['node:', 'classic-level', 'ws'],
  },
}

/** Packages that one file alone may import, so that there is one way to them. */
const once = ['dompurify', 'idb', 'markdown-it']

const clientFolders = ['react', 'components', 'code', 'math', 'diagrams']
const maxLines = 400

const byPath = new Map(modules.map((module) => [module.path, module]))

const pathsOf = (isChosen: (module: Module) => boolean): string[] =>
  modules.filter(isChosen).map(({ path }) => path)

/** Every import of every module that is wrong by the rule, one line each. */
function offences(rule: (module: Module, entry: Import) => string | undefined): string[] {
  return modules.flatMap((module) =>
    module.imports.flatMap((entry) => {
      const offence = rule(module, entry)
      return offence === undefined ? [] : [`${module.path} imports ${entry.from}: ${offence}`]
    }),
  )
}

describe('imports', () => {
  test('relative ones name a file that is there, with its extension', () => {
    expect(
      offences((module, { from }) =>
        isRelative(from) && !byPath.has(targetOf(module, from)) ? 'no such module' : undefined,
      ),
    ).toEqual([])
  })

  test('each folder is a layer', () => {
    const folders = new Set(modules.map(({ folder }) => folder).filter((folder) => folder !== ''))
    expect([...folders].filter((folder) => !(folder in layers))).toEqual([])
  })

  test('the table has no cycle: each layer lies above what it imports', () => {
    const order = Object.keys(layers)
    const upward = order.flatMap((name, index) =>
      (layers[name]?.folders ?? [])
        .filter((folder) => order.indexOf(folder) >= index)
        .map((folder) => `${name} → ${folder}`),
    )
    // A folder that is not in the table has the index -1, which would pass.
    const named = Object.values(layers).flatMap(({ folders }) => folders)
    expect(named.filter((folder) => !order.includes(folder))).toEqual([])
    expect(upward).toEqual([])
  })

  test('go down the layers', () => {
    expect(
      offences((module, { from }) => {
        if (!isRelative(from) || module.folder === '') return undefined
        const target = targetOf(module, from)
        const folder = folderOf(target)
        if (folder === '') return 'an entry, or a file outside of src'
        const isAllowed =
          folder === module.folder || layers[module.folder]?.folders.includes(folder)
        return isAllowed ? undefined : `${module.folder} may not import ${folder}`
      }),
    ).toEqual([])
  })

  test('have no cycle between modules', () => {
    const cycles: string[] = []
    const done = new Set<string>()
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) {
        cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
        return
      }
      const module = byPath.get(path)
      if (module === undefined || done.has(path)) return
      for (const { from, isType, isLazy } of module.imports) {
        if (isRelative(from) && !isType && !isLazy) visit(targetOf(module, from), [...trail, path])
      }
      done.add(path)
    }
    for (const { path } of modules) visit(path, [])
    expect(cycles).toEqual([])
  })

  test('of packages are those of the layer', () => {
    expect(
      offences(({ folder }, { from, isType }) => {
        if (isRelative(from)) return undefined
        const { npm = [], types = [] } = layers[folder] ?? {}
        const allowed = isType ? [...npm, ...types] : npm
        return allowed.includes(packageOf(from)) ? undefined : `${folder || 'an entry'} may not`
      }),
    ).toEqual([])
  })

  test.each(once)('of %s are in one file', (name) => {
    const importers = pathsOf(({ imports }) =>
      imports.some(({ from, isType }) => !isType && packageOf(from) === name),
    )
    expect(importers.slice(1)).toEqual([])
  })
})

describe('modules', () => {
  const isPartList = ({ path }: Module): boolean => basename(path) === 'parts.ts'
  const isEntry = ({ folder }: Module): boolean => folder === ''

  test(`have at most ${maxLines} lines`, () => {
    expect(pathsOf(({ lines }) => lines.length > maxLines)).toEqual([])
  })

  test('set HTML from a string in one file', () => {
    const html = /\b(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML)\b/
    expect(pathsOf(({ code }) => html.test(code)).slice(1)).toEqual([])
  })

  test(`of ${clientFolders.join(' and ')} say 'use client' in the first line; entries and parts.ts do not`, () => {
    // A namespace of parts is put together on the server; a boundary there would make it one opaque reference.
    const isShared = (module: Module): boolean => isEntry(module) || isPartList(module)
    const isClient = ({ lines }: Module): boolean => lines[0] === "'use client'"
    const isOfClient = (module: Module): boolean =>
      clientFolders.includes(module.folder) && !isPartList(module)
    expect(pathsOf((module) => isOfClient(module) && !isClient(module))).toEqual([])
    expect(pathsOf((module) => isShared(module) && isClient(module))).toEqual([])
  })

  test('are named in kebab-case', () => {
    const kebab = /^(?:[a-z0-9]+(?:-[a-z0-9]+)*[/.])+tsx?$/
    expect(pathsOf(({ path }) => !kebab.test(path))).toEqual([])
  })

  test('are no barrels, entries and parts.ts aside', () => {
    expect(pathsOf((module) => module.isBarrel && !isEntry(module) && !isPartList(module))).toEqual(
      [],
    )
  })
})
