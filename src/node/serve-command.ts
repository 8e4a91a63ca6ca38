import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { mistake, portOf, reading, tellTaken } from './command-line.ts'
import { modelFrom, modelNames, type ModelName } from './models.ts'
import { serve } from './serve.ts'

const isModelName = (name: string): name is ModelName =>
  (modelNames as readonly string[]).includes(name)

/** `sluice serve`. Resolves once the server listens. */
export async function serveCommand(args: readonly string[]): Promise<number> {
  const { values } = reading(() =>
    parseArgs({
      args: [...args],
      options: {
        model: { type: 'string', default: 'scripted' },
        'base-url': { type: 'string' },
        'model-name': { type: 'string' },
        port: { type: 'string', default: '3000' },
        host: { type: 'string', default: '127.0.0.1' },
      },
    }),
  )
  const name = values.model
  if (!isModelName(name)) {
    return mistake(`There is no model ${name}: choose one of ${modelNames.join(', ')}.`)
  }
  const model = modelFrom(name, {
    baseURL: values['base-url'],
    model: values['model-name'],
    env: process.env,
  })
  if (typeof model === 'string') return mistake(model)
  const folder = fileURLToPath(new URL('../example/', import.meta.url))
  if (!existsSync(folder)) console.error(`The page is not built: there is no ${folder}.`)
  const { url } = await serve({
    model,
    demo: name === 'scripted',
    folder,
    host: values.host,
    port: portOf(values.port),
    onTaken: tellTaken,
  })
  console.log(url)
  return 0
}
