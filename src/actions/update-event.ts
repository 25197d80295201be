/** Changes an event. Staff and resources that are busy at another event are rejected, unless the caller allows it. */
import { z } from 'zod'
import { USERS_AND_KEYS } from '../core/callers.ts'
import { previousOf, splitPrevious } from '../core/change-log/previous.ts'
import { ApiError } from '../core/requests/errors.ts'
import { busyRange, isSameRange } from '../core/schedule/busy.ts'
import { updateRow } from '../codec/write.ts'
import { refreshEventAssignments } from '../records/event/assignments.ts'
import { findOverlap, isBookingCanceled } from '../records/event/busy.ts'
import { EVENT_COLUMNS } from '../records/event/columns.ts'
import { EventChangesInput } from './event-input.ts'
import { lockEventObject, refuseCanceled } from './lock-event.ts'
import type { LockedEvent } from './lock-event.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction } from './action.ts'
import { checkReferences } from './references.ts'
import { changedMembers, isSameSet, subjectOf } from './subjects.ts'

export const updateEvent = defineAction({
  name: 'updateEvent',
  allowed: USERS_AND_KEYS,
  input: EventChangesInput.safeExtend({ id: z.string() }),
  lock: 'first',
  run: async (transaction, { id, allowOverlap = false, ...input }) => {
    const { db, companyId } = transaction
    const before = await lockEventObject(transaction, id)
    await checkReferences(transaction, input, { stored: before.assigned })
    refuseCanceled(before)
    const changes = changesOf(before, input)
    if (changes === null) return before.object
    const overlap = await checkOverlap(transaction, before, changes, allowOverlap)
    await updateRow(db, EVENT_COLUMNS, companyId, id, changes)
    await refreshEventAssignments(db, companyId, [id])
    const after = await lockEventObject(transaction, id)
    recordEvent(transaction, before, after, overlap)
    return after.object
  },
})

type Changes = Partial<Omit<EventChangesInput, 'allowOverlap'>>

/** Null if nothing changes. The order of staff and resources does not matter. */
function changesOf({ object, assigned }: LockedEvent, input: Changes): Changes | null {
  const { staffIds, resourceIds, ...members } = input
  const changes = {
    ...changedMembers(object, members),
    ...(staffIds !== undefined && !isSameSet(staffIds, assigned.staffIds) && { staffIds }),
    ...(resourceIds !== undefined && !isSameSet(resourceIds, assigned.resourceIds) && { resourceIds }),
  }
  return Object.keys(changes).length === 0 ? null : changes
}

function without(ids: readonly string[], others: readonly string[]): string[] {
  const excluded = new Set(others)
  return ids.filter((id) => !excluded.has(id))
}

/** Whether someone is busy at another event. Throws if that is not allowed. */
async function checkOverlap(
  { db, companyId }: ActionTransaction,
  { object, assigned }: LockedEvent,
  changes: Changes,
  isAllowed: boolean,
): Promise<boolean> {
  const { staffIds = assigned.staffIds, resourceIds = assigned.resourceIds } = changes
  const range = busyRange({ ...object, ...timesOf(changes) })
  if (range === null) return false
  // At a new time, everyone may be busy elsewhere. Otherwise only new assignments are checked.
  const isMoved = !isSameRange(range, busyRange(object))
  const checked = isMoved
    ? { staffIds, resourceIds }
    : {
        staffIds: without(staffIds, assigned.staffIds),
        resourceIds: without(resourceIds, assigned.resourceIds),
      }
  if (object.bookingId !== null && (await isBookingCanceled(db, companyId, object.bookingId))) return false
  const overlap = await findOverlap(db, companyId, checked, range, object.id)
  if (overlap === null || isAllowed) return overlap !== null
  const { assigneeId, eventId, from, to } = overlap
  throw new ApiError('schedule_conflict', {
    message: `${assigneeId} is busy at the event ${eventId} from ${from} to ${to}. Send allowOverlap to save it anyway.`,
  })
}

const TIMES = ['serviceStartTime', 'serviceEndTime', 'shiftStartTime', 'shiftEndTime'] as const

/** Those that change. */
function timesOf(changes: Changes): Partial<Pick<LockedEvent['object'], (typeof TIMES)[number]>> {
  return Object.fromEntries(
    TIMES.flatMap((name) => (changes[name] === undefined ? [] : [[name, changes[name]]])),
  )
}

function recordEvent(
  { record }: ActionTransaction,
  before: LockedEvent,
  after: LockedEvent,
  isOverlapping: boolean,
): void {
  const add = (type: Parameters<typeof record>[0], previous: object, data: object = {}) =>
    record(type, subjectOf(before.object), subjectOf(after.object), {
      previous,
      data: { ...data, ...(isOverlapping && { overlap: true }) },
    })
  const { named: times, rest } = splitPrevious(previousOf(before.object, after.object), TIMES)
  if (Object.keys(rest).length > 0) add('event.updated', rest)
  if (Object.keys(times).length > 0) add('event.rescheduled', times)
  const [old, current] = [before.assigned, after.assigned]
  const assigned = without(current.staffIds, old.staffIds)
  const unassigned = without(old.staffIds, current.staffIds)
  if (assigned.length > 0) add('event.staff_assigned', {}, { staffIds: assigned })
  if (unassigned.length > 0) add('event.staff_unassigned', {}, { staffIds: unassigned })
  if (!isSameSet(current.resourceIds, old.resourceIds)) {
    add('event.resources_changed', { resourceIds: old.resourceIds }, { resourceIds: current.resourceIds })
  }
}
