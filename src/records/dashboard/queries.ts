/**
 * The figures of a company at a glance. Each is counted by the database along an index that was made for it, whatever the
 * number of quotes; the number of statements is always the same.
 */
import { isoFromPostgres } from '../../core/schedule/datetime.ts'
import { lastMonths, monthEnd } from '../../core/schedule/months.ts'
import type { QuoteState } from '../../core/quotes/quote-state.ts'
import { columns, queryRows, statement } from '../../db/connect.ts'
import type { Db } from '../../db/connect.ts'
import { BILL_TO } from '../invoice/queries.ts'

const MONTHS = 12

/** As many rows of each list as are taken in at a glance. */
const LIST_MAX = 8

/** As many as are shown to whoever asks for more of what is overdue. */
export const OVERDUE_MAX = 100

export interface Dashboard {
  quotes: QuoteCounts
  booked: {
    /** `2026-03` and so on, in UTC, oldest first, all of them. */
    months: string[]
    /** Those with bookings only. */
    values: BookedValue[]
  }
  upcomingEvents: UpcomingEvent[]
  overdueTasks: { count: number; first: OverdueTask[] }
  overdueInvoices: { totals: OverdueTotal[]; first: OverdueInvoice[] }
}

type QuoteCounts = Record<QuoteState, number>

/** Sums are texts: together, amounts can be more than a number holds exactly. */
interface BookedValue {
  month: string
  currency: string
  bookings: number
  totalCents: string
}

interface UpcomingEvent {
  id: string
  name: string | null
  clientName: string | null
  serviceStartTime: string
  /** Null when it has no location, or one that is not there. */
  locationName: string | null
  timeZone: string | null
  openTasks: number
}

export interface OverdueTask {
  id: string
  description: string
  dueDate: string
  eventId: string
  eventName: string | null
  clientName: string | null
}

interface OverdueTotal {
  currency: string
  invoices: number
  amountDueCents: string
}

export interface OverdueInvoice {
  id: string
  invoiceNumber: string
  bookingId: string
  billTo: string | null
  currency: string
  amountDueCents: string
  dueDate: string
}

export async function loadDashboard(db: Db, companyId: string, now: string): Promise<Dashboard> {
  // One after the other: whoever looks at figures shall not take every connection from those who look something up.
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
 * State by state, along the index of states, which holds all that is asked for: grouping by an expression would have the
 * planner read every quote, and sort or hash a text for each.
 */
const COUNT_QUOTES = statement(`
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

/** The place among the months' first instants says the month: no time zone has a part in it. */
const SUM_BOOKINGS = statement(`
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

/** What belongs to a booking that was canceled does not take place. */
const LIST_UPCOMING_EVENTS = statement(`
  SELECT ${columns('id name clientName serviceStartTime', 'e')}, l.name AS "locationName", l.time_zone AS "timeZone",
    (SELECT count(*)::integer FROM tasks t
     WHERE t.company_id = $1 AND t.event_id = e.id AND t.completed_at IS NULL) AS "openTasks"
  FROM (
    SELECT * FROM events e
    WHERE e.company_id = $1 AND e.service_start_time >= $2::timestamptz AND NOT EXISTS (
      SELECT FROM bookings b WHERE b.company_id = $1 AND b.id = e.booking_id AND b.canceled_at IS NOT NULL)
    ORDER BY e.service_start_time, e.id LIMIT ${LIST_MAX}
  ) e
  LEFT JOIN locations l ON l.company_id = $1 AND l.id = e.location_id
  ORDER BY e.service_start_time, e.id`)

async function listUpcomingEvents(db: Db, companyId: string, now: string): Promise<UpcomingEvent[]> {
  const rows = await queryRows<UpcomingEvent>(db, LIST_UPCOMING_EVENTS, [companyId, now])
  return rows.map((row) => ({ ...row, serviceStartTime: isoFromPostgres(row.serviceStartTime) }))
}

const OVERDUE_TASKS = `
  tasks t WHERE t.company_id = $1 AND t.completed_at IS NULL AND t.due_date < $2::timestamptz`

/** How many there are comes with each of the first: with none, there are none. */
const LIST_OVERDUE_TASKS = statement(`
  SELECT (SELECT count(*)::integer FROM ${OVERDUE_TASKS}) AS count,
    ${columns('id description dueDate eventId', 't')}, e.name AS "eventName", e.client_name AS "clientName"
  FROM (SELECT * FROM ${OVERDUE_TASKS} ORDER BY t.due_date, t.id LIMIT $3) t
  JOIN events e ON e.company_id = $1 AND e.id = t.event_id
  ORDER BY t.due_date, t.id`)

/** The longest overdue first. */
export async function listOverdueTasks(
  db: Db,
  companyId: string,
  now: string,
  max: number,
): Promise<{ count: number; first: OverdueTask[] }> {
  const values = [companyId, now, max]
  const rows = await queryRows<{ count: number } & OverdueTask>(db, LIST_OVERDUE_TASKS, values)
  return {
    count: rows[0]?.count ?? 0,
    first: rows.map(({ id, description, dueDate, eventId, eventName, clientName }) => ({
      id,
      description,
      dueDate: isoFromPostgres(dueDate),
      eventId,
      eventName,
      clientName,
    })),
  }
}

/** Where the status of an invoice is `Overdue`, as src/core/pricing/invoice.ts derives it. */
const OVERDUE_INVOICES = `
  invoices i WHERE i.company_id = $1 AND i.voided_at IS NULL AND i.issued_at IS NOT NULL
    AND i.amount_paid_cents < i.total_cents AND i.due_date < $2::timestamptz`

const SUM_OVERDUE_INVOICES = statement(`
  SELECT i.currency, count(*)::integer AS invoices, sum(i.total_cents - i.amount_paid_cents)::text AS "amountDueCents"
  FROM ${OVERDUE_INVOICES} GROUP BY i.currency ORDER BY invoices DESC, i.currency`)

const LIST_OVERDUE_INVOICES = statement(`
  SELECT ${columns('id invoiceNumber bookingId currency dueDate', 'i')},
    (i.total_cents - i.amount_paid_cents)::text AS "amountDueCents", ${BILL_TO} AS "billTo"
  FROM (SELECT * FROM ${OVERDUE_INVOICES} ORDER BY i.due_date, i.id LIMIT $3) i
  JOIN bookings b ON b.company_id = $1 AND b.id = i.booking_id
  LEFT JOIN leads l ON l.company_id = $1 AND l.id = coalesce(i.lead_id, b.lead_id)
  ORDER BY i.due_date, i.id`)

/** The longest overdue first. */
export async function listOverdueInvoices(
  db: Db,
  companyId: string,
  now: string,
  max: number,
): Promise<OverdueInvoice[]> {
  const rows = await queryRows<OverdueInvoice>(db, LIST_OVERDUE_INVOICES, [companyId, now, max])
  return rows.map((row) => ({ ...row, dueDate: isoFromPostgres(row.dueDate) }))
}
