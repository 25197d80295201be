/** The difference between a quote's stored lines and its edited lines. */
import type { QuoteLine, QuoteContent } from './quote-edit.ts'

export const LINE_FIELDS = [
  'serviceDayId',
  'kind',
  'serviceId',
  'addonId',
  'description',
  'quantity',
  'unitPriceCents',
  'priceCents',
  'taxable',
  'discountId',
] as const satisfies readonly (keyof QuoteLine)[]

type StoredLine = QuoteLine & { id: string }

interface LineChanges {
  added: QuoteLine[]
  changed: StoredLine[]
  removedIds: string[]
}

export function isSameLine(a: QuoteLine, b: QuoteLine): boolean {
  return LINE_FIELDS.every((field) => a[field] === b[field])
}

export function findLineChanges(before: QuoteContent['lines'], after: QuoteContent['lines']): LineChanges {
  const old = new Map(before.map((line) => [line.id, line]))
  const kept = new Set(after.map(({ id }) => id))
  return {
    added: after.filter(({ id }) => id === null),
    changed: after.filter((line): line is StoredLine => {
      const was = line.id === null ? undefined : old.get(line.id)
      return was !== undefined && !isSameLine(was, line)
    }),
    removedIds: before.flatMap(({ id }) => (id === null || kept.has(id) ? [] : id)),
  }
}
