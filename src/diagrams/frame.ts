'use client'

/** How a diagram looks, as CSS colours. */
export interface DiagramLook {
  readonly text: string
  readonly surface: string
  readonly line: string
  readonly accent: string
  readonly font: string
  readonly isDark: boolean
}

/** What the frame says. */
export type FrameReport =
  | { readonly kind: 'drawn'; readonly height: number }
  | { readonly kind: 'failed' }

const maxHeight = 4000

/** A report of a frame, from data that may be anything. */
export function readReport(data: unknown): FrameReport | undefined {
  if (typeof data !== 'object' || data === null || !('sluiceDiagram' in data)) return undefined
  const height = data.sluiceDiagram
  if (typeof height !== 'number' || !(height > 0)) return { kind: 'failed' }
  return { kind: 'drawn', height: Math.min(Math.ceil(height), maxHeight) }
}

/** Runs in the frame, as text: it has no other way in. */
const glue = `
const say = (height) => parent.postMessage({ sluiceDiagram: height }, '*')
const { source, look } = JSON.parse(document.getElementById('data').textContent)
const draw = async () => {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    maxTextSize: 20000,
    maxEdges: 400,
    htmlLabels: false,
    flowchart: { htmlLabels: false, useMaxWidth: true },
    theme: 'base',
    darkMode: look.isDark,
    fontFamily: look.font,
    themeVariables: {
      darkMode: look.isDark,
      background: 'transparent',
      fontFamily: look.font,
      fontSize: '15px',
      primaryColor: look.surface,
      primaryTextColor: look.text,
      primaryBorderColor: look.line,
      secondaryColor: look.surface,
      tertiaryColor: look.surface,
      lineColor: look.line,
      textColor: look.text,
      titleColor: look.text,
      edgeLabelBackground: look.surface,
      clusterBkg: 'transparent',
      clusterBorder: look.line,
      noteBkgColor: look.surface,
      noteTextColor: look.text,
      noteBorderColor: look.accent,
      actorLineColor: look.line,
      signalColor: look.text,
      signalTextColor: look.text,
      labelBoxBkgColor: look.surface,
      activationBorderColor: look.accent,
    },
  })
  const { svg } = await mermaid.render('diagram', source)
  const host = document.getElementById('host')
  host.innerHTML = svg
  // Small print is no use to anyone: from three quarters of its size on, it scrolls.
  const width = host.firstElementChild.viewBox.baseVal.width * 0.75
  host.firstElementChild.style.minWidth = width + 'px'
  if (width > innerWidth) host.tabIndex = 0
  new ResizeObserver(() => say(host.getBoundingClientRect().height)).observe(host)
}
if (typeof mermaid === 'undefined') say(0)
else draw().catch(() => say(0))
`

/**
 * The document of a frame. Its policy lets in two scripts by a nonce, styles, and nothing else: no request goes out of it,
 * whatever the source makes Mermaid do.
 */
export function frameDocument(source: string, look: DiagramLook, script: string): string {
  const nonce = crypto.randomUUID()
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'`
  const data = JSON.stringify({ source, look }).replaceAll('<', '\\u003c')
  const scheme = look.isDark ? 'dark' : 'light'
  return `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="${scheme}">
<style>html{background:transparent}body{margin:0;overflow:hidden}#host{overflow:auto hidden}svg{display:block;margin:0 auto;max-inline-size:100%}</style>
<div id="host"></div>
<script id="data" type="application/json">${data}</script>
<script nonce="${nonce}" src="${script.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></script>
<script nonce="${nonce}">${glue}</script>`
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML: (html: string) => string },
  ): {
    createHTML(html: string): string
  }
}

let makeTrusted: ((html: string) => string) | undefined

/** Where a page asks for trusted types, the document as one; `undefined` if it allows no policy of ours. */
export function trusted(html: string): string | undefined {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  if (trustedTypes === undefined) return html
  try {
    makeTrusted ??= (
      (policy) => (document: string) =>
        policy.createHTML(document)
    )(trustedTypes.createPolicy('sluice-diagrams', { createHTML: (document) => document }))
    return makeTrusted(html)
  } catch {
    return undefined
  }
}
