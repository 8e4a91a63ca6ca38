import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { demoModel } from 'sluice/testing'
import { buildPages } from '../../scripts/pages.mjs'
import { serve, type Served } from '../../src/node/serve.ts'
import { launchChromium } from '../support/chromium.ts'
import { serveFolder, type StaticServer } from '../support/static-server.ts'

// The whole page by the keyboard alone. After each key, and in each frame between, the focus is on something.

let browser: Browser
let served: Served
let site: StaticServer
let page: Page

beforeAll(async () => {
  served = await serve({
    model: demoModel({ queueMs: 0, prefillMs: 20, tokenMs: 2 }),
    demo: true,
    folder: join(import.meta.dirname, '../../dist/example'),
    host: '127.0.0.1',
    port: 0,
    onTaken: () => {},
  })
  site = await serveFolder(await buildPages('production'))
  browser = await launchChromium()
})

afterEach(async () => {
  await page?.context().close()
})

afterAll(async () => {
  await browser?.close()
  await served?.close()
  await site?.close()
})

/** Writes down what had the focus when it was lost to the body. */
function watchFocus(): void {
  const lost: string[] = []
  Object.assign(window, { lostFocus: lost })
  let last = ''
  const look = (): void => {
    const { activeElement } = document
    if (activeElement !== null && activeElement !== document.body) {
      last = (activeElement.getAttribute('aria-label') ?? activeElement.textContent ?? '').slice(
        0,
        60,
      )
    } else if (last !== '') {
      lost.push(last)
      last = ''
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

async function open(url: string): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 } })
  page = await context.newPage()
  await page.addInitScript(watchFocus)
  await page.goto(url)
  await page.getByRole('textbox').waitFor()
}

const press = (key: string): Promise<void> => page.keyboard.press(key)

/** The accessible name of what has the focus, as the label or the text says it. */
const focused = (): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement
    return (element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim()
  })

const focusedRole = (): Promise<string | null | undefined> =>
  page.evaluate(() => document.activeElement?.closest('[data-role]')?.getAttribute('data-role'))

/** It was never lost, in no frame. */
async function expectKept(): Promise<void> {
  expect(await page.evaluate('lostFocus')).toEqual([])
}

/** Presses Tab (or Shift+Tab) until what has the focus is called so. */
async function tabTo(name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focused()).startsWith(name)) return
    await press(key)
  }
  throw new Error(`${name} was not reached; the focus is on “${await focused()}”.`)
}

/** Waits until the newest answer has ended so. */
const ended = (status: string): Promise<unknown> =>
  page.waitForFunction((wanted) => {
    const answers = document.querySelectorAll<HTMLElement>('[data-role=assistant]')
    return answers[answers.length - 1]?.dataset['status'] === wanted
  }, status)

async function ask(question: string): Promise<void> {
  const answers = page.locator('[data-role=assistant]')
  const before = await answers.count()
  await press('Shift+Escape')
  await page.keyboard.type(question)
  await press('Enter')
  await answers.nth(before).waitFor({ state: 'attached' })
}

describe('the example page', () => {
  test('suggestions, an answer, its actions, the next answer', async () => {
    await open(served.url)
    await tabTo('More suggestions')
    await press('Enter')
    expect(await focused()).toContain('Work a lock for the first time')
    await tabTo('An answer cut at its limit')
    await press('Enter')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')

    await ended('incomplete')
    await tabTo('Continue', 'Shift+Tab')
    await press('Enter')
    expect(await focusedRole()).toBe('assistant')
    await page.getByText('Continued').waitFor()
    await ended('complete')

    await press('Alt+ArrowDown')
    expect(await focusedRole()).toBe('assistant')
    await press('Alt+ArrowUp')
    await press('Alt+ArrowUp')
    expect(await focusedRole()).toBe('user')
    await press('Alt+ArrowDown')
    await press('Alt+ArrowDown')
    await tabTo('Copy')
    await press('ArrowRight')
    expect(await focused()).toBe('Answer again')
    const before = await page.locator('article').last().elementHandle()
    await press('Enter')
    await page.waitForFunction((old) => !old?.isConnected, before)
    expect(await focusedRole()).toBe('assistant')
    await ended('complete')
    await expectKept()
  })

  test('sends, stops and asks again without leaving the text box', async () => {
    await open(served.url)
    await page.getByRole('textbox').focus()
    await ask('How does a canal lock lift a boat without a pump?')
    await page.locator('[data-status=running] .sluice-md').waitFor()
    await press('Escape')
    await page.getByText('Stopped', { exact: true }).waitFor()
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
    await ask('Answer as if the model were out of capacity.')
    await ended('incomplete')
    await tabTo('Retry', 'Shift+Tab')
    // It waits, and is there all the same.
    await press('Enter')
    expect(await focused()).toBe('Retry')
    await expectKept()
  })

  test('blocks of code, steps, and back to the latest', async () => {
    await open(served.url)
    await page.getByRole('textbox').focus()
    await ask('Show me how to read a streamed HTTP response in TypeScript and in Python.')
    await ended('complete')
    const inHead = page.locator('.sluice-md-code button')
    for (let index = (await inHead.count()) - 1; index >= 0; index -= 1) {
      await inHead.nth(index).focus()
      await press('Enter')
      expect(await focusedRole()).toBe('assistant')
    }
    await ask(
      'Low water is 0.8 m at 08:05, high water 4.4 m at 14:17. When is there 2.6 m over the sill?',
    )
    await ended('complete')
    await tabTo('Thought', 'Shift+Tab')
    await press('Enter')
    await press('Enter')
    await page.getByRole('region', { name: 'Conversation' }).focus()
    await press('Home')
    const jump = page.locator('.sluice-jump[data-shown]')
    await jump.waitFor()
    await tabTo((await jump.getAttribute('aria-label')) ?? 'Jump')
    await press('Enter')
    expect(await focusedRole()).toBe('assistant')
    await page.locator('.sluice-jump:not([data-shown])').waitFor({ state: 'attached' })
    await expectKept()
  })
})

describe('settings', () => {
  const setting = (name: string) => page.getByLabel(name)

  test('are opened, changed and left by the keyboard, and kept over a reload', async () => {
    await open(served.url)
    await tabTo('Settings')
    await press('Enter')
    expect(await focused()).toBe('Close')
    await press('Tab')
    expect(await setting('The beginning, then a summary').isChecked()).toBe(true)
    await press('ArrowDown')
    expect(await setting('Everything').isChecked()).toBe(true)
    await setting('Less motion').focus()
    await press('Space')
    await setting('Sounds when an answer ends').focus()
    await press('Space')
    await expectKept()
    await press('Escape')
    expect(await focused()).toBe('Settings')

    await page.reload()
    await tabTo('Settings')
    await press('Enter')
    expect(await setting('Everything').isChecked()).toBe(true)
    expect(await setting('Less motion').isChecked()).toBe(true)
    expect(await setting('Sounds when an answer ends').isChecked()).toBe(true)
    await press('Escape')

    // What they mean: nothing moves while an answer comes, and its end is heard.
    await page.evaluate(() => {
      const { start } = OscillatorNode.prototype
      const tones: number[] = []
      Object.assign(window, { tones })
      OscillatorNode.prototype.start = function play(at) {
        tones.push(this.frequency.value)
        start.call(this, at)
      }
    })
    await ask('How does a canal lock lift a boat without a pump?')
    await page.locator('[data-status=running] .sluice-md').waitFor()
    expect(await page.evaluate('document.getAnimations().length')).toBe(0)
    await ended('complete')
    await expect.poll(() => page.evaluate('tones.length')).toBe(2)
    await expectKept()
  })
})

describe('what a page is asked in the answer', () => {
  interface Hand {
    push(text: string): void
    event(event: object): void
    finish(reason: string): void
  }

  const tell = (event: object): Promise<void> =>
    page.evaluate((told) => (window as unknown as Hand).event(told), event)

  async function begin(): Promise<void> {
    await open(`${site.url}/thread.html`)
    await page.getByRole('textbox').focus()
    await page.keyboard.type('How?')
    await press('Enter')
    await page.locator('[data-status=running]').waitFor()
  }

  test('a doubtful link asks, and gives the focus back', async () => {
    await begin()
    await page.evaluate(() => {
      const hand = window as unknown as Hand
      hand.push('Look at [sluice.example](https://elsewhere.example/) now.')
      hand.finish('stop')
    })
    await ended('complete')
    await tabTo('sluice.example', 'Shift+Tab')
    await press('Enter')
    expect(await focused()).toContain('Open')
    await press('Escape')
    expect(await focused()).toBe('sluice.example')
    await press('Enter')
    await press('Tab')
    await press('Enter')
    expect(await focused()).toBe('sluice.example')
    await expectKept()
  })

  test('an image that is loaded, and a call that is allowed', async () => {
    await begin()
    await page.evaluate(() =>
      (window as unknown as Hand).push('![A lock](https://elsewhere.example/lock.png)\n\n'),
    )
    await page.getByRole('button', { name: 'Load image' }).waitFor()
    await tabTo('Load image', 'Shift+Tab')
    await press('Enter')
    expect(await focusedRole()).toBe('assistant')

    const call = { toolCallId: 'c', name: 'locate' }
    await tell({ type: 'tool_start', part: 'c', ...call, inputKind: 'json', runs: 'server' })
    await tell({ type: 'tool_complete', ...call, argsText: '{}', args: {} })
    await tell({ type: 'tool_approval', ...call, approvalId: 'a' })
    await tell({ type: 'done', finishReason: 'paused' })
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    await tabTo('Allow')
    await press('Enter')
    await page.getByRole('button', { name: 'Allow' }).waitFor({ state: 'detached' })
    expect(await focusedRole()).toBe('assistant')
    await expectKept()
  })
})
