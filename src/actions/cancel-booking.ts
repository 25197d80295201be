/** Undoes a booking, or cancels it once it can no longer be undone. */
import { USERS } from '../core/callers.ts'
import { ApiError } from '../core/requests/errors.ts'
import { isoFromPostgres } from '../core/schedule/datetime.ts'
import { NEXT_UPDATE, updateRow } from '../codec/write.ts'
import { sql } from '../db/sql.ts'
import { queryRows, statement } from '../db/statement.ts'
import { BOOKING_COLUMNS } from '../records/booking/columns.ts'
import { BOOKING, loadBookings } from '../records/booking/object.ts'
import { EVENT } from '../records/event/object.ts'
import { loadEventsOfBookings } from '../records/event/queries.ts'
import { INVOICE } from '../records/invoice/object.ts'
import { loadInvoicesOfBookings } from '../records/invoice/queries.ts'
import type { EditableQuote } from '../records/quote/edit.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction } from './action.ts'
import { QuoteTarget, changeQuote } from './change-quote.ts'
import { subjectOf } from './subjects.ts'

const UNBOOK = statement(sql`
  UPDATE quotes SET booked_at = NULL, booking_id = NULL, ${NEXT_UPDATE} WHERE company_id = $1 AND id = $2`)

const CANCEL_EVENTS = statement(sql`
  UPDATE events SET canceled_at = now(), ${NEXT_UPDATE}
  WHERE company_id = $1 AND booking_id = $2 AND canceled_at IS NULL`)

const VOID_INVOICES = statement(sql`
  UPDATE invoices SET voided_at = now(), ${NEXT_UPDATE}
  WHERE company_id = $1 AND booking_id = $2 AND voided_at IS NULL`)

/** The quote is in its state before the booking again. Invoices keep their numbers, so the sequence has no gaps. */
export const undoBooking = defineAction({
  name: 'undoBooking',
  allowed: USERS,
  input: QuoteTarget,
  lock: 'first',
  run: async (transaction, target) =>
    changeQuote(transaction, target, {
      action: 'undoBooking',
      type: 'quote.updated',
      apply: async (quote) => {
        const { db, companyId } = transaction
        const bookingId = bookingOf(quote)
        await refusePaid(transaction, bookingId)
        await refuseBegun(transaction, bookingId)
        await cancel(transaction, bookingId)
        await voidInvoices(transaction, bookingId)
        await queryRows(db, UNBOOK, [companyId, quote.id])
        return true
      },
    }),
})

/** The quote stays booked and the invoices stay as they are: what is owed after a cancellation depends on the contract. */
export const cancelBooking = defineAction({
  name: 'cancelBooking',
  allowed: USERS,
  input: QuoteTarget,
  lock: 'first',
  run: async (transaction, target) =>
    changeQuote(transaction, target, {
      action: 'cancelBooking',
      type: 'quote.updated',
      apply: async (quote) => {
        await cancel(transaction, bookingOf(quote))
        return false
      },
    }),
})

function bookingOf({ facts: { bookingId } }: EditableQuote): string {
  // Only an import can mark a quote as booked without a booking.
  if (bookingId === null) throw conflict('This quote has no booking.')
  return bookingId
}

async function cancel(transaction: ActionTransaction, bookingId: string): Promise<void> {
  const { db, companyId, presentation, record } = transaction
  const find = async () => {
    const [row] = await loadBookings(db, companyId, [bookingId])
    if (row === undefined) throw conflict('The booking of this quote does not exist.')
    return BOOKING.present(row, presentation)
  }
  const listEvents = async () =>
    (await loadEventsOfBookings(db, companyId, [bookingId])).map((row) => EVENT.present(row, presentation))
  const before = await find()
  if (before.canceledAt !== null) throw conflict('This booking is already canceled.')
  const eventsBefore = await listEvents()
  await updateRow(db, BOOKING_COLUMNS, companyId, bookingId, { canceledAt: presentation.now })
  await queryRows(db, CANCEL_EVENTS, [companyId, bookingId])
  record('booking.canceled', subjectOf(before), subjectOf(await find()))
  for (const [index, event] of (await listEvents()).entries()) {
    const old = eventsBefore[index]
    if (old?.canceledAt === null) record('event.canceled', subjectOf(old), subjectOf(event))
  }
}

async function voidInvoices(transaction: ActionTransaction, bookingId: string): Promise<void> {
  const { db, companyId, presentation, record } = transaction
  const list = async () =>
    (await loadInvoicesOfBookings(db, companyId, [bookingId])).map((row) =>
      INVOICE.present(row, presentation),
    )
  const before = await list()
  await queryRows(db, VOID_INVOICES, [companyId, bookingId])
  for (const [index, invoice] of (await list()).entries()) {
    const old = before[index]
    if (old?.voidedAt === null) record('invoice.voided', subjectOf(old), subjectOf(invoice))
  }
}

async function refusePaid({ db, companyId }: ActionTransaction, bookingId: string): Promise<void> {
  const invoices = await loadInvoicesOfBookings(db, companyId, [bookingId])
  if (invoices.some((row) => row.get('paidCents') > 0)) {
    throw conflict(
      'An invoice of this booking has payments, so it can no longer be undone. Cancel it instead.',
    )
  }
}

async function refuseBegun({ db, companyId, presentation }: ActionTransaction, bookingId: string) {
  const events = await loadEventsOfBookings(db, companyId, [bookingId])
  const hasBegun = events.some(
    (row) =>
      row.get('canceledAt') === null &&
      [row.get('serviceStartTime'), row.get('shiftStartTime')].some(
        (start) => start !== null && isoFromPostgres(start) <= presentation.now,
      ),
  )
  if (hasBegun) throw conflict('An event of this booking has begun. Cancel the booking instead.')
}

const conflict = (message: string) => new ApiError('conflict', { message })
