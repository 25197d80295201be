/** Invoices of bookings. */
import { isPossibleId } from '../../core/ids.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { filledText, money, text } from '../../codec/column-types.ts'
import { defineFields, ofTable, pick, publicColumns } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { finderById, loaderById, loaderByOwner, lockerById } from '../../codec/load.ts'
import { findPlainObject, listObjects, selectFields } from '../../codec/select.ts'
import { COMPANY_COLUMNS } from '../company/columns.ts'
import { logoHash } from '../company/profile.ts'
import { PAYMENT_COLUMNS } from '../payment/columns.ts'
import { INVOICE_COLUMNS, paidCents } from './columns.ts'

const PAID = { paidCents: money().sql(paidCents(sql`t`)) }

export const INVOICE_FIELDS = defineFields({
  ...publicColumns(INVOICE_COLUMNS),
  ...pick(INVOICE_COLUMNS, 'companyId', 'totalCents', 'paymentsCents', 'issuedAt'),
  ...PAID,
})

export type InvoiceRow = RowIn<typeof INVOICE_FIELDS>

export const findInvoice = finderById(INVOICE_COLUMNS, INVOICE_FIELDS)

export const loadInvoices = loaderById(INVOICE_COLUMNS, INVOICE_FIELDS)

export const loadInvoicesOfBookings = loaderByOwner(
  INVOICE_COLUMNS,
  INVOICE_FIELDS,
  sql`booking_id`,
  sql`t.created_at, t.id`,
)

export const lockInvoice = lockerById(INVOICE_COLUMNS, INVOICE_FIELDS)

const LIST_INVOICE_IDS = statement(sql`
  SELECT ARRAY(
    SELECT i.id FROM invoices i WHERE i.company_id = b.company_id AND i.booking_id = b.id ORDER BY i.created_at, i.id
  )::text[] AS ids
  FROM bookings b WHERE b.company_id = $1 AND b.id = $2`)

/** Oldest first; null when the company has no such booking. */
export async function listInvoiceIds(db: Db, companyId: string, bookingId: string): Promise<string[] | null> {
  if (!isPossibleId(bookingId)) return null
  return (await queryRows<{ ids: string[] }>(db, LIST_INVOICE_IDS, [companyId, bookingId]))[0]?.ids ?? null
}

/** The recipient of an invoice, from a booking `b` and a lead `l`. */
export const BILL_TO = sql`
    coalesce(
      nullif(trim(b.entity_to_invoice), ''),
      nullif(trim(b.full_name), ''),
      nullif(trim(concat_ws(' ', l.first_name, l.last_name)), ''),
      nullif(trim(l.company_name), ''))`

const PRINTED_INVOICE = defineFields({
  ...ofTable(
    'c',
    pick(
      COMPANY_COLUMNS,
      'legalName',
      'streetAddress',
      'city',
      'state',
      'zip',
      'country',
      'email',
      'phone',
      'taxNumber',
      'website',
      'accentColor',
      'locale',
      'howToPay',
      'footer',
    ),
  ),
  companyName: COMPANY_COLUMNS.columns.name.sql(sql`c.name`),
  logoHash: text()
    .nullable()
    .sql(logoHash(sql`c`)),
  ...pick(
    INVOICE_COLUMNS,
    'companyId',
    'invoiceNumber',
    'description',
    'notes',
    'poNumber',
    'currency',
    'totalCents',
    'taxCents',
    'discountCents',
    'deductedCents',
    'issuedAt',
    'dueDate',
    'voidedAt',
    'createdAt',
    'lines',
  ),
  ...PAID,
  billTo: filledText().nullable().sql(BILL_TO),
  /** In which an invoice of a quote is due at the end of a day, as planned (src/actions/booking-invoices.ts). */
  dueTimeZone: COMPANY_COLUMNS.columns.timeZone.sql(
    sql`CASE WHEN q.id IS NULL THEN c.time_zone ELSE coalesce(p.time_zone, 'UTC') END`,
  ),
  timeZone: COMPANY_COLUMNS.columns.timeZone.sql(sql`coalesce(p.time_zone, c.time_zone)`),
})

const FIND_PRINTED_INVOICE = selectFields(PRINTED_INVOICE, {
  from: sql`invoices t
    JOIN companies c ON c.id = t.company_id
    JOIN bookings b ON b.company_id = t.company_id AND b.id = t.booking_id
    LEFT JOIN leads l ON l.company_id = t.company_id AND l.id = coalesce(t.lead_id, b.lead_id)
    LEFT JOIN quotes q ON q.company_id = t.company_id AND q.id = b.quote_id
    LEFT JOIN locations p ON p.company_id = t.company_id AND p.id = q.location_id
    WHERE t.company_id = $1 AND t.id = $2`,
  orderBy: sql`t.id`,
})

/** The note of a payment is for the company only. */
const PRINTED_PAYMENT = defineFields(pick(PAYMENT_COLUMNS, 'amountCents', 'method', 'receivedAt'))

const LIST_PRINTED_PAYMENTS = selectFields(PRINTED_PAYMENT, {
  from: sql`payments t WHERE t.company_id = $1 AND t.invoice_id = $2 AND t.reversed_at IS NULL`,
  orderBy: sql`t.received_at, t.id`,
})

export type PrintedInvoice = RowIn<typeof PRINTED_INVOICE> & { payments: RowIn<typeof PRINTED_PAYMENT>[] }

/** Everything that the invoice page shows. */
export async function findPrintedInvoice(
  db: Db,
  companyId: string,
  id: string,
): Promise<PrintedInvoice | null> {
  const invoice = await findPlainObject(db, FIND_PRINTED_INVOICE, [companyId, id])
  if (invoice === null) return null
  return { ...invoice, payments: await listObjects(db, LIST_PRINTED_PAYMENTS, [companyId, id]) }
}
