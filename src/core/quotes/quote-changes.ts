/** The difference between a quote's stored days and lines, and the edited ones. */
import type { ServiceDay } from './quote-details.ts'
import { LINE_FIELDS } from './quote-edit.ts'
import type { QuoteLine, QuoteContent } from './quote-edit.ts'

type StoredLine = QuoteLine & { id: string }

interface DayChanges {
  added: ServiceDay[]
  changed: ServiceDay[]
  removedIds: string[]
}

/** The edited days in any order. */
export function findDayChanges(before: readonly ServiceDay[], after: readonly ServiceDay[]): DayChanges {
  const old = new Map(before.map((day) => [day.id, day]))
  const kept = new Set(after.map(({ id }) => id))
  return {
    added: after.filter(({ id }) => !old.has(id)),
    changed: after.filter((day) => {
      const was = old.get(day.id)
      return was !== undefined && !isSameDay(was, day)
    }),
    removedIds: before.flatMap(({ id }) => (kept.has(id) ? [] : id)),
  }
}

function isSameDay(a: ServiceDay, b: ServiceDay): boolean {
  return a.serviceStartTime === b.serviceStartTime && a.serviceEndTime === b.serviceEndTime
}

interface LineChanges {
  added: QuoteLine[]
  changed: StoredLine[]
  removedIds: string[]
  /** Lines were added, or the others are in another order than before. */
  isReordered: boolean
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
    isReordered: !isSameOrder(
      before.flatMap(({ id }) => (kept.has(id) ? [id] : [])),
      after.flatMap(({ id }) => (id === null || old.has(id) ? [id] : [])),
    ),
  }
}

function isSameOrder(a: readonly (string | null)[], b: readonly (string | null)[]): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i])
}
