'use client'
import {
  use,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
} from 'react'
import { useLabels } from '../../react/labels/context.tsx'
import { checkLink } from '../../safety/url.ts'
import { ViewContext } from './view.ts'

/** Props of {@link MarkdownLink}. */
export interface MarkdownLinkProps {
  readonly href: string
  readonly title?: string | undefined
  /** What the link says, as plain text. */
  readonly text: string
  readonly children?: ReactNode
}

/** A link that a model wrote: judged by the policy, opened elsewhere, and asked about where it may not be what it says. */
export function MarkdownLink({ href, title, text, children }: MarkdownLinkProps): ReactNode {
  const view = use(ViewContext)
  const link = checkLink(href, text, view?.policy)
  const Anchor = view?.components.a ?? 'a'
  if (link === undefined) return children
  const props = {
    href: link.href,
    title,
    target: '_blank',
    rel: 'noopener noreferrer nofollow ugc',
    referrerPolicy: 'no-referrer',
    children,
  } as const
  if (link.doubts.length === 0) return <Anchor {...props} />
  return <DoubtfulLink {...props} host={link.host} />
}

interface DoubtfulLinkProps extends Omit<React.JSX.IntrinsicElements['a'], 'ref'> {
  readonly host: string
}

// The person has just asked for it: what is asked back takes the focus, once.
const focusNow = (element: HTMLElement | null): void => element?.focus()

/** Asks before it opens, and says where it leads. */
function DoubtfulLink({ host, href, children, ...props }: DoubtfulLinkProps): ReactElement {
  const labels = useLabels()
  const id = useId()
  const [isAsking, setAsking] = useState(false)
  const ask = (event: MouseEvent): void => {
    // The third button opens a menu, which shows the address itself.
    if (event.button === 2) return
    event.preventDefault()
    setAsking(true)
  }
  const link = useRef<HTMLAnchorElement>(null)
  const close = (): void => {
    setAsking(false)
    link.current?.focus({ preventScroll: true })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isAsking) return
    event.stopPropagation()
    close()
  }
  return (
    <span className="sluice-md-doubt" role="presentation" onKeyDown={onKeyDown}>
      <a
        {...props}
        ref={link}
        href={href}
        onClick={ask}
        onAuxClick={ask}
        aria-describedby={isAsking ? id : undefined}
      >
        {children}
      </a>
      {isAsking && (
        <span className="sluice-md-question" role="group" aria-labelledby={id}>
          <span id={id} role="status">
            {labels.markdown.opensHost(host)}
          </span>
          <a {...props} href={href} className="sluice-md-open" onClick={close} ref={focusNow}>
            {labels.markdown.openLink}
          </a>
          <button type="button" onClick={close}>
            {labels.markdown.keepClosed}
          </button>
        </span>
      )}
    </span>
  )
}
