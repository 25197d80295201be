import { describe, expect, it } from 'vitest'
import type { AgendaAnswer, EventAnswer, PlacesAnswer } from '../src/console/events.ts'
import { plant } from './support/quotes.ts'
import { createEventConsole, success } from './support/console-events.ts'

const { pool, server, admin, member, stranger, event } = await createEventConsole()

const agenda = async (query: string, user = admin) =>
  success<AgendaAnswer>(await user.call('GET', `agenda?${query}`))
const idsOf = ({ events }: AgendaAnswer) => events.map(({ id }) => id)

describe('the agenda', () => {
  it('lists events on their days in the time zone of the location, not of the reader', async () => {
    // The same two hours: Tuesday in Kiritimati, Monday in Honolulu.
    const hours = ['2027-02-16T06:00:00Z', '2027-02-16T08:00:00Z'] as const
    for (const locationId of ['kiritimati', 'honolulu'])
      await event('co_1', `in ${locationId}`, ...hours, { location_id: locationId })
    const monday = await agenda('from=2027-02-15&to=2027-02-15&timeZone=Pacific/Kiritimati')
    expect(idsOf(monday)).toEqual(['in honolulu'])
    expect(monday.events[0]).toMatchObject({
      timeZone: 'Pacific/Honolulu',
      locationId: 'honolulu',
      locationName: 'At honolulu',
      days: { first: '2027-02-15', last: '2027-02-15' },
      serviceStartTime: '2027-02-16T06:00:00.000Z',
      serviceEndTime: '2027-02-16T08:00:00.000Z',
    })
    expect(idsOf(await agenda('from=2027-02-16&to=2027-02-16'))).toEqual(['in kiritimati'])
    expect(idsOf(await agenda('from=2027-02-17&to=2027-02-17'))).toEqual([])
  })

  it('uses the time zone of the reader for events without a location', async () => {
    const hours = ['2027-03-02T22:00:00Z', '2027-03-02T23:30:00Z'] as const
    await event('co_1', 'nowhere', ...hours)
    await event('co_1', 'at a foreign location', ...hours, { location_id: 'theirs' })
    const expected = ['at a foreign location', 'nowhere']
    expect(idsOf(await agenda('from=2027-03-03&to=2027-03-03&timeZone=Asia/Tokyo'))).toEqual(expected)
    expect(idsOf(await agenda('from=2027-03-02&to=2027-03-02&timeZone=Asia/Tokyo'))).toEqual([])
    const inUtc = await agenda('from=2027-03-02&to=2027-03-02')
    expect(idsOf(inUtc)).toEqual(expected)
    expect(inUtc.events.map(({ timeZone, locationName }) => [timeZone, locationName])).toEqual([
      ['UTC', null],
      ['UTC', null],
    ])
    // The browser can know more time zones than the server.
    expect(idsOf(await agenda('from=2027-03-02&to=2027-03-02&timeZone=Mars/Olympus'))).toEqual(expected)
  })

  it('lists an event past midnight on both days, and one until midnight on one day', async () => {
    const at = { location_id: 'berlin' }
    await event('co_1', 'until midnight', '2027-04-05T18:00:00Z', '2027-04-05T22:00:00Z', at)
    await event('co_1', 'until two', '2027-04-05T18:00:00Z', '2027-04-06T00:00:00Z', at)
    await event('co_1', 'four days', '2027-04-05T18:00:00Z', '2027-04-08T12:00:00Z', at)
    const on = async (day: string) => idsOf(await agenda(`from=${day}&to=${day}`))
    expect(await on('2027-04-05')).toEqual(['four days', 'until midnight', 'until two'])
    expect(await on('2027-04-06')).toEqual(['four days', 'until two'])
    expect(await on('2027-04-08')).toEqual(['four days'])
    expect(await on('2027-04-09')).toEqual([])
    const { events } = await agenda('from=2027-04-07&to=2027-04-07')
    expect(events[0]?.days).toEqual({ first: '2027-04-05', last: '2027-04-08' })
  })

  it('lists the events of the company for each of its users, and filters by location', async () => {
    const hours = ['2027-05-04T10:00:00Z', '2027-05-04T12:00:00Z'] as const
    await event('co_1', 'ours', ...hours, { location_id: 'berlin' })
    await event('co_1', 'ours elsewhere', ...hours, { location_id: 'honolulu' })
    await event('co_2', 'foreign', ...hours, { location_id: 'berlin' })
    const week = 'from=2027-05-03&to=2027-05-09'
    expect(idsOf(await agenda(week))).toEqual(['ours', 'ours elsewhere'])
    expect(idsOf(await agenda(week, member))).toEqual(['ours', 'ours elsewhere'])
    expect(idsOf(await agenda(week, stranger))).toEqual(['foreign'])
    expect(idsOf(await agenda(`${week}&locationId=berlin`))).toEqual(['ours'])
    expect(idsOf(await agenda(`${week}&locationId=theirs`))).toEqual([])
    expect(idsOf(await agenda(`${week}&locationId=%00`))).toEqual([])
    expect((await server.call(`/console/agenda?${week}`)).status).toBe(401)
  })

  it.each([
    ['an empty query', '', 'from'],
    ['a missing end', 'from=2027-02-15', 'to'],
    ['a date that does not exist', 'from=2027-02-30&to=2027-03-01', 'from'],
    ['a date-time', 'from=2027-02-15T00:00:00Z&to=2027-02-16', 'from'],
    ['an end before the start', 'from=2027-02-15&to=2027-02-14', 'to'],
    ['more than six weeks', 'from=2027-02-01&to=2027-03-15', 'to'],
    ['a time zone of 65 characters', `from=2027-02-15&to=2027-02-15&timeZone=${'x'.repeat(65)}`, 'timeZone'],
  ])('rejects %s and names the field', async (_, query, field) => {
    const answer = await admin.call('GET', `agenda?${query}`)
    expect(answer.status).toBe(400)
    const { error } = answer.body as { error: { code: string; details: Record<string, unknown> } }
    expect(error.code).toBe('invalid_body')
    expect(Object.keys(error.details)).toContain(field)
  })

  it('accepts six weeks, year 1 and year 9999', async () => {
    expect(idsOf(await agenda('from=2028-01-31&to=2028-03-12'))).toEqual([])
    expect(idsOf(await agenda('from=0001-01-01&to=0001-01-31'))).toEqual([])
    expect(idsOf(await agenda('from=9999-12-01&to=9999-12-31'))).toEqual([])
  })

  it('lists the locations of the company by name', async () => {
    const { places } = success<PlacesAnswer>(await member.call('GET', 'agenda/places'))
    expect(places).toEqual([
      { id: 'berlin', name: 'At berlin', timeZone: 'Europe/Berlin' },
      { id: 'honolulu', name: 'At honolulu', timeZone: 'Pacific/Honolulu' },
      { id: 'kiritimati', name: 'At kiritimati', timeZone: 'Pacific/Kiritimati' },
    ])
  })
})

describe('an event', () => {
  it('shows relations of its company only', async () => {
    await plant(pool, 'staff', 'co_1', 'staff_b', { first_name: 'Bo', last_name: 'Berg' })
    await plant(pool, 'staff', 'co_1', 'staff_a', { first_name: 'Al', last_name: 'Ahn', status: 'inactive' })
    await plant(pool, 'staff', 'co_2', 'staff_x')
    await plant(pool, 'resources', 'co_1', 'res_1')
    await plant(pool, 'services', 'co_1', 'srv_1')
    await plant(pool, 'services', 'co_1', 'srv_gone', { archived_at: '2026-01-01T00:00:00Z' })
    await plant(pool, 'addons', 'co_1', 'add_1')
    await plant(pool, 'event_types', 'co_1', 'type_1', { name: 'Gala' })
    await plant(pool, 'bookings', 'co_1', 'book_1', { quote_id: 'quote_1', event_type_id: 'type_1' })
    await event('co_1', 'whole', '2027-06-04T10:00:00Z', '2027-06-04T12:00:00Z', {
      name: 'Summer gala',
      location_id: 'berlin',
      booking_id: 'book_1',
      staff_ids: ['staff_b', 'staff_x', 'staff_a'],
      resource_ids: ['res_1', 'res_gone'],
      service_ids: ['srv_gone', 'srv_1'],
      addon_ids: ['add_1'],
    })
    const whole = success<EventAnswer>(await member.call('GET', 'events/whole'))
    expect(whole.event).toMatchObject({
      object: 'event',
      id: 'whole',
      name: 'Summer gala',
      companyId: 'co_1',
    })
    expect(whole.location).toMatchObject({ id: 'berlin', timeZone: 'Europe/Berlin' })
    expect(whole.booking).toMatchObject({ id: 'book_1', quoteId: 'quote_1' })
    expect(whole.eventType).toBe('Gala')
    expect(whole.staff.map(({ id, status }) => [id, status])).toEqual([
      ['staff_a', 'inactive'],
      ['staff_b', 'active'],
    ])
    expect(whole.resources.map(({ id }) => id)).toEqual(['res_1'])
    expect(whole.services.map(({ id }) => id)).toEqual(['srv_1'])
    expect(whole.addons.map(({ id }) => id)).toEqual(['add_1'])
  })

  it('lists the invoices of its booking with status, amounts and a link, oldest first', async () => {
    await plant(pool, 'bookings', 'co_1', 'book_inv')
    await plant(pool, 'bookings', 'co_1', 'book_other')
    await plant(pool, 'bookings', 'co_2', 'book_inv')
    const invoice = (companyId: string, id: string, row: object) =>
      plant(pool, 'invoices', companyId, id, { booking_id: 'book_inv', invoice_number: `No. ${id}`, ...row })
    await invoice('co_1', 'second', {
      total_cents: 120_000,
      amount_paid_cents: 20_000,
      issued_at: '2027-01-02T00:00:00Z',
      due_date: '2999-01-31T00:00:00Z',
      notes: 'not for this list',
      created_at: '2027-01-02T00:00:00Z',
    })
    await invoice('co_1', 'first', { total_cents: 50_000, created_at: '2027-01-01T00:00:00Z' })
    await invoice('co_1', 'other booking', { booking_id: 'book_other' })
    await invoice('co_2', 'foreign', {})
    await event('co_1', 'invoiced', '2027-06-04T10:00:00Z', '2027-06-04T12:00:00Z', {
      booking_id: 'book_inv',
    })
    const { invoices } = success<EventAnswer>(await member.call('GET', 'events/invoiced'))
    expect(invoices).toEqual([
      {
        id: 'first',
        invoiceNumber: 'No. first',
        status: 'Draft',
        total: 50_000,
        amountPaid: 0,
        amountDue: 50_000,
        currency: { isoCode: 'USD' },
        dueDate: null,
        url: expect.stringContaining('/i/') as unknown,
      },
      {
        id: 'second',
        invoiceNumber: 'No. second',
        status: 'PartiallyPaid',
        total: 120_000,
        amountPaid: 20_000,
        amountDue: 100_000,
        currency: { isoCode: 'USD' },
        dueDate: '2999-01-31T00:00:00.000Z',
        url: expect.stringContaining('/i/') as unknown,
      },
    ])
    const { pathname } = new URL(invoices[0]?.url ?? '')
    expect((await server.call(pathname)).text).toContain('No. first')
  })

  it('has null and empty lists without relations', async () => {
    await event('co_1', 'bare', '2027-06-04T10:00:00Z', '2027-06-04T12:00:00Z', {
      location_id: 'theirs',
      booking_id: 'no such',
    })
    const none = { location: null, booking: null, eventType: null }
    expect(success<EventAnswer>(await admin.call('GET', 'events/bare'))).toMatchObject({
      ...none,
      staff: [],
      resources: [],
      services: [],
      addons: [],
      invoices: [],
    })
  })

  it.each(['no such', 'foreign', '%00', 'x'.repeat(300)])('answers 404 to the id %s', async (id) => {
    for (const [method, path] of [
      ['GET', `events/${id}`],
      ['GET', `events/${id}/tasks`],
      ['POST', `events/${id}/tasks`],
    ] as const) {
      const body = method === 'POST' ? { description: 'Ice' } : undefined
      const answer = await admin.call(method, path.replaceAll(' ', '%20'), body)
      expect([method, answer.status]).toEqual([method, 404])
      expect(answer.body).toMatchObject({ error: { code: 'not_found' } })
    }
  })
})
