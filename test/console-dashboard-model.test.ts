import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { deriveInvoice } from '../src/core/pricing/invoice.ts'
import { quoteState } from '../src/core/quotes/quote-state.ts'
import type { Dashboard } from '../src/records/dashboard/queries.ts'
import { plantMany } from './support/quotes.ts'
import type { Row } from './support/quotes.ts'
import { EARLIER, EMPTY, LATER, NOW, createDashboard } from './support/console-dashboard.ts'

const { pool, newCompany, load } = await createDashboard()

const moment = fc.oneof(
  fc.constantFrom(EARLIER, NOW, LATER, '2025-04-01T00:00:00.000Z', '2025-03-31T23:59:59.999Z'),
  fc
    .integer({ min: Date.parse('2025-01-01T00:00:00Z'), max: Date.parse('2026-06-30T00:00:00Z') })
    .map((time) => new Date(time).toISOString()),
)
const maybe = fc.option(moment, { nil: null, freq: 2 })
const amount = fc.integer({ min: 0, max: 3 }).map((hundreds) => hundreds * 100)
const currency = fc.constantFrom('USD', 'EUR', 'JPY')

const worlds = fc.record({
  quotes: fc.array(
    fc.record({ sent_at: maybe, expires_at: maybe, booked_at: maybe, lost_at: maybe, deleted_at: maybe }),
    { maxLength: 40 },
  ),
  bookings: fc.array(
    fc.record({ created_at: moment, canceled_at: maybe, currency, total_price_cents: amount }),
    { minLength: 1, maxLength: 30 },
  ),
  events: fc.array(fc.record({ service_start_time: moment, booking: fc.nat(40) }), {
    minLength: 1,
    maxLength: 30,
  }),
  tasks: fc.array(fc.record({ due_date: maybe, completed_at: maybe, event: fc.nat(100) }), {
    maxLength: 40,
  }),
  invoices: fc.array(
    fc.record({
      currency,
      total_cents: amount,
      amount_paid_cents: amount,
      issued_at: maybe,
      due_date: maybe,
      voided_at: maybe,
    }),
    { maxLength: 40 },
  ),
})
type World = typeof worlds extends fc.Arbitrary<infer Value> ? Value : never

/** Adds ids whose order differs from the order of creation. */
const withIds = <Columns extends object>(rows: readonly Columns[]): (Columns & { id: string })[] =>
  rows.map((row, i) => ({ ...row, id: `${(i * 7) % 10} ${i}` }))

function identify({ quotes, bookings, events, tasks, invoices }: World) {
  const booked = withIds(bookings)
  const eventsOfBookings = withIds(events).map(({ booking, ...event }) => ({
    ...event,
    booking_id: booked[booking]?.id ?? null,
  }))
  return {
    quotes: withIds(quotes),
    bookings: booked,
    events: eventsOfBookings,
    tasks: withIds(tasks).map(({ event, ...task }) => ({
      ...task,
      description: 'x',
      event_id: eventsOfBookings[event % eventsOfBookings.length]?.id ?? '',
    })),
    invoices: withIds(invoices).map((invoice) => ({ ...invoice, booking_id: booked[0]?.id ?? '' })),
  }
}
type Identified = ReturnType<typeof identify>

const TABLES = ['quotes', 'bookings', 'events', 'tasks', 'invoices'] as const

async function plantWorld(companyId: string, world: Identified): Promise<void> {
  for (const table of TABLES) {
    const rows: readonly Row[] = world[table]
    if (rows.length > 0) await plantMany(pool, table, companyId, rows)
  }
}

/** The expected figures, counted record by record. */
function count(world: Identified) {
  const quotes = { draft: 0, sent: 0, expired: 0, booked: 0, lost: 0 }
  for (const quote of world.quotes.filter(({ deleted_at }) => deleted_at === null))
    quotes[stateOf(quote)] += 1

  const byMonth = new Map<string, { bookings: number; total: number }>()
  for (const booking of world.bookings) {
    const month = booking.created_at.slice(0, 7)
    if (booking.canceled_at !== null || !EMPTY.booked.months.includes(month)) continue
    const name = `${month} ${booking.currency}`
    const { bookings, total } = byMonth.get(name) ?? { bookings: 0, total: 0 }
    byMonth.set(name, { bookings: bookings + 1, total: total + booking.total_price_cents })
  }

  const canceled = new Set(
    world.bookings.flatMap(({ id, canceled_at }) => (canceled_at === null ? [] : [id])),
  )
  const upcoming = world.events
    .filter((event) => event.service_start_time >= NOW && !canceled.has(event.booking_id ?? ''))
    .toSorted((a, b) => order([a.service_start_time, a.id], [b.service_start_time, b.id]))
  const openTasksOf = (id: string) =>
    world.tasks.filter((task) => task.event_id === id && task.completed_at === null).length

  const late = world.tasks
    .filter((task) => task.completed_at === null && task.due_date !== null && task.due_date < NOW)
    .toSorted((a, b) => order([String(a.due_date), a.id], [String(b.due_date), b.id]))

  const invoices = world.invoices
    .map((invoice) => ({ ...invoice, ...derive(invoice) }))
    .filter(({ status }) => status === 'Overdue')
    .toSorted((a, b) => order([String(a.due_date), a.id], [String(b.due_date), b.id]))
  return {
    quotes,
    booked: Object.fromEntries(byMonth),
    upcoming: upcoming.slice(0, 8).map(({ id }) => [id, openTasksOf(id)]),
    tasks: { count: late.length, first: late.slice(0, 8).map(({ id }) => id) },
    invoices: {
      totals: Object.fromEntries(
        ['USD', 'EUR', 'JPY'].flatMap((code) => {
          const inCurrency = invoices.filter((invoice) => invoice.currency === code)
          const due = inCurrency.reduce((sum, { amountDue }) => sum + amountDue, 0)
          return inCurrency.length === 0 ? [] : [[code, { invoices: inCurrency.length, due }]]
        }),
      ),
      first: invoices.slice(0, 8).map(({ id, amountDue }) => [id, amountDue]),
    },
  }
}

function stateOf({ sent_at, expires_at, booked_at, lost_at }: Identified['quotes'][number]) {
  const times = { sentAt: sent_at, expiresAt: expires_at, bookedAt: booked_at, lostAt: lost_at }
  return quoteState(times, NOW)
}

function derive(invoice: Identified['invoices'][number]) {
  return deriveInvoice(
    {
      total: invoice.total_cents,
      amountPaid: invoice.amount_paid_cents,
      issuedAt: invoice.issued_at,
      dueDate: invoice.due_date,
      voidedAt: invoice.voided_at,
    },
    NOW,
  )
}

function order(a: readonly string[], b: readonly string[]): number {
  const index = a.findIndex((part, i) => part !== b[i])
  return index === -1 ? 0 : (a[index] ?? '') < (b[index] ?? '') ? -1 : 1
}

/** The loaded dashboard in the shape of `count`. */
const summarize = ({ quotes, booked, upcomingEvents, overdueTasks, overdueInvoices }: Dashboard) => ({
  quotes,
  booked: Object.fromEntries(
    booked.values.map(({ month, currency: code, bookings, totalCents }) => [
      `${month} ${code}`,
      { bookings, total: Number(totalCents) },
    ]),
  ),
  upcoming: upcomingEvents.map(({ id, openTasks }) => [id, openTasks]),
  tasks: { count: overdueTasks.count, first: overdueTasks.first.map(({ id }) => id) },
  invoices: {
    totals: Object.fromEntries(
      overdueInvoices.totals.map(({ currency: code, invoices, amountDueCents }) => [
        code,
        { invoices, due: Number(amountDueCents) },
      ]),
    ),
    first: overdueInvoices.first.map(({ id, amountDueCents }) => [id, Number(amountDueCents)]),
  },
})

it('agrees with counting records in JavaScript with the rules of quotes and invoices', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const companyId = await newCompany()
      const identified = identify(world)
      await plantWorld(companyId, identified)
      expect(summarize(await load(companyId))).toEqual(count(identified))
    }),
    { numRuns: Math.min(1_000, Number(process.env['PROPERTY_RUNS'] ?? 100)) },
  )
})
