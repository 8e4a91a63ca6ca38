import axe from 'axe-core'
import type { Page } from 'playwright-core'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe finds against WCAG 2.2 AA in the page as it is, in the light and in the dark scheme; one line a finding. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const problems: string[] = []
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.evaluate(settleTransitions)
    const { violations } = await page.evaluate(
      (values) => window.axe.run('#storybook-root', { runOnly: { type: 'tag', values } }),
      tags,
    )
    for (const { id, help, nodes } of violations) {
      const places = nodes.map(({ html, failureSummary }) => `${html}\n  ${failureSummary ?? ''}`)
      problems.push(`${id} in the ${scheme} scheme: ${help}\n  ${places.join('\n  ')}`)
    }
  }
  return problems
}

/** Colours on their way from one scheme to the other are neither's. */
async function settleTransitions(): Promise<void> {
  const transitions = document.getAnimations().filter((run) => run instanceof CSSTransition)
  await Promise.allSettled(transitions.map((run) => run.finished))
}

declare global {
  interface Window {
    readonly axe: typeof axe
  }
}
