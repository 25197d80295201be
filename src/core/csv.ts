/** CSV files for spreadsheets (RFC 4180). */

/** Makes spreadsheets read UTF-8. */
export const BYTE_ORDER_MARK = '\u{feff}'

export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** A spreadsheet would run a text that begins like a formula. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}
