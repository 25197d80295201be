/** When events keep staff and resources busy. Times are ISO 8601 in UTC with milliseconds, so they can be compared as text. */

interface EventTimes {
  serviceStartTime: string
  serviceEndTime: string
  shiftStartTime: string | null
  shiftEndTime: string | null
}

/** Excludes the end. */
export interface BusyRange {
  from: string
  to: string
}

/** The shift, with the service in place of a bound that is not set. Null if the end is not after the start. */
export function busyRange(event: EventTimes): BusyRange | null {
  const from = event.shiftStartTime ?? event.serviceStartTime
  const to = event.shiftEndTime ?? event.serviceEndTime
  return from < to ? { from, to } : null
}

export function isSameRange(a: BusyRange | null, b: BusyRange | null): boolean {
  return a?.from === b?.from && a?.to === b?.to
}

const RANGE_MAX_MS = 31 * 24 * 3_600_000

/** Why availability cannot be read for a range, or null. Instants have six decimals (datetime.ts). */
export function rangeProblem(from: string, to: string): string | null {
  if (to <= from) return 'to must be after from'
  const milliseconds = Date.parse(`${to.slice(0, 23)}Z`) - Date.parse(`${from.slice(0, 23)}Z`)
  const micros = Number(to.slice(23, 26)) - Number(from.slice(23, 26))
  const isTooLong = milliseconds > RANGE_MAX_MS || (milliseconds === RANGE_MAX_MS && micros > 0)
  return isTooLong ? 'to must be at most 31 days after from' : null
}

/** A person or a resource, with one of its assignments; null if it has none in the range. */
export interface AssignmentRow {
  kind: 'staff' | 'resource'
  id: string
  eventId: string | null
  from: string | null
  to: string | null
}

interface Assignee {
  id: string
  busy: { eventId: string; from: string; to: string }[]
}

/** One entry per person and resource, in the order of the rows. */
export function groupBusy(rows: readonly AssignmentRow[]): Record<'staff' | 'resources', Assignee[]> {
  const grouped: Record<'staff' | 'resources', Assignee[]> = { staff: [], resources: [] }
  for (const { kind, id, eventId, from, to } of rows) {
    const list = kind === 'staff' ? grouped.staff : grouped.resources
    if (list.at(-1)?.id !== id) list.push({ id, busy: [] })
    if (eventId !== null && from !== null && to !== null) list.at(-1)?.busy.push({ eventId, from, to })
  }
  return grouped
}
