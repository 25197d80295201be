/** A booking as its forms need it. */
import { isPossibleId } from '../../core/ids.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, pick } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { finderById } from '../../codec/load.ts'
import { BOOKING_COLUMNS } from './columns.ts'

const FIELDS = defineFields(pick(BOOKING_COLUMNS, 'id', 'quoteId', 'leadId', 'fullName', 'canceledAt'))

export type BookingOfForm = RowIn<typeof FIELDS>

const find = finderById(BOOKING_COLUMNS, FIELDS)

export async function findBookingOfForm(
  db: Db,
  companyId: string,
  id: string,
): Promise<BookingOfForm | null> {
  return (await find(db, companyId, id))?.toObject() ?? null
}

const FIND_OF_QUOTE = statement(sql`
  SELECT booking_id AS "bookingId" FROM quotes WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL`)

/** The booking of a quote, or null if it has none; undefined if there is no such quote. */
export async function findBookingOfQuote(
  db: Db,
  companyId: string,
  quoteId: string,
): Promise<BookingOfForm | null | undefined> {
  if (!isPossibleId(quoteId)) return undefined
  const [quote] = await queryRows<{ bookingId: string | null }>(db, FIND_OF_QUOTE, [companyId, quoteId])
  if (quote === undefined) return undefined
  return quote.bookingId === null ? null : findBookingOfForm(db, companyId, quote.bookingId)
}
