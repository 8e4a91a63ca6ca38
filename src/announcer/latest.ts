/**
 * Moves the focus to the heading of the latest answer in the page, or to the answer itself where it has none. False where
 * there is no answer. Answers are found by their mark, `data-role="assistant"`.
 */
export function focusLatestAnswer(document: Document): boolean {
  const answers = document.querySelectorAll<HTMLElement>('[data-role="assistant"]')
  const latest = answers.item(answers.length - 1)
  if (latest === null) return false
  const target = latest.querySelector<HTMLElement>('h1, h2, h3, h4, h5, h6') ?? latest
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1
  target.focus()
  return true
}
