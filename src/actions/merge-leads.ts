/**
 * Merges two leads: quotes, bookings and invoices of one move to the other, which also gets the values that it lacks. The
 * merged lead is archived. All of them are recorded as updated.
 */
import { z } from 'zod'
import { USERS } from '../core/callers.ts'
import type { ChangeType } from '../core/change-log/change-types.ts'
import { ApiError } from '../core/requests/errors.ts'
import { NEXT_UPDATE } from '../codec/write.ts'
import { identifier, join, sql } from '../db/sql.ts'
import { queryRows, statement } from '../db/statement.ts'
import type { Db, Statement } from '../db/statement.ts'
import { BOOKING, loadBookings } from '../records/booking/object.ts'
import { INVOICE } from '../records/invoice/object.ts'
import { loadInvoices } from '../records/invoice/queries.ts'
import type { RecordValues, StoredRecord } from '../records/kind.ts'
import { LEAD_KIND } from '../records/lead/kind.ts'
import { QUOTE } from '../records/quote/object.ts'
import { loadQuotes } from '../records/quote/queries.ts'
import { findRecord } from '../records/record/queries.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction } from './action.ts'
import { noRecord } from './records.ts'
import { subjectOf } from './subjects.ts'
import { changeLead } from './update-lead.ts'

/** Every table with the id of a lead. Deleted quotes are in no list, and stay where they are. */
const TABLES = {
  quotes: sql`company_id = $1 AND lead_id = $2 AND deleted_at IS NULL`,
  bookings: sql`company_id = $1 AND lead_id = $2`,
  invoices: sql`company_id = $1 AND lead_id = $2`,
}

type Table = keyof typeof TABLES
type MovedCounts = Record<Table, number>

/** All are recorded in one transaction, while other writes of the company wait. */
const MOVED_MAX = 1_000

export interface MergePlan {
  /** As it is stored, and the values it gets from the other. */
  kept: StoredRecord
  filled: RecordValues
  other: StoredRecord
  moved: MovedCounts
}

const COUNT = statement(
  sql`SELECT ${join(
    Object.entries(TABLES).map(
      ([table, isOfLead]) =>
        sql`(SELECT count(*)::int FROM ${identifier(table)} WHERE ${isOfLead}) AS ${identifier(table)}`,
    ),
  )}`,
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
  const [moved = { quotes: 0, bookings: 0, invoices: 0 }] = await queryRows<MovedCounts>(db, COUNT, [
    companyId,
    otherId,
  ])
  const plan = { kept, filled: filledBy(kept, other), other, moved }
  refuse(plan)
  return plan
}

function refuse({ filled: { notes }, moved: { quotes, bookings, invoices } }: MergePlan): void {
  const count = quotes + bookings + invoices
  if (count > MOVED_MAX)
    throw new ApiError('conflict', {
      message: `The contact to merge has ${count.toLocaleString('en')} quotes, bookings and invoices. At most ${MOVED_MAX.toLocaleString('en')} can move at once.`,
    })
  if (!LEAD_KIND.Changes.safeParse({ notes }).success)
    throw new ApiError('conflict', {
      message: 'The notes of both contacts are too long for one. Shorten them first.',
    })
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

const Merge = z.strictObject({
  id: z.string(),
  otherId: z.string(),
  /** The versions that the user saw. */
  updatedAt: z.string(),
  otherUpdatedAt: z.string(),
})

const CHANGED = 'One of these contacts was changed meanwhile. Look at the result again.'

export const mergeLeads = defineAction({
  name: 'mergeLeads',
  allowed: USERS,
  input: Merge,
  lock: 'first',
  run: async (transaction, { id, otherId, updatedAt, otherUpdatedAt }): Promise<StoredRecord> => {
    const { db, companyId, presentation } = transaction
    const { kept, filled, other } = await planMerge(db, companyId, { id, otherId })
    if (kept.updatedAt !== updatedAt || other.updatedAt !== otherUpdatedAt)
      throw new ApiError('conflict', { message: CHANGED, details: { updatedAt: { _errors: [CHANGED] } } })
    await moveRecords(transaction, otherId, id)
    // Even if it lacks nothing, its records changed. It is not archived afterwards.
    await changeLead(transaction, { id, ...filled, archivedAt: null }, { mergedFromId: otherId })
    await changeLead(transaction, { id: otherId, archivedAt: presentation.now }, { mergedIntoId: id })
    const merged = await findRecord(db, companyId, LEAD_KIND, id)
    if (merged === null) throw noRecord(LEAD_KIND)
    return merged
  },
})

const MOVE = Object.fromEntries(
  Object.entries(TABLES).map(([table, isOfLead]) => [
    table,
    statement(
      sql`UPDATE ${identifier(table)} SET lead_id = $3, ${NEXT_UPDATE} WHERE ${isOfLead} RETURNING id`,
    ),
  ]),
) as Record<Table, Statement>

async function moveRecords(
  { db, companyId, presentation, record }: ActionTransaction,
  fromId: string,
  toId: string,
): Promise<void> {
  const move = async (table: Table) => {
    const rows = await queryRows<{ id: string }>(db, MOVE[table], [companyId, fromId, toId])
    return rows.map(({ id }) => id)
  }
  const before = { leadId: fromId }
  const recordAll = (type: ChangeType, objects: readonly { object: string; id: string }[]) => {
    for (const moved of objects) record(type, subjectOf({ ...moved, ...before }), subjectOf(moved))
  }
  const quotes = await loadQuotes(db, companyId, await move('quotes'))
  recordAll(
    'quote.updated',
    quotes.map((row) => QUOTE.present(row, presentation)),
  )
  const bookings = await loadBookings(db, companyId, await move('bookings'))
  recordAll(
    'booking.updated',
    bookings.map((row) => BOOKING.present(row, presentation)),
  )
  const invoices = await loadInvoices(db, companyId, await move('invoices'))
  recordAll(
    'invoice.updated',
    invoices.map((row) => INVOICE.present(row, presentation)),
  )
}
