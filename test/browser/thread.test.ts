import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { serveFolder, type StaticServer } from '../support/static-server.ts'
import { buildPages } from '../../scripts/pages.mjs'

let browser: Browser
let site: StaticServer
let page: Page

beforeAll(async () => {
  site = await serveFolder(await buildPages('production'))
  browser = await launchChromium()
})

afterEach(async () => {
  await page?.context().close()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

async function open(query = '', options: BrowserContextOptions = {}): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 }, ...options })
  page = await context.newPage()
  await page.goto(`${site.url}/thread.html?${query}`)
  await page.getByRole('textbox').waitFor()
}

/** Sends a question, whose answer the test then gives. */
async function ask(question = 'How?'): Promise<void> {
  await page.getByRole('textbox').fill(question)
  await page.keyboard.press('Control+Enter')
  await page.locator('[data-status=running]').waitFor()
}

/** Two frames: what was sent has been drawn and laid out. */
const drawn = (): Promise<unknown> =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  )

/** Pieces of an answer, each drawn before the next. */
async function push(count: number, text = 'Another line of the answer.\n\n'): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) {
    await page.evaluate((piece) => (window as unknown as Hand).push(piece), text)
    await drawn()
  }
}

interface Hand {
  push(text: string): void
  event(event: object): void
  finish(reason: string): void
}

interface Finder {
  find(text: string): boolean
}

const finish = (reason = 'stop'): Promise<void> =>
  page.evaluate((word) => (window as unknown as Hand).finish(word), reason)

const viewport = () => page.getByRole('region', { name: 'Conversation' })
const top = (): Promise<number> => viewport().evaluate((element) => element.scrollTop)
const distance = (): Promise<number> =>
  viewport().evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop)
const jump = () => page.locator('.sluice-jump')

/** Turns the wheel over the conversation and waits until it has come to rest. */
async function wheel(pixels: number): Promise<void> {
  await page.mouse.move(500, 300)
  await page.mouse.wheel(0, pixels)
  let last = Number.NaN
  await expect
    .poll(async () => {
      const now = await top()
      const isAtRest = now === last
      last = now
      return isAtRest
    })
    .toBe(true)
}

describe('following the end', () => {
  test('keeps the end in view while the answer grows', async () => {
    await open('turns=4')
    await ask()
    for (let piece = 0; piece < 20; piece += 1) {
      await push(1)
      expect(await distance()).toBeLessThanOrEqual(1)
    }
    expect(await jump().isVisible()).toBe(false)
  })

  // B137, B138
  test.for([1, 40, 300])(
    'a turn of %d px upward ends it, and the jump control brings it back',
    async (pixels) => {
      await open('turns=6')
      await ask()
      await push(10)
      await wheel(-pixels)
      const stayed = await top()
      for (let piece = 0; piece < 20; piece += 1) {
        await push(1)
        expect(Math.abs((await top()) - stayed)).toBeLessThanOrEqual(1)
      }
      expect(await jump().isVisible()).toBe(true)

      await jump().click()
      await push(3)
      expect(await distance()).toBeLessThanOrEqual(1)
      await expect.poll(() => jump().isVisible()).toBe(false)
    },
  )

  // B138
  test('closeness alone never brings it back; the reader’s own scroll to the end does', async () => {
    await open('turns=6')
    await ask()
    await push(10)
    await wheel(-40)
    await page.setViewportSize({ width: 1000, height: 800 })
    await drawn()
    await page.setViewportSize({ width: 1000, height: 700 })
    await push(10)
    expect(await distance()).toBeGreaterThan(100)

    await wheel(5000)
    await push(5)
    expect(await distance()).toBeLessThanOrEqual(1)
  })

  // B139
  test('content that grows above is no wish to leave, and the next wheel is', async () => {
    await open('turns=4')
    await ask()
    await push(10)
    await page
      .locator('article')
      .first()
      .evaluate((element) => {
        element.style.minHeight = `${element.getBoundingClientRect().height + 200}px`
      })
    await drawn()
    for (let piece = 0; piece < 5; piece += 1) {
      await push(1)
      expect(await distance()).toBeLessThanOrEqual(1)
    }
    await wheel(-3)
    await push(3)
    expect(await distance()).toBeGreaterThan(20)
  })

  // B141
  test('a wheel that turns inside a box is the box’s', async () => {
    await open('turns=4')
    await ask()
    await page.evaluate((output) => {
      const hand = window as unknown as Hand
      const call = { toolCallId: 'call', part: 'call' }
      hand.event({ type: 'tool_start', ...call, name: 'list', inputKind: 'json', runs: 'server' })
      hand.event({ type: 'tool_complete', ...call, argsText: '{}', args: {} })
      hand.event({ type: 'tool_result', ...call, state: 'succeeded', output, trusted: false })
    }, 'a line\n'.repeat(100))
    await page.getByText('Used list').click()
    await drawn()
    const box = page.locator('.sluice-field pre').last()
    await box.evaluate((element) => (element.scrollTop = 300))
    await box.hover()
    await page.mouse.wheel(0, -100)
    await expect.poll(() => box.evaluate((element) => element.scrollTop)).toBe(200)
    await push(10)
    expect(await distance()).toBeLessThanOrEqual(1)
  })

  // B143
  test('nothing is written to the scroll position once it has settled', async () => {
    await open('turns=4', { deviceScaleFactor: 0.85 })
    await ask()
    await push(10)
    const writes = await viewport().evaluate(async (element) => {
      const property = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollTop')
      let count = 0
      Object.defineProperty(element, 'scrollTop', {
        get: () => Number(property?.get?.call(element)),
        set: () => {
          count += 1
        },
      })
      for (let frame = 0; frame < 30; frame += 1)
        await new Promise((done) => requestAnimationFrame(done))
      return count
    })
    expect(writes).toBe(0)
  })

  test('a selection, or focus in an older message, ends it', async () => {
    await open('turns=4')
    await ask()
    await push(10)
    await page
      .locator('article[data-role=assistant] p')
      .first()
      .evaluate((element) => {
        document.getSelection()?.selectAllChildren(element)
      })
    await drawn()
    await push(5)
    expect(await distance()).toBeGreaterThan(100)
    // B146
    expect(await page.evaluate(() => String(document.getSelection()))).toContain('The gates meet')

    await jump().click()
    await push(1)
    expect(await distance()).toBeLessThanOrEqual(1)
    await page
      .locator('article')
      .nth(2)
      .evaluate((element) => {
        element.focus({ preventScroll: true })
      })
    await push(5)
    expect(await distance()).toBeGreaterThan(100)
  })

  test('what the reader sends is shown, wherever they were', async () => {
    await open('turns=8')
    await wheel(-600)
    await ask('Mine')
    await drawn()
    await expect.poll(distance).toBeLessThanOrEqual(1)
    expect(await page.getByText('Mine').isVisible()).toBe(true)
  })
})

describe('keys and focus', () => {
  test('focus never moves when an answer ends, and Stop turns into Send under it', async () => {
    await open()
    await ask()
    await push(3)
    const button = page.locator('.sluice-submit')
    await button.focus()
    expect(await button.getAttribute('aria-label')).toBe('Stop')
    await finish()
    await page.locator('[data-status=complete]').waitFor()
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await button.getAttribute('aria-label')).toBe('Send')
  })

  test('Escape stops; Alt and arrows walk the messages; End goes to the latest', async () => {
    await open('turns=6')
    await ask()
    await push(3)
    await page.keyboard.press('Escape')
    await page.locator('[data-reason=cancelled]').waitFor()

    for (let step = 0; step < 6; step += 1) await page.keyboard.press('Alt+ArrowUp')
    const focused = page.locator('article:focus')
    expect(await focused.getAttribute('data-role')).toBe('user')
    expect(await focused.textContent()).toContain('Question 4')
    expect(await distance()).toBeGreaterThan(100)
    await page.keyboard.press('End')
    expect(await distance()).toBeLessThanOrEqual(1)
    await page.keyboard.press('Shift+Escape')
    expect(await page.getByRole('textbox').evaluate((box) => box === document.activeElement)).toBe(
      true,
    )
  })

  test('the way of Tab: conversation, toolbars, text box, button', async () => {
    await open('turns=1')
    const stops: string[] = []
    for (let stop = 0; stop < 5; stop += 1) {
      await page.keyboard.press('Tab')
      stops.push(
        await page.evaluate(() => {
          const { activeElement: element } = document
          return element?.getAttribute('aria-label') ?? String(element?.tagName)
        }),
      )
    }
    expect(stops).toEqual(['Conversation', 'Copy', 'Copy', 'Message', 'Send'])
  })
})

describe('the look', () => {
  test('nothing jumps when the first words come: the pulse is as high as their line', async () => {
    await open()
    await ask()
    const height = () =>
      page
        .locator('[data-role=assistant]')
        .evaluate((element) => element.getBoundingClientRect().height)
    const waiting = await height()
    await push(1, 'A first line')
    expect(Math.abs((await height()) - waiting)).toBeLessThanOrEqual(0.5)
  })

  test('the composer travels from the middle to the foot, and covers nothing', async () => {
    await open()
    const place = async () => (await page.locator('.sluice-composer').boundingBox()) ?? { y: 0 }
    expect((await place()).y).toBeLessThan(400)
    await ask()
    await push(60)
    await finish()
    await page.locator('[data-status=complete]').waitFor()
    await expect.poll(async () => (await place()).y).toBeGreaterThan(600)
    const end = await page.locator('article').last().boundingBox()
    expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThanOrEqual((await place()).y)
  })

  test('the text box grows with its text, up to 40 % of the height', async () => {
    await open('turns=1')
    const box = page.getByRole('textbox')
    const height = () => box.evaluate((element) => (element as HTMLElement).offsetHeight)
    const one = await height()
    await box.fill('a\nb\nc')
    expect(await height()).toBe(one + 2 * 24)
    await box.fill('a\n'.repeat(100))
    expect(await height()).toBe(280)
  })

  test.for([
    [320, 640],
    [320, 256],
  ])('reflows at %d × %d without a sideways scroll', async ([width, height]) => {
    await open('turns=2', { viewport: { width: width ?? 0, height: height ?? 0 } })
    await ask('Averyveryverylongwordthatdoesnotfitintothelineofasmallscreenatall'.repeat(2))
    await push(3, 'https://example.com/a/very/long/address/that/does/not/fit/anywhere/at/all ')
    const overflow = await page.evaluate(() => {
      const region = document.querySelector('.sluice-viewport')
      const { documentElement: html } = document
      return [
        html.scrollWidth - html.clientWidth,
        region === null ? 1 : region.scrollWidth - region.clientWidth,
      ]
    })
    expect(overflow).toEqual([0, 0])
  })

  test.for([
    ['fine', 24, {}],
    ['coarse', 44, { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } }],
  ] as const)('targets for a %s pointer are at least %d px', async ([, least, options]) => {
    await open('', options)
    const small = () =>
      page.locator('button:visible, textarea:visible, summary:visible').evaluateAll(
        (elements, minimum) =>
          elements
            .filter((element) => {
              const { width, height } = element.getBoundingClientRect()
              return width < minimum || height < minimum
            })
            .map((element) => element.outerHTML.slice(0, 120)),
        least,
      )
    expect(await small()).toEqual([])
    await ask()
    await push(2)
    await finish('length')
    await page.getByText('Cut off at the length limit').waitFor()
    expect(await small()).toEqual([])
  })

  test('nothing moves under reduced motion', async () => {
    await open('', { reducedMotion: 'reduce' })
    const running = () =>
      page.evaluate(() =>
        document.getAnimations().map((run) => {
          const effect = run.effect as KeyframeEffect
          return `${run.constructor.name} of ${effect.target?.className}${effect.pseudoElement ?? ''}`
        }),
      )
    await ask()
    expect(await running()).toEqual([])
    await push(2)
    expect(await running()).toEqual([])
  })

  test('Arabic is laid out from right to left', async () => {
    await open('labels=ar&turns=1')
    const middle = async (selector: string): Promise<number> => {
      const box = await page.locator(selector).first().boundingBox()
      return (box?.x ?? 0) + (box?.width ?? 0) / 2
    }
    expect(await middle('.sluice-submit')).toBeLessThan(500)
    expect(await middle('[data-role=user] .sluice-parts')).toBeLessThan(500)
    expect(await middle('[data-role=user] .sluice-message-actions')).toBeLessThan(500)
  })

  test('lives under a strict policy: no inline style, no inline script', async () => {
    const context = await browser.newContext()
    page = await context.newPage()
    const policy = "default-src 'self'; img-src 'self' data:; require-trusted-types-for 'script'"
    await page.route('**/thread.html*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({
        response,
        headers: { ...response.headers(), 'content-security-policy': policy },
      })
    })
    await page.addInitScript(() => {
      const seen: string[] = []
      Object.assign(window, { violations: seen })
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        seen.push(`${violatedDirective} ${blockedURI}`),
      )
    })
    await page.goto(`${site.url}/thread.html?turns=2`)
    await ask()
    await push(2, '| a | b |\n| :- | -: |\n| 1 | 2 |\n\n```ts\nconst a = 1\n```\n\n- [x] done\n\n')
    await finish('length')
    await page.getByText('Cut off at the length limit').waitFor()
    expect(await page.evaluate('violations')).toEqual([])
  })
})

describe('long conversations', () => {
  const articles = (): Promise<number> => page.locator('article').count()
  const first = () => page.getByText('Question 0', { exact: true })

  test('of 1,000 messages all are drawn once the page is idle: to be searched, walked and read', async () => {
    await open('turns=500')
    expect(await page.getByText('Question 499', { exact: true }).isVisible()).toBe(true)
    expect(await distance()).toBeLessThanOrEqual(1)
    await expect.poll(articles).toBe(1000)
    // What was drawn above the view has not moved it.
    expect(await distance()).toBeLessThanOrEqual(1)
    expect(await page.evaluate(() => (window as unknown as Finder).find('Question 0'))).toBe(true)
  })

  test('of 10,000 those near the view are drawn, wherever a reader goes', async () => {
    await open('turns=5000')
    expect(await distance()).toBeLessThanOrEqual(1)
    expect(await articles()).toBeLessThan(300)
    await wheel(-3000)
    const before = await top()
    const shown = page.locator('article').filter({ visible: true })
    expect(await shown.count()).toBeGreaterThan(0)
    await drawn()
    expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(1)

    await viewport().evaluate((element) => element.scrollTo(0, 0))
    await first().waitFor()
    await viewport().evaluate((element) => element.scrollTo(0, element.scrollHeight / 2))
    await expect
      .poll(() =>
        page.evaluate(() => document.elementFromPoint(500, 300)?.closest('article') !== null),
      )
      .toBe(true)
    expect(await articles()).toBeLessThan(2500)
  })

  test('all is printed', async () => {
    await open('turns=550')
    expect(await articles()).toBeLessThan(300)
    await page.pdf()
    expect(await articles()).toBe(1100)
  })

  test('an answer grows at the end of 10,000 messages, and the end stays in view', async () => {
    await open('turns=5000')
    await ask()
    await push(10)
    expect(await distance()).toBeLessThanOrEqual(1)
    await finish()
    expect(await page.locator('article').last().getAttribute('data-status')).toBe('complete')
  })
})
