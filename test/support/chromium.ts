import { chromium, type Browser, type LaunchOptions } from 'playwright-core'
import { findChromium } from '../../scripts/chromium.mjs'

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Launches the system's Chromium, headless; extra `args` are added to ours. */
export function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined)
    throw new Error('No Chromium: `npm test` installs one or says how.')
  return chromium.launch({ ...options, executablePath, args: [...args, ...(options.args ?? [])] })
}
