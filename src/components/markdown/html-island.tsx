'use client'
import { use, useEffect, useRef, useState, type ReactNode } from 'react'
import { checkLink } from '../../safety/url.ts'
import { StreamingContext, ViewContext } from './view.ts'

/**
 * Raw HTML: as text, or, where the policy allows it, sanitised once nothing more comes. The fragment that the sanitiser
 * returns is put in as it is: no string becomes HTML here.
 */
export function HtmlIsland({ html }: { readonly html: string }): ReactNode {
  const view = use(ViewContext)
  const isStreaming = use(StreamingContext)
  const isWanted = view?.policy.html === 'sanitise' && !isStreaming
  const [isReady, setReady] = useState(false)
  const host = useRef<HTMLDivElement>(null)
  const policy = view?.policy
  useEffect(() => {
    if (!isWanted) return undefined
    let isCurrent = true
    import('../../safety/html.ts')
      .then(({ createSanitiser }) => {
        if (!isCurrent || host.current === null) return
        const judge = (href: string, text: string): string | undefined =>
          checkLink(href, text, policy)?.href
        host.current.replaceChildren(createSanitiser(window).sanitise(html, judge))
        setReady(true)
      })
      .catch((error: unknown) => reportError(error))
    return () => {
      isCurrent = false
    }
  }, [isWanted, html, policy])
  return (
    <>
      {isWanted && <div ref={host} className="sluice-md-html" dir="auto" />}
      {!isReady && (
        <p className="sluice-md-source" dir="auto">
          {html.replace(/\n$/, '')}
        </p>
      )}
    </>
  )
}
