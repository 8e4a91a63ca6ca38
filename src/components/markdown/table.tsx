'use client'
import {
  createElement,
  memo,
  use,
  useRef,
  type FunctionComponent,
  type ReactElement,
  type ReactNode,
} from 'react'
import type { Alignment, Block, TableRow } from '../../markdown/block.ts'
import { useLabels } from '../../react/labels/context.tsx'
import { inlineChildren } from './inline.tsx'
import { TableCopy } from './table-copy.tsx'
import { ViewContext, type View } from './view.ts'

/** A table in its own scroll region. Columns keep their width while rows arrive. */
export function MarkdownTable({
  block,
}: {
  readonly block: Extract<Block, { kind: 'table' }>
}): ReactNode {
  const view = use(ViewContext)
  const labels = useLabels()
  const figure = useRef<HTMLDivElement>(null)
  const { columns, head, rows } = block
  if (view === undefined) return null
  const table = createElement(
    view.components.table ?? 'table',
    { className: `sluice-md-columns-${Math.min(columns.length, 12)}` },
    <thead>
      <Row row={head} columns={columns} tag="th" />
    </thead>,
    ...rows.map((group, index) => <Rows key={index} rows={group} columns={columns} />),
  )
  return (
    <div className="sluice-md-figure" ref={figure}>
      <div
        className="sluice-md-table"
        role="region"
        aria-label={labels.markdown.table}
        tabIndex={0}
      >
        {table}
      </div>
      <TableCopy of={figure} />
    </div>
  )
}

interface RowsProps {
  readonly rows: readonly TableRow[]
  readonly columns: readonly Alignment[]
}

const Rows: FunctionComponent<RowsProps> = memo(function Rows({
  rows,
  columns,
}: RowsProps): ReactNode {
  return (
    <tbody>
      {rows.map((row, index) => (
        <Row key={index} row={row} columns={columns} tag="td" />
      ))}
    </tbody>
  )
})

interface RowProps {
  readonly row: TableRow
  readonly columns: readonly Alignment[]
  readonly tag: 'td' | 'th'
}

const Row: FunctionComponent<RowProps> = memo(function Row({
  row,
  columns,
  tag,
}: RowProps): ReactNode {
  const view = use(ViewContext)
  if (view === undefined) return null
  const cells = row.map((cell, index) => cellElement(cell, columns[index], tag, view))
  return createElement(view.components.tr ?? 'tr', null, ...cells)
})

function cellElement(
  cell: TableRow[number],
  alignment: Alignment,
  tag: 'td' | 'th',
  view: View,
): ReactElement {
  const props = {
    dir: 'auto',
    className: alignment === undefined ? undefined : `sluice-md-${alignment}`,
    ...(tag === 'th' ? { scope: 'col' } : {}),
  }
  return createElement(view.components[tag] ?? tag, props, ...inlineChildren(cell, view))
}
