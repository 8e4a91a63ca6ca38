'use client'
import type { ReactElement } from 'react'
import type { ChatMessage, SourceDocumentPart, SourceUrlPart } from '../../protocol/message.ts'
import { useLabels } from '../../react/labels/context.tsx'
import { checkLink } from '../../safety/url.ts'
import { renderPart, type PartProps } from '../part.ts'
import { useMessage } from './message-context.ts'

type Source = SourceUrlPart | SourceDocumentPart

const isSource = (part: { readonly type: string }): part is Source =>
  part.type === 'source-url' || part.type === 'source-document'

function SourceItem({ source }: { readonly source: Source }): ReactElement {
  const title =
    source.title ??
    (source.type === 'source-url' ? source.url : (source.filename ?? source.mediaType))
  const href = source.type === 'source-url' ? checkLink(source.url, title)?.href : undefined
  return (
    <li dir="auto">
      {href === undefined ? (
        title
      ) : (
        <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
          {title}
        </a>
      )}
    </li>
  )
}

/** Props of {@link MessageSources}. */
export type MessageSourcesProps = PartProps<'aside', { readonly count: number }> & {
  readonly message?: ChatMessage | undefined
}

/** What the answer cites, in order, each once. Nothing where it cites nothing. */
export function MessageSources({
  message: given,
  ...props
}: MessageSourcesProps): ReactElement | null {
  const labels = useLabels()
  const message = useMessage(given)
  const sources = [
    ...new Map(message.parts.filter(isSource).map((source) => [source.sourceId, source])).values(),
  ]
  if (sources.length === 0) return null
  return renderPart(
    'aside',
    props,
    {
      className: 'sluice-sources',
      'aria-label': labels.message.sources,
      children: (
        <ol>
          {sources.map((source) => (
            <SourceItem key={source.sourceId} source={source} />
          ))}
        </ol>
      ),
    },
    { count: sources.length },
  )
}
