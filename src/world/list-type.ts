/** Lists of values, as PostgreSQL reads them. */
import type { FieldType, Report } from './field-types.ts'

export function listOf(item: FieldType, rules: { distinct?: boolean; most?: number } = {}): FieldType {
  const { distinct = false, most = Infinity } = rules
  return {
    store: (value, path, report) => {
      if (!Array.isArray(value)) {
        report(path, 'must be an array')
        return null
      }
      if (value.length > most) {
        report(path, `must hold at most ${most}, not ${value.length}`)
        return null
      }
      if (value.length === 0) return '{}'
      const stored = storeItems(item, value, path, report)
      if (stored === null) return null
      const reportRepeated = (index: number, first: number) =>
        report(`${path}[${index}]`, `is the same as ${path}[${first}]`)
      if (distinct && !areDistinct(stored, reportRepeated)) return null
      return `{${stored.map(quoteArrayItem).join(',')}}`
    },
    show: (stored) => stored,
    isList: true,
  }
}

function storeItems(item: FieldType, values: unknown[], path: string, report: Report): string[] | null {
  const stored = values.map((value, index) => item.store(value, `${path}[${index}]`, report))
  return stored.every((one) => one !== null) ? stored : null
}

/** Names each item that came before, and where. */
export function areDistinct(
  items: readonly (string | null)[],
  onRepeated: (index: number, first: number) => void,
): boolean {
  const indexes = new Map<string, number>()
  let distinct = true
  for (const [index, item] of items.entries()) {
    if (item === null) continue
    const first = indexes.get(item)
    if (first === undefined) {
      indexes.set(item, index)
    } else {
      distinct = false
      onRepeated(index, first)
    }
  }
  return distinct
}

/** An item of a PostgreSQL array literal. */
function quoteArrayItem(item: string): string {
  return `"${item.replace(/["\\]/g, '\\$&')}"`
}
