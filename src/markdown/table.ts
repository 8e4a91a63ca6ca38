import type { Alignment, Block, TableRow } from './block.ts'
import { groupedBuilder } from './grouped.ts'
import { groupSize } from './read.ts'

/** A top-level table that is being written: a complete row is looked at once. */
export interface OpenTable {
  /** Head and delimiter row: put before new rows, they make the parser read these as rows. */
  readonly prefix: string
  /** Source of the settled rows. */
  source: string
  readonly columns: number
  readonly length: number
  push(row: TableRow): void
  /** Text of rows beyond the limit of cells. */
  overflow: string
  blocks(rest: readonly TableRow[]): readonly Block[]
}

export function openTable(
  prefix: string,
  columns: readonly Alignment[],
  head: TableRow,
): OpenTable {
  const rows = groupedBuilder<TableRow>(groupSize)
  return {
    prefix,
    source: '',
    columns: columns.length,
    get length() {
      return rows.length
    },
    push: (row) => rows.push(row),
    overflow: '',
    blocks(rest) {
      const table: Block = { kind: 'table', columns, head, rows: rows.with(rest) }
      if (this.overflow === '') return [table]
      return [table, { kind: 'plain', text: this.overflow, reason: 'cells' }]
    },
  }
}
