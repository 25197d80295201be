import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deriveInvoice } from '../src/core/pricing/invoice.ts'
import { quoteState } from '../src/core/quotes/quote-state.ts'
import { loadDashboard } from '../src/records/dashboard/queries.ts'
import type { Dashboard } from '../src/records/dashboard/queries.ts'
import type { DashboardAnswer, OverdueInvoicesAnswer, OverdueTasksAnswer } from '../src/console/dashboard.ts'
import { callConsole, signedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { plant, plantMany } from './support/quotes.ts'
import type { Row } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import { watchedPool } from './support/watched-pool.ts'

const database = await createDatabase()
const { pool, connection } = database
const statements: string[] = []
const reports = watchedPool(connection, 'reports', (text) => statements.push(text))

const NOW = '2026-03-15T12:00:00.000Z'
const EARLIER = '2026-03-15T11:59:59.999Z'
const LATER = '2026-03-15T12:00:00.001Z'

let companies = 0
async function newCompany(): Promise<string> {
  const id = `company ${++companies}`
  await insertCompany(pool, id)
  return id
}

const load = (companyId: string, now = NOW): Promise<Dashboard> => loadDashboard(reports, companyId, now)

const EMPTY: Dashboard = {
  quotes: { draft: 0, sent: 0, expired: 0, booked: 0, lost: 0 },
  booked: {
    months:
      `2025-04 2025-05 2025-06 2025-07 2025-08 2025-09 2025-10 2025-11 2025-12 2026-01 2026-02 2026-03`.split(
        ' ',
      ),
    values: [],
  },
  upcomingEvents: [],
  overdueTasks: { count: 0, first: [] },
  overdueInvoices: { totals: [], first: [] },
}

it('gives a new company noughts and empty lists', async () => {
  expect(await load(await newCompany())).toEqual(EMPTY)
})

it('sends the same number of statements, whatever there is', async () => {
  const [empty, full] = [await newCompany(), await newCompany()]
  await plantOneOfEach(full)
  const sentFor = async (companyId: string) => {
    statements.length = 0
    await load(companyId)
    return [...statements]
  }
  const few = await sentFor(empty)
  expect(few).toHaveLength(6)
  expect(await sentFor(full)).toEqual(few)
})

it('goes by what the tables hold now, not by a plan from when they held little', async () => {
  const companyId = await newCompany()
  const client = await reports.connect()
  try {
    for (let i = 0; i < 10; i++) await loadDashboard(client, companyId, NOW)
    const { rows } = await client.query<{ kept: string }>(
      `SELECT generic_plans AS kept FROM pg_prepared_statements WHERE statement LIKE '%bookings b%'`,
    )
    // Upcoming events, booked value, overdue invoices.
    expect(rows.map(({ kept }) => kept)).toEqual(['0', '0', '0'])
  } finally {
    client.release()
  }
})

/** Something that each figure counts. */
async function plantOneOfEach(companyId: string): Promise<void> {
  await plant(pool, 'locations', companyId, 'loc', { name: 'Quay', time_zone: 'Europe/Paris' })
  await plant(pool, 'quotes', companyId, 'quote', { sent_at: EARLIER, expires_at: LATER })
  await plant(pool, 'bookings', companyId, 'booking', { total_price_cents: 12_300, created_at: EARLIER })
  await plant(pool, 'events', companyId, 'event', {
    name: 'Gala',
    location_id: 'loc',
    service_start_time: LATER,
  })
  await plant(pool, 'tasks', companyId, 'task', {
    event_id: 'event',
    description: 'Call',
    due_date: EARLIER,
  })
  await plant(pool, 'invoices', companyId, 'invoice', {
    booking_id: 'booking',
    total_cents: 900,
    amount_paid_cents: 100,
    issued_at: EARLIER,
    due_date: EARLIER,
  })
}

describe('of one company', () => {
  it('counts what it has, and nothing of another one', async () => {
    const [own, other] = [await newCompany(), await newCompany()]
    await plantOneOfEach(own)
    // The same ids, and more of everything.
    await plantOneOfEach(other)
    await plant(pool, 'quotes', other, 'more', {})
    await plant(pool, 'bookings', other, 'more', { total_price_cents: 7, created_at: EARLIER })
    await plant(pool, 'tasks', other, 'more', { event_id: 'event', description: 'x', due_date: EARLIER })
    await pool.query(`UPDATE locations SET name = 'Elsewhere' WHERE company_id = $1`, [other])
    await pool.query(`UPDATE events SET name = 'Foreign' WHERE company_id = $1`, [other])
    await pool.query(`UPDATE bookings SET full_name = 'Foreign' WHERE company_id = $1`, [other])
    expect(await load(own)).toEqual({
      quotes: { draft: 0, sent: 1, expired: 0, booked: 0, lost: 0 },
      booked: {
        months: EMPTY.booked.months,
        values: [{ month: '2026-03', currency: 'USD', bookings: 1, totalCents: '12300' }],
      },
      upcomingEvents: [
        {
          id: 'event',
          name: 'Gala',
          clientName: null,
          serviceStartTime: LATER,
          locationName: 'Quay',
          timeZone: 'Europe/Paris',
          openTasks: 1,
        },
      ],
      overdueTasks: {
        count: 1,
        first: [
          {
            id: 'task',
            description: 'Call',
            dueDate: EARLIER,
            eventId: 'event',
            eventName: 'Gala',
            clientName: null,
          },
        ],
      },
      overdueInvoices: {
        totals: [{ currency: 'USD', invoices: 1, amountDueCents: '800' }],
        first: [
          {
            id: 'invoice',
            invoiceNumber: 'INV-1',
            bookingId: 'booking',
            billTo: null,
            currency: 'USD',
            amountDueCents: '800',
            dueDate: EARLIER,
          },
        ],
      },
    })
  })

  it('does not take the location, the booking or the contact of another one for its own', async () => {
    const [own, other] = [await newCompany(), await newCompany()]
    await plant(pool, 'locations', other, 'theirs')
    await plant(pool, 'leads', other, 'theirs', { first_name: 'Ada' })
    await plant(pool, 'bookings', other, 'theirs', { canceled_at: EARLIER })
    await plant(pool, 'bookings', own, 'own', { lead_id: 'theirs' })
    await plant(pool, 'events', own, 'event', {
      location_id: 'theirs',
      booking_id: 'theirs',
      service_start_time: LATER,
    })
    await plant(pool, 'invoices', own, 'invoice', {
      booking_id: 'own',
      total_cents: 1,
      issued_at: EARLIER,
      due_date: EARLIER,
    })
    const { upcomingEvents, overdueInvoices } = await load(own)
    expect(upcomingEvents).toMatchObject([{ id: 'event', locationName: null, timeZone: null }])
    expect(overdueInvoices.first).toMatchObject([{ id: 'invoice', billTo: null }])
  })
})

describe('GET /console/dashboard', async () => {
  const server = await startServer(connection)

  it.each(['ADMIN', 'MEMBER'] as const)(
    'shows a user with the role %s the company of the session',
    async (role) => {
      const [own, other] = [await newCompany(), await newCompany()]
      await plantOneOfEach(other)
      const mine = await signedIn(server, database, own, role)
      expect(await mine.call('GET', 'dashboard')).toMatchObject({
        status: 200,
        body: { quotes: EMPTY.quotes, overdueInvoices: { totals: [], first: [] } },
      })
      const theirs = await signedIn(server, database, other, role)
      // Whatever else is sent, the session says which company it is.
      expect(await theirs.call('GET', `dashboard?companyId=${encodeURIComponent(own)}`)).toMatchObject({
        status: 200,
        body: { overdueTasks: { count: 1 }, overdueInvoices: { totals: [{ invoices: 1 }] } },
      })
    },
  )

  it('gives each overdue invoice the URL that opens it', async () => {
    const companyId = await newCompany()
    await plantOneOfEach(companyId)
    const { call } = await signedIn(server, database, companyId)
    const { overdueInvoices } = (await call('GET', 'dashboard')).body as DashboardAnswer
    const { pathname } = new URL(overdueInvoices.first[0]?.url ?? '')
    const page = await server.call(pathname)
    expect(page.status).toBe(200)
    expect(page.text).toContain('INV-1')
  })

  it('has more of what is overdue on demand: a hundred at most, the oldest first, of the company alone', async () => {
    const [own, other] = [await newCompany(), await newCompany()]
    await plantOneOfEach(other)
    await plant(pool, 'events', own, 'event', { service_start_time: LATER })
    await plant(pool, 'bookings', own, 'booking')
    // Ids in another order than the days.
    const days = Array.from({ length: 103 }, (_, i) => ({
      id: `${(i * 7) % 10} ${i}`,
      due_date: new Date(Date.UTC(2025, 0, 1 + i)).toISOString(),
    }))
    await plantMany(
      pool,
      'tasks',
      own,
      days.map((day) => ({ ...day, event_id: 'event', description: 'x' })),
    )
    await plantMany(
      pool,
      'invoices',
      own,
      days.map((day) => ({
        ...day,
        booking_id: 'booking',
        total_cents: 1,
        issued_at: '2025-01-01T00:00:00Z',
      })),
    )
    const { call } = await signedIn(server, database, own, 'MEMBER')
    const { overdueTasks, overdueInvoices } = (await call('GET', 'dashboard')).body as DashboardAnswer
    expect(overdueTasks.count).toBe(103)
    expect(overdueInvoices.totals).toMatchObject([{ invoices: 103 }])
    const { tasks } = (await call('GET', 'dashboard/overdue-tasks')).body as OverdueTasksAnswer
    expect(tasks.map(({ id }) => id)).toEqual(days.slice(0, 100).map(({ id }) => id))
    expect(tasks.slice(0, 8)).toEqual(overdueTasks.first)
    const { invoices } = (await call('GET', 'dashboard/overdue-invoices')).body as OverdueInvoicesAnswer
    expect(invoices.map(({ id }) => id)).toEqual(days.slice(0, 100).map(({ id }) => id))
    expect(invoices.slice(0, 8)).toEqual(overdueInvoices.first)
    expect((await server.call(new URL(invoices[99]?.url ?? '').pathname)).status).toBe(200)
  })

  it.each(['dashboard', 'dashboard/overdue-tasks', 'dashboard/overdue-invoices'])(
    '%s is 401 for whoever is not signed in',
    async (path) => {
      expect((await callConsole(server, '', 'GET', path)).status).toBe(401)
    },
  )
})

describe('booked value', () => {
  it('is of the month in UTC that the booking was made in, from its first to its last millisecond', async () => {
    const companyId = await newCompany()
    const made = {
      'before the first': '2025-03-31T23:59:59.999Z',
      'first of the first': '2025-04-01T00:00:00.000Z',
      'last of a month': '2025-12-31T23:59:59.999Z',
      'first of a month': '2026-01-01T00:00:00.000Z',
      'the last there is': '2026-03-31T23:59:59.999Z',
      'in the month after': '2026-04-01T00:00:00.000Z',
    }
    await plantMany(
      pool,
      'bookings',
      companyId,
      Object.entries(made).map(([id, created_at], i) => ({ id, created_at, total_price_cents: 10 ** i })),
    )
    expect((await load(companyId)).booked.values).toEqual([
      { month: '2025-04', currency: 'USD', bookings: 1, totalCents: '10' },
      { month: '2025-12', currency: 'USD', bookings: 1, totalCents: '100' },
      { month: '2026-01', currency: 'USD', bookings: 1, totalCents: '1000' },
      { month: '2026-03', currency: 'USD', bookings: 1, totalCents: '10000' },
    ])
  })

  it('is kept apart by currency, leaves canceled bookings out, and is exact beyond what a number holds', async () => {
    const companyId = await newCompany()
    const rows = Array.from({ length: 90_072 }, (_, i) => ({
      id: `b${i}`,
      created_at: NOW,
      currency: 'USD',
      total_price_cents: 100_000_000_000,
      canceled_at: null,
    }))
    await plantMany(pool, 'bookings', companyId, [
      ...rows,
      { ...rows[0], id: 'odd', total_price_cents: 1 },
      { ...rows[0], id: 'yen', currency: 'JPY', total_price_cents: 5 },
      { ...rows[0], id: 'canceled', canceled_at: '2020-01-01T00:00:00Z' },
      { ...rows[0], id: 'to be canceled', canceled_at: '2030-01-01T00:00:00Z' },
    ])
    expect((await load(companyId)).booked.values).toEqual([
      { month: '2026-03', currency: 'JPY', bookings: 1, totalCents: '5' },
      { month: '2026-03', currency: 'USD', bookings: 90_073, totalCents: '9007200000000001' },
    ])
  })
})

describe('upcoming events', () => {
  it('are the next eight from this very moment on, those of canceled bookings left out', async () => {
    const companyId = await newCompany()
    await plant(pool, 'bookings', companyId, 'canceled', { canceled_at: NOW })
    await plant(pool, 'bookings', companyId, 'kept')
    const at = (id: string, service_start_time: string, booking_id: string | null = null) => ({
      id,
      service_start_time,
      booking_id,
    })
    await plantMany(pool, 'events', companyId, [
      at('began', EARLIER),
      at('b', NOW),
      at('a', NOW, 'kept'),
      at('not there', NOW, 'no such booking'),
      at('off', NOW, 'canceled'),
      ...Array.from({ length: 9 }, (_, i) => at(`later ${i}`, `2026-04-0${i + 1}T10:00:00.000Z`)),
    ])
    const { upcomingEvents } = await load(companyId)
    expect(upcomingEvents.map(({ id }) => id)).toEqual([
      'a',
      'b',
      'not there',
      'later 0',
      'later 1',
      'later 2',
      'later 3',
      'later 4',
    ])
  })
})

const moment = fc.oneof(
  fc.constantFrom(EARLIER, NOW, LATER, '2025-04-01T00:00:00.000Z', '2025-03-31T23:59:59.999Z'),
  fc
    .integer({ min: Date.parse('2025-01-01T00:00:00Z'), max: Date.parse('2026-06-30T00:00:00Z') })
    .map((time) => new Date(time).toISOString()),
)
const maybe = fc.option(moment, { nil: null, freq: 2 })
const amount = fc.integer({ min: 0, max: 3 }).map((hundreds) => hundreds * 100)
const currency = fc.constantFrom('USD', 'EUR', 'JPY')

const world = fc.record({
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
type World = typeof world extends fc.Arbitrary<infer Given> ? Given : never

/** Ids whose order is not the order in which they were made. */
const withIds = <Given extends object>(rows: readonly Given[]): (Given & { id: string })[] =>
  rows.map((row, i) => ({ ...row, id: `${(i * 7) % 10} ${i}` }))

function identify({ quotes, bookings, events, tasks, invoices }: World) {
  const booked = withIds(bookings)
  const taking = withIds(events).map(({ booking, ...event }) => ({
    ...event,
    booking_id: booked[booking]?.id ?? null,
  }))
  return {
    quotes: withIds(quotes),
    bookings: booked,
    events: taking,
    tasks: withIds(tasks).map(({ event, ...task }) => ({
      ...task,
      description: 'x',
      event_id: taking[event % taking.length]?.id ?? '',
    })),
    invoices: withIds(invoices).map((invoice) => ({ ...invoice, booking_id: booked[0]?.id ?? '' })),
  }
}
type Identified = ReturnType<typeof identify>

const TABLES = ['quotes', 'bookings', 'events', 'tasks', 'invoices'] as const

async function plantWorld(companyId: string, given: Identified): Promise<void> {
  for (const table of TABLES) {
    const rows: readonly Row[] = given[table]
    if (rows.length > 0) await plantMany(pool, table, companyId, rows)
  }
}

/** The same figures, counted one by one. */
function count(given: Identified) {
  const quotes = { draft: 0, sent: 0, expired: 0, booked: 0, lost: 0 }
  for (const quote of given.quotes.filter(({ deleted_at }) => deleted_at === null))
    quotes[stateOf(quote)] += 1

  const byMonth = new Map<string, { bookings: number; total: number }>()
  for (const booking of given.bookings) {
    const month = booking.created_at.slice(0, 7)
    if (booking.canceled_at !== null || !EMPTY.booked.months.includes(month)) continue
    const name = `${month} ${booking.currency}`
    const { bookings, total } = byMonth.get(name) ?? { bookings: 0, total: 0 }
    byMonth.set(name, { bookings: bookings + 1, total: total + booking.total_price_cents })
  }

  const canceled = new Set(given.bookings.flatMap((one) => (one.canceled_at === null ? [] : [one.id])))
  const upcoming = given.events
    .filter((event) => event.service_start_time >= NOW && !canceled.has(event.booking_id ?? ''))
    .toSorted((a, b) => order([a.service_start_time, a.id], [b.service_start_time, b.id]))
  const openTasksOf = (id: string) =>
    given.tasks.filter((task) => task.event_id === id && task.completed_at === null).length

  const late = given.tasks
    .filter((task) => task.completed_at === null && task.due_date !== null && task.due_date < NOW)
    .toSorted((a, b) => order([String(a.due_date), a.id], [String(b.due_date), b.id]))

  const invoices = given.invoices
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
          const mine = invoices.filter((invoice) => invoice.currency === code)
          const due = mine.reduce((sum, { amountDue }) => sum + amountDue, 0)
          return mine.length === 0 ? [] : [[code, { invoices: mine.length, due }]]
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
  const place = a.findIndex((part, i) => part !== b[i])
  return place === -1 ? 0 : (a[place] ?? '') < (b[place] ?? '') ? -1 : 1
}

/** What was loaded, in the shape of `count`. */
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

it('agrees with counting one by one, also with what the rules of quotes and invoices derive', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (given) => {
      const companyId = await newCompany()
      const identified = identify(given)
      await plantWorld(companyId, identified)
      expect(summarize(await load(companyId))).toEqual(count(identified))
    }),
    { numRuns: Math.min(1_000, Number(process.env['PROPERTY_RUNS'] ?? 100)) },
  )
})
