import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** The documents that a user reads. */
const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).flatMap((file) =>
    file.endsWith('.md') ? [join('docs', file)] : [],
  ),
  ...readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).flatMap((file) =>
    file.endsWith('README.md') ? [join('src', file)] : [],
  ),
]

const read = (document: string): string => readFileSync(join(root, document), 'utf8')

test('every snippet compiles', () => {
  const folder = join(root, '.cache/snippets')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  let count = 0
  for (const document of documents) {
    for (const [, language, code] of read(document).matchAll(/^```(tsx?)\n([\s\S]*?)^```$/gm)) {
      count += 1
      const name = `${document.replaceAll(/\W+/g, '-')}-${count}.${language}`
      // Each is a module of its own, whatever it imports.
      writeFileSync(join(folder, name), `${code}\nexport {}\n`)
    }
  }
  writeFileSync(join(folder, 'css.d.ts'), `declare module '*.css'\n`)
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../tsconfig.json',
      compilerOptions: { noUnusedLocals: false, types: ['node'] },
      include: ['.'],
    }),
  )
  expect(count).toBeGreaterThan(3)
  const tsc = join(root, 'node_modules/.bin/tsc')
  try {
    execFileSync(tsc, ['-p', folder], { encoding: 'utf8', stdio: 'pipe' })
  } catch (cause) {
    throw new Error((cause as { stdout: string }).stdout, { cause })
  }
})

describe.each(documents)('%s', (document) => {
  test('names only commands that there are', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    for (const [, name] of read(document).matchAll(/npm run ([\w:-]+)/g)) {
      expect(Object.keys(scripts), `npm run ${name}`).toContain(name)
    }
  })

  test('links only to what there is', () => {
    for (const [, link] of read(document).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)) {
      const path = join(root, dirname(document), link as string)
      expect(existsSync(path), `${link} → ${relative(root, path)}`).toBe(true)
    }
  })
})
