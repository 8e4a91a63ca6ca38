'use client'
// Tables for spreadsheets.

/** The cells of a table as they read: a line each, without buttons. */
function rowsOf(table: HTMLTableElement): string[][] {
  return [...table.rows].map((row) =>
    [...row.cells].map((cell) => {
      const text = cell.cloneNode(true) as Element
      for (const control of text.querySelectorAll('button, .sluice-md-question')) control.remove()
      for (const formula of text.querySelectorAll('[data-source]'))
        formula.textContent = formula.getAttribute('data-source')
      return harmless((text.textContent ?? '').replaceAll(/\s+/g, ' ').trim())
    }),
  )
}

/** A spreadsheet runs what begins like a formula. A number with its sign is none. */
const harmless = (text: string): string =>
  /^[=@]|^[+-](?![\d\s.,]*%?$)/.test(text) ? `'${text}` : text

/** As comma-separated values (RFC 4180). */
export function toCsv(table: HTMLTableElement): string {
  return rowsOf(table)
    .map((cells) => `${cells.map(quoted).join(',')}\r\n`)
    .join('')
}

/** As tab-separated values, which spreadsheets take when they are pasted. */
export function toTsv(table: HTMLTableElement): string {
  return rowsOf(table)
    .map((cells) => cells.join('\t'))
    .join('\n')
}

const quoted = (text: string): string =>
  /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
