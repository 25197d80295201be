/**
 * The figures of the dashboard. The database counts each with its own index, and the number of statements is constant.
 */
import { lastMonths, monthEnd } from '../../core/schedule/months.ts'
import type { QuoteState } from '../../core/quotes/quote-state.ts'
import { literal, sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { filledText, integer, time } from '../../codec/column-types.ts'
import { defineFields, ofTable, pick, withIsoTimes } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { EVENT_COLUMNS } from '../event/columns.ts'
import { INVOICE_COLUMNS, paidCents } from '../invoice/columns.ts'
import { BILL_TO } from '../invoice/queries.ts'
import { LOCATION_COLUMNS } from '../location/columns.ts'
import { TASK_COLUMNS } from '../task/columns.ts'

const MONTHS = 12

/** The number of rows in each list. */
const LIST_MAX = 8

/** The number of rows on the pages of overdue tasks and invoices. */
export const OVERDUE_MAX = 100

export interface Dashboard {
  quotes: QuoteCounts
  booked: {
    /** All months, such as `2026-03`, in UTC, oldest first. */
    months: string[]
    /** Only months with bookings. */
    values: BookedValue[]
  }
  upcomingEvents: UpcomingEvent[]
  overdueTasks: { count: number; first: OverdueTask[] }
  overdueInvoices: { totals: OverdueTotal[]; first: OverdueInvoice[] }
}

type QuoteCounts = Record<QuoteState, number>

/** Sums are texts, because they can exceed what a number holds exactly. */
interface BookedValue {
  month: string
  currency: string
  bookings: number
  totalCents: string
}

interface OverdueTotal {
  currency: string
  invoices: number
  amountDueCents: string
}

export async function loadDashboard(db: Db, companyId: string, now: string): Promise<Dashboard> {
  // One statement at a time, so that a dashboard does not take every connection.
  const quotes = await countQuotes(db, companyId, now)
  const booked = await sumBookings(db, companyId, now)
  const upcomingEvents = await listUpcomingEvents(db, companyId, now)
  const overdueTasks = await listOverdueTasks(db, companyId, now, LIST_MAX)
  const totals = await queryRows<OverdueTotal>(db, SUM_OVERDUE_INVOICES, [companyId, now])
  const first = await listOverdueInvoices(db, companyId, now, LIST_MAX)
  return {
    quotes,
    booked,
    upcomingEvents,
    overdueTasks,
    overdueInvoices: { totals, first },
  }
}

/**
 * State by state, with an index-only scan. With GROUP BY on an expression, the planner would read every quote and sort or hash
 * a text for each.
 */
const COUNT_QUOTES = statement(sql`
  SELECT s.state, n.total, n.past
  FROM unnest(ARRAY['draft', 'sent', 'booked', 'lost']) AS s (state)
  CROSS JOIN LATERAL (
    SELECT count(*)::integer AS total, (count(*) FILTER (WHERE q.expires_at <= $2::timestamptz))::integer AS past
    FROM quotes q
    WHERE q.company_id = $1 AND quote_state(q.sent_at, q.booked_at, q.lost_at) = s.state AND q.deleted_at IS NULL
  ) n`)

async function countQuotes(db: Db, companyId: string, now: string): Promise<QuoteCounts> {
  const rows = await queryRows<{ state: Exclude<QuoteState, 'expired'>; total: number; past: number }>(
    db,
    COUNT_QUOTES,
    [companyId, now],
  )
  const counts: QuoteCounts = { draft: 0, sent: 0, expired: 0, booked: 0, lost: 0 }
  for (const { state, total, past } of rows) {
    const expired = state === 'sent' ? past : 0
    counts[state] = total - expired
    counts.expired += expired
  }
  return counts
}

/** The month is the index among the start times of the months, independent of time zones. */
const SUM_BOOKINGS = statement(sql`
  SELECT width_bucket(b.created_at, $2::timestamptz[]) AS place, b.currency AS currency,
    count(*)::integer AS bookings, sum(b.total_price_cents)::text AS "totalCents"
  FROM bookings b
  WHERE b.company_id = $1 AND b.created_at >= ($2::timestamptz[])[1] AND b.created_at < $3::timestamptz
    AND b.canceled_at IS NULL
  GROUP BY 1, 2 ORDER BY 1, 2`)

async function sumBookings(db: Db, companyId: string, now: string): Promise<Dashboard['booked']> {
  const months = lastMonths(now, MONTHS)
  const values = [companyId, months.map(({ from }) => from), monthEnd(now)]
  const rows = await queryRows<{ place: number } & Omit<BookedValue, 'month'>>(db, SUM_BOOKINGS, values)
  const names = months.map(({ name }) => name)
  return {
    months: names,
    values: rows.map(({ place, ...row }) => ({ month: names[place - 1] ?? '', ...row })),
  }
}

const UPCOMING_EVENT = defineFields({
  ...withIsoTimes(ofTable('e', pick(EVENT_COLUMNS, 'id', 'name', 'clientName', 'serviceStartTime'))),
  /** Null if it has no location, or one that does not exist. */
  locationName: LOCATION_COLUMNS.columns.name.nullable().sql(sql`l.name`),
  timeZone: LOCATION_COLUMNS.columns.timeZone.nullable().sql(sql`l.time_zone`),
  openTasks: integer().sql(sql`(SELECT count(*) FROM tasks t
     WHERE t.company_id = $1 AND t.event_id = e.id AND t.completed_at IS NULL)`),
})

type UpcomingEvent = RowIn<typeof UPCOMING_EVENT>

/** Without the events of canceled bookings. */
const LIST_UPCOMING_EVENTS = statement(sql`
  SELECT ${UPCOMING_EVENT.selectList}
  FROM (
    SELECT * FROM events e
    WHERE e.company_id = $1 AND e.service_start_time >= $2::timestamptz AND NOT EXISTS (
      SELECT 1 FROM bookings b WHERE b.company_id = $1 AND b.id = e.booking_id AND b.canceled_at IS NOT NULL)
    ORDER BY e.service_start_time, e.id LIMIT ${literal(LIST_MAX)}
  ) e
  LEFT JOIN locations l ON l.company_id = $1 AND l.id = e.location_id
  ORDER BY e.service_start_time, e.id`)

async function listUpcomingEvents(db: Db, companyId: string, now: string): Promise<UpcomingEvent[]> {
  return queryObjects(db, UPCOMING_EVENT, LIST_UPCOMING_EVENTS, [companyId, now])
}

const OVERDUE_TASKS = sql`
  tasks t WHERE t.company_id = $1 AND t.completed_at IS NULL AND t.due_date < $2::timestamptz`

const OVERDUE_TASK = defineFields({
  ...pick(TASK_COLUMNS, 'id', 'description'),
  // A task without a due date is never overdue.
  dueDate: time().iso(),
  ...pick(TASK_COLUMNS, 'eventId'),
  eventName: EVENT_COLUMNS.columns.name.sql(sql`e.name`),
  clientName: EVENT_COLUMNS.columns.clientName.sql(sql`e.client_name`),
  /** The number of all overdue tasks, in each row. */
  count: integer().sql(sql`(SELECT count(*) FROM ${OVERDUE_TASKS})`),
})

export type OverdueTask = Omit<RowIn<typeof OVERDUE_TASK>, 'count'>

const LIST_OVERDUE_TASKS = statement(sql`
  SELECT ${OVERDUE_TASK.selectList}
  FROM (SELECT * FROM ${OVERDUE_TASKS} ORDER BY t.due_date, t.id LIMIT $3) t
  JOIN events e ON e.company_id = $1 AND e.id = t.event_id
  ORDER BY t.due_date, t.id`)

/** Longest overdue first. */
export async function listOverdueTasks(
  db: Db,
  companyId: string,
  now: string,
  max: number,
): Promise<{ count: number; first: OverdueTask[] }> {
  const values = [companyId, now, max]
  const rows = await queryObjects(db, OVERDUE_TASK, LIST_OVERDUE_TASKS, values)
  return { count: rows[0]?.count ?? 0, first: rows.map(({ count: _count, ...task }) => task) }
}

const PAID = paidCents(sql`i`)

/** The condition for the status `Overdue` in src/core/pricing/invoice.ts. */
const OVERDUE_INVOICES = sql`
  invoices i WHERE i.company_id = $1 AND i.voided_at IS NULL AND i.issued_at IS NOT NULL
    AND ${PAID} < i.total_cents AND i.due_date < $2::timestamptz`

const SUM_OVERDUE_INVOICES = statement(sql`
  SELECT i.currency, count(*)::integer AS invoices, sum(i.total_cents - ${PAID})::text AS "amountDueCents"
  FROM ${OVERDUE_INVOICES} GROUP BY i.currency ORDER BY invoices DESC, i.currency`)

const OVERDUE_INVOICE = defineFields({
  ...ofTable('i', {
    ...pick(INVOICE_COLUMNS, 'id', 'invoiceNumber', 'bookingId', 'currency'),
    dueDate: time().iso(),
  }),
  amountDueCents: filledText().sql(sql`(i.total_cents - ${PAID})`),
  billTo: filledText().nullable().sql(BILL_TO),
})

export type OverdueInvoice = RowIn<typeof OVERDUE_INVOICE>

const LIST_OVERDUE_INVOICES = statement(sql`
  SELECT ${OVERDUE_INVOICE.selectList}
  FROM (SELECT * FROM ${OVERDUE_INVOICES} ORDER BY i.due_date, i.id LIMIT $3) i
  JOIN bookings b ON b.company_id = $1 AND b.id = i.booking_id
  LEFT JOIN leads l ON l.company_id = $1 AND l.id = coalesce(i.lead_id, b.lead_id)
  ORDER BY i.due_date, i.id`)

/** Longest overdue first. */
export async function listOverdueInvoices(
  db: Db,
  companyId: string,
  now: string,
  max: number,
): Promise<OverdueInvoice[]> {
  return queryObjects(db, OVERDUE_INVOICE, LIST_OVERDUE_INVOICES, [companyId, now, max])
}
