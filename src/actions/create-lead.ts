/** Creates a lead. */
import { USERS_AND_KEYS } from '../core/callers.ts'
import { newId } from '../core/ids.ts'
import { insertRow } from '../codec/write.ts'
import { LEAD_COLUMNS } from '../records/lead/columns.ts'
import { LEAD } from '../records/lead/object.ts'
import { findLead } from '../records/lead/queries.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction } from './action.ts'
import { LeadInput, requireContact } from './lead-input.ts'
import { subjectOf } from './subjects.ts'

export const createLead = defineAction({
  name: 'createLead',
  allowed: USERS_AND_KEYS,
  input: LeadInput,
  lock: 'last',
  run: insertLead,
})

/** Also the lead of a new quote. */
export async function insertLead(
  transaction: ActionTransaction,
  input: LeadInput & { notes?: string | null | undefined },
) {
  const { db, companyId, caller, presentation, record } = transaction
  requireContact(input, caller)
  const id = newId('lead')
  await insertRow(db, LEAD_COLUMNS, companyId, { ...input, id })
  const row = await findLead(db, companyId, id)
  if (row === null) throw new Error('the new lead is missing')
  const lead = LEAD.present(row, presentation)
  record('lead.created', null, subjectOf(lead))
  return lead
}
