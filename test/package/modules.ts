import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

export interface Import {
  readonly from: string
  /** Only types, so that nothing is imported at run time. */
  readonly isType: boolean
  /** By `import()`, which is no dependency at load. */
  readonly isLazy: boolean
}

export interface Module {
  /** Relative to src. */
  readonly path: string
  /** The folder in src; empty for an entry. */
  readonly folder: string
  readonly lines: readonly string[]
  /** The text without its comments. */
  readonly code: string
  readonly imports: readonly Import[]
  /** Whether it has an `export * from`, without a name. */
  readonly isBarrel: boolean
}

const src = fileURLToPath(new URL('../../src', import.meta.url))

/** Every module of src. */
export const modules: readonly Module[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map(readModule)

function readModule(path: string): Module {
  const text = readFileSync(join(src, path), 'utf8')
  const { module, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const { staticImports, staticExports, dynamicImports } = module
  const exported = staticExports.flatMap(({ entries }) => entries)
  return {
    path,
    folder: folderOf(path),
    lines: text.trimEnd().split('\n'),
    code: comments.reduceRight(
      (rest, { start, end }) => rest.slice(0, start) + rest.slice(end),
      text,
    ),
    imports: [
      ...staticImports.map(({ moduleRequest, entries }) => ({
        from: moduleRequest.value,
        isType: entries.length > 0 && entries.every(({ isType }) => isType),
        isLazy: false,
      })),
      ...exported.flatMap(({ moduleRequest, isType }) =>
        moduleRequest === null ? [] : [{ from: moduleRequest.value, isType, isLazy: false }],
      ),
      ...dynamicImports.map(({ moduleRequest: { start, end } }) => ({
        // With its quotes; an import of an expression is no module that we could check.
        from: text.slice(start + 1, end - 1),
        isType: false,
        isLazy: true,
      })),
    ],
    isBarrel: exported.some(
      ({ moduleRequest, exportName }) => moduleRequest !== null && exportName.kind === 'None',
    ),
  }
}

export const isRelative = (from: string): boolean => from.startsWith('.')

/** The path in src that a relative import names. */
export const targetOf = (module: Module, from: string): string =>
  relative(src, join(src, dirname(module.path), from))

/** The folder in src of a path; empty for an entry, `..` for a file outside. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.indexOf('/')))
}

/** `markdown-it/lib/token.mjs` → `markdown-it`, `node:fs` → `node:`. */
export function packageOf(from: string): string {
  if (from.startsWith('node:') || builtinModules.includes(from)) return 'node:'
  return from.split('/', from.startsWith('@') ? 2 : 1).join('/')
}
