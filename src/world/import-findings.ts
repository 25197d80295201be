/** The errors of a file: the first ones by line, and their number. */

export interface ImportFinding {
  line: number
  /** The path of the field, such as `answers[0].id`; null when it is about the line as a whole. */
  field: string | null
  reason: string
}

export interface Findings {
  add: (line: number, field: string | null, reason: string) => void
  /** `count` errors, of which the first are known. */
  addMany: (count: number, first: readonly ImportFinding[]) => void
  count: () => number
  first: () => ImportFinding[]
}

export const FINDINGS_SHOWN = 20

export function collectFindings(): Findings {
  let count = 0
  let found: ImportFinding[] = []
  return {
    add: (line, field, reason) => {
      count++
      // Lines come in order, so that the first to be added are the first by line.
      if (found.length < FINDINGS_SHOWN) found.push({ line, field, reason })
    },
    addMany: (more, first) => {
      count += more
      found = [...found, ...first].toSorted((a, b) => a.line - b.line).slice(0, FINDINGS_SHOWN)
    },
    count: () => count,
    first: () => found,
  }
}
