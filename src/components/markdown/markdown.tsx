'use client'
import { useId, useMemo, type ReactNode } from 'react'
import { useLabels } from '../../react/labels/context.tsx'
import type { PolicyLevel } from '../../safety/url.ts'
import { copySelection, prepareCopy } from '../copy/selection.ts'
import { Blocks } from './blocks.tsx'
import { createSource } from './source.ts'
import {
  StreamingContext,
  ViewContext,
  type MarkdownComponents,
  type MarkdownExtension,
  type MarkdownPolicy,
  type View,
} from './view.ts'

/** Props of {@link Markdown}. */
export interface MarkdownProps {
  /** The text so far. While it only grows, what it grows by is all that is read. */
  readonly text: string
  /** Whether more of the text may come. Default false. */
  readonly streaming?: boolean | undefined
  /** Whether the text that has ended is whole: false if it was stopped, interrupted or failed. Default true. */
  readonly complete?: boolean | undefined
  /** Syntaxes and renderers, for example of `sluice/code`. An array that keeps its identity. */
  readonly extensions?: readonly MarkdownExtension[] | undefined
  readonly components?: MarkdownComponents | undefined
  /** What may be linked to, loaded and shown. Default `strict`. */
  readonly policy?: PolicyLevel | MarkdownPolicy | undefined
  /** Added to each heading's level, so that an answer stands below its page's own headings. Default 0. */
  readonly headingOffset?: number | undefined
}

const prepare = (): void => {
  prepareCopy().catch((error: unknown) => reportError(error))
}

const noExtensions: readonly MarkdownExtension[] = []
const noComponents: MarkdownComponents = {}

/** Draws Markdown while it arrives: what is settled is not touched again, half a link is no link, nothing is loaded. */
export function Markdown({
  text,
  streaming = false,
  complete = true,
  extensions = noExtensions,
  components = noComponents,
  policy = 'strict',
  headingOffset = 0,
}: MarkdownProps): ReactNode {
  const labels = useLabels()
  const idPrefix = useId()
  const source = useMemo(() => createSource(extensions), [extensions])
  const view = useMemo<View>(
    () => ({
      components,
      renderers: {
        blocks: merged(extensions.map(({ renderers }) => renderers?.blocks)),
        inlines: merged(extensions.map(({ renderers }) => renderers?.inlines)),
        code: merged(extensions.map(({ renderers }) => renderers?.code)),
        codeLines: extensions.findLast(({ renderers }) => renderers?.codeLines)?.renderers
          ?.codeLines,
      },
      policy: typeof policy === 'string' ? { level: policy } : policy,
      headingOffset,
      idPrefix,
      made: new WeakMap(),
    }),
    [components, extensions, policy, headingOffset, idPrefix],
  )
  const { groups, hidden } = source.read(
    text,
    streaming ? 'streaming' : complete ? 'complete' : 'stopped',
  )
  return (
    <ViewContext value={view}>
      <StreamingContext value={streaming}>
        <div className="sluice-md" onCopy={copySelection} onPointerDown={prepare}>
          <Blocks groups={groups} />
          {hidden > 0 && (
            <p className="sluice-md-notice">{labels.markdown.hiddenCharacters(hidden)}</p>
          )}
        </div>
      </StreamingContext>
    </ViewContext>
  )
}

function merged<T>(
  maps: readonly (Readonly<Record<string, T>> | undefined)[],
): Readonly<Record<string, T>> {
  // Without a prototype: a model may name a language `constructor`.
  return Object.assign(Object.create(null), ...maps) as Readonly<Record<string, T>>
}
