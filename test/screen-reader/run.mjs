// npm run test:screen-reader [-- --firefox] [WORDS OF A SCENARIO'S NAME …]: what a real screen reader says of a streamed answer.
import { existsSync, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ensureChromium } from '../../scripts/chromium.mjs'
import { installMissing } from '../../scripts/install.mjs'
import { root, run } from '../../scripts/run.mjs'

const sessionPackages = [
  'orca',
  'speech-dispatcher',
  'xvfb',
  'dbus',
  'dbus-x11',
  'at-spi2-core',
  'python3-pyatspi',
  'gir1.2-wnck-3.0',
  'openbox',
  'xdotool',
]

const sessionPrograms = [
  'orca',
  'speech-dispatcher',
  'spd-say',
  'Xvfb',
  'dbus-daemon',
  'dbus-send',
  'openbox',
  'xdotool',
  'setpriv',
]

/**
 * @param {readonly string[]} programs
 * @param {readonly string[]} packages
 * @returns {Promise<boolean>} Whether the programs are there, where need be installed now.
 */
async function ensure(programs, packages) {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const missing = programs.filter(
    (name) => !folders.some((folder) => existsSync(join(folder, name))),
  )
  if (missing.length === 0) return true
  const install = ['install', '-y', '--no-install-recommends', ...packages]
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) {
    console.error(`Missing: ${missing.join(', ')}. As root: apt-get ${install.join(' ')}`)
    return false
  }
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-q'], env)
  return (await run('apt-get', [...install, '-q'], env)) === 0
}

if (process.platform !== 'linux') {
  console.error('Orca runs on Linux only.')
  process.exit(1)
}
await installMissing()
if (!(await ensure(sessionPrograms, sessionPackages)) || !(await ensureChromium())) process.exit(1)

const here = join(root, 'test/screen-reader')
const results = join(root, '.cache/screen-reader')
mkdirSync(results, { recursive: true })
const [first, ...others] = process.argv.slice(2)
const isFirefox = first === '--firefox'
const wanted = isFirefox ? others : process.argv.slice(2)
if (isFirefox && !(await ensure(['firefox-esr'], ['firefox-esr']))) process.exit(1)
const measure = ['node', join(here, 'measure.mjs'), isFirefox ? 'firefox' : 'chromium', ...wanted]
process.exit(await run(join(here, 'session.sh'), [join(results, 'spoken.jsonl'), ...measure]))
