/** Cancels an event. Its staff and resources are available again. */
import { USERS_AND_KEYS } from '../core/callers.ts'
import { updateRow } from '../codec/write.ts'
import { EVENT_COLUMNS } from '../records/event/columns.ts'
import { defineAction } from './action.ts'
import { lockEventObject, refuseCanceled } from './lock-event.ts'
import { subjectOf } from './subjects.ts'
import { Target } from './targets.ts'

export const cancelEvent = defineAction({
  name: 'cancelEvent',
  allowed: USERS_AND_KEYS,
  input: Target,
  lock: 'first',
  run: async (transaction, { id }) => {
    const { db, companyId, presentation, record } = transaction
    const before = await lockEventObject(transaction, id)
    refuseCanceled(before)
    await updateRow(db, EVENT_COLUMNS, companyId, id, { canceledAt: presentation.now })
    const { object } = await lockEventObject(transaction, id)
    record('event.canceled', subjectOf(before.object), subjectOf(object))
    return object
  },
})
