// npm run test:screen-reader [-- WORDS OF A SCENARIO'S NAME …]: what a real screen reader says of a streamed answer.
import { existsSync, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ensureChromium } from '../../scripts/chromium.mjs'
import { installMissing } from '../../scripts/install.mjs'
import { root, run } from '../../scripts/run.mjs'

const packages = [
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

const programs = [
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

/** @returns {Promise<boolean>} Whether all is there that a session needs, where need be installed now. */
async function ensurePrograms() {
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
if (!(await ensurePrograms()) || !(await ensureChromium())) process.exit(1)

const here = join(root, 'test/screen-reader')
const results = join(root, '.cache/screen-reader')
mkdirSync(results, { recursive: true })
const measure = ['node', join(here, 'measure.mjs'), ...process.argv.slice(2)]
process.exit(await run(join(here, 'session.sh'), [join(results, 'spoken.jsonl'), ...measure]))
