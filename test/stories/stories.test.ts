import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { serveFolder, type StaticServer } from '../support/static-server.ts'
import { accessibilityProblems } from './accessibility.ts'
import { watchStory } from './watch-story.ts'

interface StoryEntry {
  readonly id: string
  readonly title: string
  readonly name: string
  readonly type: 'story' | 'docs'
}

const folder = fileURLToPath(new URL('../../storybook-static', import.meta.url))
const index = `${folder}/index.json`
if (!existsSync(index)) throw new Error('No built stories: `npm run test:stories` builds them.')
const { entries } = JSON.parse(readFileSync(index, 'utf8')) as {
  entries: Readonly<Record<string, StoryEntry>>
}
const stories = Object.values(entries).filter(({ type }) => type === 'story')

let server: StaticServer
let browser: Browser
let context: BrowserContext

beforeAll(async () => {
  server = await serveFolder(folder)
  browser = await launchChromium()
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await context.addInitScript(watchStory)
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

test.concurrent.for(stories.map((story) => [`${story.title} › ${story.name}`, story.id] as const))(
  '%s',
  async ([, id]) => {
    const page = await context.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.stack ?? error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`${message.text()} (${message.location().url})`)
    })
    try {
      await page.goto(`${server.url}/iframe.html?viewMode=story&id=${id}`)
      const outcome = await page.evaluate(() => window.storyOutcome)
      expect(outcome, 'the play function').toBe('success')
      expect(await accessibilityProblems(page), 'axe, WCAG 2.2 AA').toEqual([])
      expect(problems, 'console and page errors').toEqual([])
    } finally {
      await page.close()
    }
  },
)
