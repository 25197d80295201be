/** Changes a lead. */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { USERS_AND_KEYS } from '../core/callers.ts'
import { ApiError } from '../core/requests/errors.ts'
import { updateRow } from '../codec/write.ts'
import { LEAD_COLUMNS } from '../records/lead/columns.ts'
import { LEAD } from '../records/lead/object.ts'
import { findLead } from '../records/lead/queries.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction } from './action.ts'
import { LeadInput, mayLoseContact, requireContact } from './lead-input.ts'
import { changedMembers, subjectOf } from './subjects.ts'

export const updateLead = defineAction({
  name: 'updateLead',
  allowed: USERS_AND_KEYS,
  input: LeadInput.extend({ id: z.string() }),
  lock: 'first',
  run: async (transaction, input) => changeLead(transaction, input),
})

interface LeadChanges extends LeadInput {
  id: string
  notes?: string | null
  archivedAt?: string | null
}

/**
 * Only changed members are written. `data` are further members of the change. A change of only the notes, which the API does not
 * show, is in the audit log instead.
 */
export async function changeLead(
  { db, companyId, caller, presentation, record, audit }: ActionTransaction,
  { id, ...input }: LeadChanges,
  data?: object,
) {
  const find = async () => {
    const row = await findLead(db, companyId, id)
    if (row === null) throw new ApiError('not_found', { message: 'Lead not found', param: 'id' })
    return LEAD.present(row, presentation)
  }
  const before = await find()
  if (mayLoseContact(input)) requireContact({ ...before, ...input }, caller)
  const changes = changedMembers(before, input)
  if (changes === null) return before
  await updateRow(db, LEAD_COLUMNS, companyId, id, changes)
  const after = await find()
  if (data === undefined && isDeepStrictEqual(before, after))
    audit({ type: 'lead.notes_changed', subject: { object: 'lead', id, name: after.name || null } })
  else record('lead.updated', subjectOf(before), subjectOf(after), data && { data })
  return after
}
