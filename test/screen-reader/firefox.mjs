// A headed Firefox, driven over WebDriver BiDi: as much of it as a listening session needs.
import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { WebSocket } from 'ws'

/**
 * @typedef {object} Page
 * @property {(url: string) => Promise<unknown>} goto
 * @property {(selector: string) => Promise<unknown>} focus
 * @property {(run: (argument: string) => unknown, argument?: string) => Promise<any>} evaluate
 * @property {() => Promise<unknown>} close
 */

/** Quiet: nothing is fetched, asked or shown beside the page. */
const preferences = {
  'accessibility.force_disabled': -1,
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  'termsofuse.acceptedVersion': 999,
  'trailhead.firstrun.didSeeAboutWelcome': true,
}

/**
 * Starts Firefox with a profile of its own.
 *
 * @param {string} program
 * @returns {Promise<{ newPage: () => Promise<Page>, close: () => Promise<void> }>}
 */
export async function launchFirefox(program) {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'))
  writeFileSync(
    join(profile, 'user.js'),
    Object.entries(preferences)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
      .join(''),
  )
  const args = ['--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank']
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  /** @type {string} */
  const address = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`Firefox ended with ${code}.`)))
    createInterface({ input: child.stderr }).on('line', (line) => {
      const found = /WebDriver BiDi listening on (\S+)/.exec(line)
      if (found?.[1] !== undefined) resolve(found[1])
    })
  })
  const socket = new WebSocket(`${address}/session`)
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })

  /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map()
  let sent = 0
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, error, message } = JSON.parse(/** @type {string} */ (data))
    const call = waiting.get(id)
    waiting.delete(id)
    if (type === 'error') call?.reject(new Error(`${error}: ${message}`))
    else call?.resolve(result)
  })

  /**
   * @param {string} method
   * @param {object} params
   * @returns {Promise<any>}
   */
  const send = (method, params) =>
    new Promise((resolve, reject) => {
      sent += 1
      waiting.set(sent, { resolve, reject })
      socket.send(JSON.stringify({ id: sent, method, params }))
    })

  await send('session.new', { capabilities: {} })

  return {
    async newPage() {
      const { contexts } = await send('browsingContext.getTree', {})
      const { context } = contexts[0]
      /** @type {Page['evaluate']} */
      const evaluate = async (run, argument) => {
        const { type, result, exceptionDetails } = await send('script.callFunction', {
          functionDeclaration: String(run),
          arguments: argument === undefined ? [] : [{ type: 'string', value: argument }],
          awaitPromise: true,
          target: { context },
          userActivation: true,
        })
        if (type === 'exception') throw new Error(exceptionDetails.text)
        return result.value
      }
      return {
        goto: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
        focus: (selector) =>
          evaluate(
            (/** @type {string} */ wanted) =>
              /** @type {HTMLElement} */ (document.querySelector(wanted)).focus(),
            selector,
          ),
        evaluate,
        close: () => send('browsingContext.navigate', { context, url: 'about:blank' }),
      }
    },
    async close() {
      await send('browser.close', {}).catch(() => child.kill())
      socket.close()
    },
  }
}
