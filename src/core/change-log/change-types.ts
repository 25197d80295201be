/** The types of changes. The changes of one write are recorded in this order. */
export const CHANGE_TYPES = [
  'lead.created',
  'lead.updated',
  'quote.created',
  'quote.updated',
  'quote.sent',
  'quote.viewed',
  'quote.accepted',
  'quote.booked',
  'quote.lost',
  'quote.reopened',
  'quote.deleted',
  'booking.created',
  'booking.updated',
  'booking.canceled',
  'event.created',
  'event.updated',
  'event.rescheduled',
  'event.staff_assigned',
  'event.staff_unassigned',
  'event.resources_changed',
  'event.canceled',
  'task.created',
  'task.updated',
  'task.completed',
  'task.deleted',
  'invoice.created',
  'invoice.updated',
  'invoice.paid',
  'invoice.voided',
  'form_response.submitted',
  'data.imported',
] as const

export type ChangeType = (typeof CHANGE_TYPES)[number]

const POSITIONS: ReadonlyMap<string, number> = new Map(CHANGE_TYPES.map((type, i) => [type, i]))

/** Sorts the changes of one write. Changes of the same type keep their order. */
export function inRecordedOrder<Change extends { type: ChangeType }>(changes: readonly Change[]): Change[] {
  return changes.toSorted((a, b) => (POSITIONS.get(a.type) ?? 0) - (POSITIONS.get(b.type) ?? 0))
}

export const ACTOR_TYPES = ['user', 'apiKey', 'customer', 'system'] as const

/** The person or program that made a change. */
export interface Actor {
  type: (typeof ACTOR_TYPES)[number]
  id: string | null
  name: string | null
}

export const SYSTEM: Actor = { type: 'system', id: null, name: null }

const ID = /^chg_([1-9]\d{0,17})$/

export const changeId = (sequence: bigint | string) => `chg_${sequence}`

/** The sequence of a change id, or null if no change has such an id. */
export function parseChangeId(id: string): string | null {
  return ID.exec(id)?.[1] ?? null
}
