'use client'
import { FileText } from 'lucide-react'
import type { ReactNode } from 'react'
import type { FilePart } from '../../protocol/message.ts'
import { useLabels } from '../../react/labels/context.tsx'
import { Icon } from '../icon.tsx'

/** Bitmaps that the message itself carries: no request is made for them, and they cannot run anything. */
const ownBitmap = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,/

/** A file: a picture where the message carries one, else its name. Nothing is loaded from elsewhere. */
export function MessageFile({ part }: { readonly part: FilePart }): ReactNode {
  const labels = useLabels()
  const name = part.filename ?? labels.message.attachment
  if (ownBitmap.test(part.url)) return <img className="sluice-picture" src={part.url} alt={name} />
  return (
    <p className="sluice-file">
      <Icon of={FileText} />
      <span dir="auto">{name}</span>
      <span className="sluice-muted">{part.mediaType}</span>
    </p>
  )
}
