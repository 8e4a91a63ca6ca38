import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** What the page may do: nothing but its own scripts and styles, and no string becomes markup or code. */
export const CONTENT_SECURITY_POLICY =
  "default-src 'self'; img-src 'self' data:; require-trusted-types-for 'script'"

/** Serves the files of one folder and nothing outside it; `index.html` for `/`. */
export function staticFiles(
  folder: string,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      return plain(response, 405, 'Only GET and HEAD are served here.')
    }
    const file = await fileAt(folder, request.url ?? '/')
    if (file === undefined) return plain(response, 404, 'There is no such file.')
    response.writeHead(200, {
      'content-type': TYPES[extname(file.path)] ?? 'application/octet-stream',
      'content-length': file.size,
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      // The build puts a hash of the content into the names of what is in `assets`.
      'cache-control': file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
    if (request.method === 'HEAD') {
      response.end()
      return
    }
    // Fails only if the browser leaves or the disk does; either way there is nobody to tell but the connection.
    await pipeline(createReadStream(file.path), response).catch(() => response.destroy())
  }
}

interface File {
  readonly path: string
  readonly size: number
  readonly isHashed: boolean
}

async function fileAt(folder: string, target: string): Promise<File | undefined> {
  const pathname = decoded(target.split(/[?#]/, 1)[0] ?? '/')
  if (pathname === undefined) return undefined
  const name = pathname.endsWith('/') ? `${pathname}index.html` : pathname
  try {
    const root = await realpath(folder)
    // The real path, so that neither `..` nor a link leads out.
    const path = await realpath(join(root, name))
    const { size, isFile } = await stat(path).then((stats) => ({
      size: stats.size,
      isFile: stats.isFile(),
    }))
    if (!isFile || !path.startsWith(root + sep)) return undefined
    return { path, size, isHashed: name.startsWith('/assets/') }
  } catch {
    return undefined
  }
}

function decoded(path: string): string | undefined {
  try {
    const text = decodeURIComponent(path)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  })
  response.end(`${text}\n`)
}
