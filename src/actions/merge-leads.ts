/**
 * Merges two leads: quotes, bookings and invoices of one move to the other, which also gets the values that it lacks. The
 * merged lead is archived. Both are recorded as `lead.updated`; the records that moved are not recorded one by one.
 */
import { ApiError } from '../core/requests/errors.ts'
import { NEXT_UPDATE } from '../codec/write.ts'
import { identifier, join, sql } from '../db/sql.ts'
import { queryRows, statement } from '../db/statement.ts'
import type { Db } from '../db/statement.ts'
import type { RecordValues, StoredRecord } from '../records/kind.ts'
import { LEAD_KIND } from '../records/lead/kind.ts'
import { findRecord } from '../records/record/queries.ts'
import { defineAction } from './action.ts'
import { noRecord } from './records.ts'
import { changeLead } from './update-lead.ts'

/** Every table with the id of a lead. */
const TABLES = ['quotes', 'bookings', 'invoices'] as const

type MovedCounts = Record<(typeof TABLES)[number], number>

export interface MergePlan {
  /** As it is stored, and the values it gets from the other. */
  kept: StoredRecord
  filled: RecordValues
  other: StoredRecord
  moved: MovedCounts
}

const COUNT = statement(
  sql`SELECT ${join(
    TABLES.map(
      (table) =>
        sql`(SELECT count(*)::int FROM ${identifier(table)} WHERE company_id = $1 AND lead_id = $2) AS ${identifier(table)}`,
    ),
  )}`,
)

const MOVE = TABLES.map((table) =>
  statement(
    sql`UPDATE ${identifier(table)} SET lead_id = $3, ${NEXT_UPDATE} WHERE company_id = $1 AND lead_id = $2`,
  ),
)

export async function planMerge(
  db: Db,
  companyId: string,
  { id, otherId }: { id: string; otherId: string },
): Promise<MergePlan> {
  const kept = await findRecord(db, companyId, LEAD_KIND, id)
  if (kept === null) throw noRecord(LEAD_KIND)
  const other = await findRecord(db, companyId, LEAD_KIND, otherId)
  if (other === null || otherId === id) {
    const message = 'Choose another contact.'
    throw new ApiError('invalid_body', { message, details: { otherId: { _errors: [message] } } })
  }
  const [moved] = await queryRows<MovedCounts>(db, COUNT, [companyId, otherId])
  return {
    kept,
    filled: filledBy(kept, other),
    other,
    moved: moved ?? { quotes: 0, bookings: 0, invoices: 0 },
  }
}

/** Notes of both are kept. */
function filledBy(kept: StoredRecord, other: StoredRecord): RecordValues {
  const filled = LEAD_KIND.editable
    .filter((name) => isBlank(kept[name]) && !isBlank(other[name]))
    .map((name) => [name, other[name]] as const)
  const notes = [kept['notes'], other['notes']].filter((text) => !isBlank(text))
  return { ...Object.fromEntries(filled), ...(notes.length === 2 && { notes: notes.join('\n\n') }) }
}

const isBlank = (value: unknown) => typeof value !== 'string' || value.trim() === ''

interface Merge {
  id: string
  otherId: string
  /** The versions that the user saw. */
  updatedAt: string
  otherUpdatedAt: string
}

const CHANGED = 'One of these contacts was changed meanwhile. Look at the result again.'

export const mergeLeads = defineAction({
  name: 'mergeLeads',
  lock: 'first',
  run: async (transaction, { id, otherId, updatedAt, otherUpdatedAt }: Merge): Promise<StoredRecord> => {
    const { db, companyId, presentation } = transaction
    const { kept, filled, other } = await planMerge(db, companyId, { id, otherId })
    if (kept.updatedAt !== updatedAt || other.updatedAt !== otherUpdatedAt)
      throw new ApiError('conflict', { message: CHANGED, details: { updatedAt: { _errors: [CHANGED] } } })
    for (const move of MOVE) await queryRows(db, move, [companyId, otherId, id])
    // Even if it lacks nothing, its records changed. It is not archived afterwards.
    await changeLead(transaction, { id, ...filled, archivedAt: null }, { mergedFromId: otherId })
    await changeLead(transaction, { id: otherId, archivedAt: presentation.now }, { mergedIntoId: id })
    const merged = await findRecord(db, companyId, LEAD_KIND, id)
    if (merged === null) throw noRecord(LEAD_KIND)
    return merged
  },
})
