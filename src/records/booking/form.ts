/** A booking as its forms need it. */
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
