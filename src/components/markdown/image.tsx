'use client'
import { use, useState, type ReactNode } from 'react'
import { useLabels } from '../../react/labels/context.tsx'
import { checkImage } from '../../safety/url.ts'
import { ViewContext } from './view.ts'

/** Props of {@link MarkdownImage}. */
export interface MarkdownImageProps {
  /** Absent while the address is being written. */
  readonly src?: string | undefined
  readonly alt: string
  readonly title?: string | undefined
  /** Whether it is the content of a link, in which no button may stand. */
  readonly isInLink?: boolean | undefined
}

/** An image that a model asked for: a placeholder of its alternative text and host until the reader loads it. */
export function MarkdownImage({ src, alt, title, isInLink }: MarkdownImageProps): ReactNode {
  const view = use(ViewContext)
  const labels = useLabels()
  const [isWanted, setWanted] = useState(false)
  const image = src === undefined ? undefined : checkImage(src, view?.policy)
  const Image = view?.components.img ?? 'img'
  if (src !== undefined && image === undefined) return alt
  if (image !== undefined && (image.isAllowed || isWanted)) {
    return (
      <Image
        className="sluice-md-image"
        src={image.src}
        alt={alt}
        title={title}
        referrerPolicy="no-referrer"
        loading="lazy"
        decoding="async"
      />
    )
  }
  return (
    <span className="sluice-md-image" data-state={image === undefined ? 'unfinished' : 'blocked'}>
      <span>{alt}</span>
      {image !== undefined && (
        <span className="sluice-md-host">{labels.markdown.imageFrom(image.host)}</span>
      )}
      {image !== undefined && isInLink !== true && (
        <button type="button" onClick={() => setWanted(true)}>
          {labels.markdown.loadImage}
        </button>
      )}
    </span>
  )
}
