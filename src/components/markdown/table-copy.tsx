'use client'
import { memo, type FunctionComponent, type ReactNode, type RefObject } from 'react'
import { useLabels } from '../../react/labels/context.tsx'
import { writeClipboard } from '../copy/clipboard.ts'
import { copyIcons } from '../copy/icons.ts'
import { useCopy } from '../copy/use-copy.ts'
import { Icon } from '../icon.tsx'

type Format = 'Markdown' | 'CSV' | 'TSV'

const formats: readonly Format[] = ['Markdown', 'CSV', 'TSV']

/** Props of {@link TableCopy}. */
export interface TableCopyProps {
  /** Around the table. */
  readonly of: RefObject<HTMLElement | null>
}

/** Copies a table in one of three formats. It is not drawn again for a row more. */
export const TableCopy: FunctionComponent<TableCopyProps> = memo(function TableCopy({
  of,
}: TableCopyProps): ReactNode {
  return (
    <div className="sluice-md-copies">
      {formats.map((format) => (
        <CopyAs key={format} of={of} format={format} />
      ))}
    </div>
  )
})

interface CopyAsProps extends TableCopyProps {
  readonly format: Format
}

function CopyAs({ of, format }: CopyAsProps): ReactNode {
  const labels = useLabels()
  const { state, copy } = useCopy(() => {
    const table = of.current?.querySelector('table')
    if (table == null) return Promise.resolve()
    if (format === 'Markdown') {
      const seen = import('../copy/what-is-seen.ts')
      return writeClipboard({
        text: seen.then(({ toMarkdown }) => toMarkdown(table)),
        html: seen.then(({ toHtml }) => toHtml(table)),
      })
    }
    const cells = import('../copy/cells.ts')
    return writeClipboard({
      text: cells.then(({ toCsv, toTsv }) => (format === 'CSV' ? toCsv(table) : toTsv(table))),
    })
  })
  const names = {
    idle: labels.markdown.copyTableAs(format),
    copied: labels.markdown.copied,
    failed: labels.message.copyFailed,
  }
  return (
    <button type="button" className="sluice-md-copy-as" aria-label={names[state]} onClick={copy}>
      {format}
      {state !== 'idle' && <Icon of={copyIcons[state]} />}
    </button>
  )
}
