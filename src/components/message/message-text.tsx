'use client'
import type { ReactNode } from 'react'
import type { TextPart } from '../../protocol/message.ts'
import { useSettings } from '../../react/settings.ts'
import { useSmoothText } from '../../react/use-smooth-text.ts'
import { useRendering } from '../rendering.ts'
import { Markdown } from '../markdown/markdown.tsx'

/** Answers' headings stand below the message's own `h2`. */
const headingOffset = 2

/** Props of {@link MessageText}. */
export interface MessageTextProps {
  readonly part: TextPart
  /** Whether the answer ended as it should: what was cut off in the middle is shown as text, not as what it might have become. */
  readonly isWhole: boolean
}

/** Text of an answer, as Markdown, with a caret while it grows. */
export function MessageText({ part, isWhole }: MessageTextProps): ReactNode {
  const { extensions } = useRendering()
  const isStreaming = part.state === 'streaming'
  const [{ reveal, motion }] = useSettings()
  const text = useSmoothText(part.text, {
    streaming: isStreaming,
    enabled: reveal === 'smooth' && motion === 'system',
  })
  return (
    <div className="sluice-text" data-streaming={isStreaming ? '' : undefined}>
      <Markdown
        text={text}
        streaming={isStreaming}
        complete={isWhole}
        headingOffset={headingOffset}
        extensions={extensions}
      />
    </div>
  )
}

/** What a person wrote: as they wrote it, never interpreted. */
export function PlainText({ text }: { readonly text: string }): ReactNode {
  return (
    <p className="sluice-plain" dir="auto">
      {text}
    </p>
  )
}
