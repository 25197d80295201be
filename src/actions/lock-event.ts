/** An event that is about to change. */
import { ApiError } from '../core/requests/errors.ts'
import { EVENT } from '../records/event/object.ts'
import { lockEvent } from '../records/event/queries.ts'
import type { ActionTransaction } from './action.ts'

export interface LockedEvent {
  object: ReturnType<typeof EVENT.present>
  /** References that it has. */
  assigned: { staffIds: string[]; resourceIds: string[]; locationId: string | null }
}

export async function lockEventObject(
  { db, companyId, presentation }: ActionTransaction,
  id: string,
): Promise<LockedEvent> {
  const row = await lockEvent(db, companyId, id)
  if (row === null) throw new ApiError('not_found', { message: 'Event not found', param: 'id' })
  const { staffIds, resourceIds, locationId } = row.toObject()
  return { object: EVENT.present(row, presentation), assigned: { staffIds, resourceIds, locationId } }
}

export function refuseCanceled({ object: { canceledAt } }: LockedEvent): void {
  if (canceledAt === null) return
  throw new ApiError('event_canceled', { message: 'This event is canceled, so it can no longer change.' })
}
