interface Channel {
  on(event: string, listener: (detail: unknown) => void): void
}

declare global {
  interface Window {
    /** `success`, or what went wrong in the story or its play function. */
    storyOutcome: Promise<string>
  }
}

/** Runs in the page before Storybook does: listens on its channel for how the first story ends. */
export function watchStory(): void {
  const failures = [
    'playFunctionThrewException',
    'storyErrored',
    'storyMissing',
    'storyThrewException',
    'unhandledErrorsWhilePlaying',
  ]
  const describe = (detail: unknown): string =>
    typeof detail === 'object' && detail !== null && 'stack' in detail
      ? String(detail.stack)
      : JSON.stringify(detail)
  const name = '__STORYBOOK_ADDONS_CHANNEL__'
  window.storyOutcome = new Promise((resolve) => {
    Object.defineProperty(window, name, {
      configurable: true,
      set(channel: Channel) {
        Object.defineProperty(window, name, { value: channel, configurable: true, writable: true })
        for (const failure of failures) {
          channel.on(failure, (detail) => resolve(`${failure}\n${describe(detail)}`))
        }
        channel.on('storyFinished', (detail) => {
          const { status } = detail as { status: string }
          resolve(status)
        })
      },
    })
  })
}
