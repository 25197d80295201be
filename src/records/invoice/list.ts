/** The list of invoices, and its filter by the derived status. */
import type { InvoiceStatus } from '../../core/pricing/invoice.ts'
import type { Page, ReadPage } from '../../core/requests/page.ts'
import type { TimeRange } from '../../core/schedule/time-range.ts'
import { listPage, outsideIndex } from '../../codec/list.ts'
import type { Ranged } from '../../codec/list.ts'
import type { Packed } from '../../codec/packed-row.ts'
import { literal, sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import type { Db } from '../../db/statement.ts'
import { INVOICE_COLUMNS, paidCents } from './columns.ts'
import { INVOICE_FIELDS } from './queries.ts'
import type { InvoiceRow } from './queries.ts'

interface InvoiceFilters {
  bookingId: string | undefined
  leadId: string | undefined
  status: InvoiceStatus | undefined
  dueDate: TimeRange | null
  createdAt: TimeRange | null
  updatedAt: TimeRange | null
}

/** Newest first. The status is that at `now`, the time of the request. */
export async function listInvoices(
  db: Db,
  companyId: string,
  { status, ...filters }: InvoiceFilters,
  page: Page,
  now: string,
): Promise<ReadPage<Packed<InvoiceRow>>> {
  const listed = { recordType: INVOICE_COLUMNS, fields: INVOICE_FIELDS, ...conditionsOf(status, now) }
  return listPage(db, companyId, listed, filters, page)
}

const PAID = paidCents(sql`t`)

/** The predicate of the indexes of unpaid invoices. */
const UNPAID = sql`t.voided_at IS NULL AND t.issued_at IS NOT NULL AND ${PAID} < t.total_cents`

/** As text, so that the planner knows which index fits. */
const hasState = (state: InvoiceStatus) =>
  sql`invoice_state(t.voided_at, t.issued_at, t.total_cents, ${PAID}) = ${literal(state)}`

/**
 * `Void`, `Draft` and `Paid` follow from the row alone. The other three also depend on whether the invoice is overdue: few of
 * the unpaid invoices may be, or nearly all.
 */
function conditionsOf(
  status: InvoiceStatus | undefined,
  now: string,
): { where?: readonly Sql[]; ranged?: Ranged } {
  if (status === undefined) return {}
  const time = sql`${now}::timestamptz`
  if (status === 'Overdue')
    return {
      ranged: {
        found: sql`${UNPAID} AND t.due_date < ${time}`,
        inListOrder: sql`${UNPAID} AND ${outsideIndex(sql`t.due_date`)} < ${time}`,
      },
    }
  const isInState = hasState(status)
  if (status !== 'Open' && status !== 'PartiallyPaid') return { where: [isInState] }
  return {
    ranged: {
      found: sql`${UNPAID} AND ${isInState} AND coalesce(t.due_date, 'infinity') >= ${time}`,
      inListOrder: sql`${isInState} AND coalesce(${outsideIndex(sql`t.due_date`)}, 'infinity') >= ${time}`,
    },
  }
}
