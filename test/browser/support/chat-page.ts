import type { Browser, Page } from 'playwright-core'

/** One change of the answer's text in the page. */
export interface Growth {
  /** Milliseconds since the navigation began. */
  readonly at: number
  readonly length: number
}

/** The chat page as a person uses it. */
export interface ChatPage {
  readonly page: Page
  /** What the page complained about: uncaught errors and console errors. */
  readonly problems: readonly string[]
  /** Types a question and sends it. */
  ask(question: string): Promise<void>
  /** Waits until the last answer has ended and returns how: `data-status` and `data-reason`. */
  ended(): Promise<{ status: string; reason: string | null; text: string }>
  /** How the text of the last answer grew. */
  growth(): Promise<readonly Growth[]>
  /** Frames drawn since the first text of the last answer, up to its end. */
  frames(): Promise<number>
  /** The words under the last answer that tell how it ended. */
  badge(): Promise<string>
  close(): Promise<void>
}

/** Writes down every distinct length of the newest answer's text, and counts frames; installed before the page's own script. */
function watchAnswer(): void {
  const growth: { at: number; length: number }[] = []
  let frames = 0
  let last = -1
  const look = (): void => {
    const answers = document.querySelectorAll('[data-role="assistant"] .sluice-md')
    const length = answers[answers.length - 1]?.textContent?.length ?? 0
    if (length !== last && length > 0) growth.push({ at: performance.now(), length })
    last = length
  }
  new MutationObserver(look).observe(document, {
    childList: true,
    characterData: true,
    subtree: true,
  })
  const count = (): void => {
    if (growth.length > 0) frames += 1
    requestAnimationFrame(count)
  }
  requestAnimationFrame(count)
  Object.assign(window, {
    answerGrowth: () => growth,
    answerFrames: () => frames,
    forgetGrowth: () => {
      growth.length = 0
      frames = 0
      last = -1
    },
  })
}

/** Opens a page with a chat in it. */
export async function openChat(browser: Browser, url: string): Promise<ChatPage> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await page.addInitScript(watchAnswer)
  await page.goto(url)
  const answers = page.locator('[data-role="assistant"]')
  return {
    page,
    problems,
    async ask(question) {
      const before = await answers.count()
      await page.evaluate('forgetGrowth()')
      await page.getByRole('textbox').fill(question)
      await page.keyboard.press('Enter')
      await answers.nth(before).waitFor({ state: 'attached' })
    },
    async ended() {
      const last = answers.last()
      await page.waitForFunction(() => {
        const all = document.querySelectorAll('[data-role="assistant"]')
        const status = all[all.length - 1]?.getAttribute('data-status')
        return status !== null && status !== 'running'
      })
      return {
        status: (await last.getAttribute('data-status')) ?? '',
        reason: await last.getAttribute('data-reason'),
        text: (await last.locator('.sluice-md').allInnerTexts()).join('\n').trim(),
      }
    },
    growth: () => page.evaluate('answerGrowth()'),
    frames: () => page.evaluate('answerFrames()'),
    badge: () => answers.last().locator('.sluice-status').innerText(),
    close: () => context.close(),
  }
}
