import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run } from './run.mjs'

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome.exe',
]

const places = [
  '/usr/bin',
  '/usr/local/bin',
  '/snap/bin',
  '/Applications/Chromium.app/Contents/MacOS',
  '/Applications/Google Chrome.app/Contents/MacOS',
  ...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => {
    const folder = process.env[name]
    return folder === undefined ? [] : [join(folder, 'Google/Chrome/Application')]
  }),
]

/**
 * The path of a Chromium or Chrome: `CHROMIUM_PATH`, else the first on the path or in the usual
 * places; undefined if there is none.
 *
 * @returns {string | undefined}
 */
export function findChromium() {
  const named = process.env['CHROMIUM_PATH']
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named
    throw new Error(`CHROMIUM_PATH names ${named}, where there is no file.`)
  }
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...places]
  return folders
    .flatMap((folder) => [...names, 'Chromium', 'Google Chrome'].map((name) => join(folder, name)))
    .find((path) => existsSync(path))
}

/** Finds a Chromium or installs Debian's; says in one line what to do where it can't. */
export async function ensureChromium() {
  if (findChromium() !== undefined) return true
  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    console.log('Installing Chromium (apt-get install chromium) …')
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    const install = ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-noto-cjk']
    await run('apt-get', ['update', '-q'], env)
    await run('apt-get', [...install, '-q'], env)
    if (findChromium() !== undefined) return true
  }
  console.error('No Chromium found: install Chromium or Chrome, or name one in CHROMIUM_PATH.')
  return false
}
