/** CSV files for spreadsheets (RFC 4180). */

/** Makes spreadsheets read UTF-8. */
export const BYTE_ORDER_MARK = '\u{feff}'

export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** Texts that begin like a formula, also after apostrophes: otherwise a reader could not tell them from marked ones. */
const FORMULA = /^'*[=+\-@\t\r\n]/

/** A spreadsheet would run a formula. An apostrophe marks it as text. */
function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

/** The text of a cell that our exports have written. */
export const withoutMark = (cell: string) =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
