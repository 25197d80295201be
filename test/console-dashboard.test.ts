import { describe, expect, it } from 'vitest'
import { loadDashboard } from '../src/records/dashboard/queries.ts'
import type { DashboardAnswer, OverdueInvoicesAnswer, OverdueTasksAnswer } from '../src/console/dashboard.ts'
import { callConsole, signedIn } from './support/console.ts'
import { plant, plantMany } from './support/quotes.ts'
import { startServer } from './support/server.ts'
import { EARLIER, EMPTY, LATER, NOW, createDashboard, statements } from './support/console-dashboard.ts'

const { database, pool, connection, reports, newCompany, load } = await createDashboard()

it('has zeros and empty lists for a new company', async () => {
  expect(await load(await newCompany())).toEqual(EMPTY)
})

it('sends the same number of statements for any content', async () => {
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

it('plans its statements at every call', async () => {
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

/** One record for each figure. */
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
  it('counts the records of the company only', async () => {
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

  it('does not use the location, booking or contact of another company', async () => {
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

  it('lists up to a hundred overdue tasks and invoices of the company, oldest first', async () => {
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
    'responds with 401 to %s without a session',
    async (path) => {
      expect((await callConsole(server, '', 'GET', path)).status).toBe(401)
    },
  )
})

describe('booked value', () => {
  it('counts a booking in its UTC month of creation, from the first to the last millisecond', async () => {
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

  it('is exact beyond the range of a number, separate for each currency, and without canceled bookings', async () => {
    const companyId = await newCompany()
    const booking = {
      created_at: NOW,
      currency: 'USD',
      total_price_cents: 100_000_000_000,
      canceled_at: null,
    }
    await pool.query(
      `INSERT INTO bookings (company_id, id, created_at, currency, total_price_cents)
       SELECT $1, 'b' || n, $2, 'USD', 100000000000 FROM generate_series(1, 90072) n`,
      [companyId, NOW],
    )
    await plantMany(pool, 'bookings', companyId, [
      { ...booking, id: 'odd', total_price_cents: 1 },
      { ...booking, id: 'yen', currency: 'JPY', total_price_cents: 5 },
      { ...booking, id: 'canceled', canceled_at: '2020-01-01T00:00:00Z' },
      { ...booking, id: 'to be canceled', canceled_at: '2030-01-01T00:00:00Z' },
    ])
    expect((await load(companyId)).booked.values).toEqual([
      { month: '2026-03', currency: 'JPY', bookings: 1, totalCents: '5' },
      { month: '2026-03', currency: 'USD', bookings: 90_073, totalCents: '9007200000000001' },
    ])
  })
})

describe('upcoming events', () => {
  it('are the next eight from now on, without those of canceled bookings', async () => {
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
