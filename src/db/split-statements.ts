/** Splits the text of a migration into statements. Citus passes each on to the workers, and cannot do so with several in one message. */

/** A comment, a quoted text or name, a dollar-quoted body, or the end of a statement. */
const PARTS = /--[^\n]*|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;/g

const hasCode = (statement: string) => statement.replaceAll(/--[^\n]*/g, '').trim() !== ''

export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let start = 0
  for (const { 0: part, index } of text.matchAll(PARTS)) {
    if (part !== ';') continue
    statements.push(text.slice(start, index))
    start = index + 1
  }
  statements.push(text.slice(start))
  return statements.filter(hasCode)
}
