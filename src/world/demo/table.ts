/** Reads a table of texts: one row per line, cells separated by `|`. Empty cells are undefined. */
export function parseTable(text: string): (string | undefined)[][] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim() || undefined))
}
