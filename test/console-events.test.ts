import { describe, expect, it } from 'vitest'
import type { AgendaAnswer, EventAnswer, PlacesAnswer } from '../src/console/events.ts'
import type { ChecklistAnswer, Task, TaskAnswer, TasksAnswer } from '../src/console/tasks.ts'
import { signedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { ISO_TIME, postTask, taskOf } from './support/older.ts'
import { KEY, OTHER_KEY, plant } from './support/quotes.ts'
import { insert, insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import type { Answer } from './support/server.ts'

const database = await createDatabase()
const { pool } = database
await insertCompany(pool, 'co_1', { key: KEY })
await insertCompany(pool, 'co_2', { key: OTHER_KEY })
const server = await startServer(database.connection)
const admin = await signedIn(server, database, 'co_1')
const member = await signedIn(server, database, 'co_1', 'MEMBER')
const stranger = await signedIn(server, database, 'co_2')

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
function success<Body>(answer: Answer): Body {
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${answer.text}`)
  return answer.body as Body
}

const agenda = async (query: string, user = admin) =>
  success<AgendaAnswer>(await user.call('GET', `agenda?${query}`))
const idsOf = ({ events }: AgendaAnswer) => events.map(({ id }) => id)
const checklist = async (eventId: string, user = admin) =>
  success<ChecklistAnswer>(await user.call('GET', `events/${encodeURIComponent(eventId)}/tasks`)).tasks

const event = (companyId: string, id: string, start: string, end: string, row = {}) =>
  plant(pool, 'events', companyId, id, { service_start_time: start, service_end_time: end, ...row })

const place = (companyId: string, id: string, timeZone: string) =>
  plant(pool, 'locations', companyId, id, { name: `At ${id}`, time_zone: timeZone })

await place('co_1', 'kiritimati', 'Pacific/Kiritimati')
await place('co_1', 'honolulu', 'Pacific/Honolulu')
await place('co_1', 'berlin', 'Europe/Berlin')
await place('co_2', 'theirs', 'Europe/Paris')

describe('the agenda', () => {
  it('has each event on its days in the zone of its location, whatever the reader’s', async () => {
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

  it('an event without a place that the company has is told in the reader’s zone', async () => {
    const hours = ['2027-03-02T22:00:00Z', '2027-03-02T23:30:00Z'] as const
    await event('co_1', 'nowhere', ...hours)
    await event('co_1', 'at a foreign place', ...hours, { location_id: 'theirs' })
    const both = ['at a foreign place', 'nowhere']
    expect(idsOf(await agenda('from=2027-03-03&to=2027-03-03&timeZone=Asia/Tokyo'))).toEqual(both)
    expect(idsOf(await agenda('from=2027-03-02&to=2027-03-02&timeZone=Asia/Tokyo'))).toEqual([])
    const inUtc = await agenda('from=2027-03-02&to=2027-03-02')
    expect(idsOf(inUtc)).toEqual(both)
    expect(inUtc.events.map(({ timeZone, locationName }) => [timeZone, locationName])).toEqual([
      ['UTC', null],
      ['UTC', null],
    ])
    // A zone that only the browser knows is no error.
    expect(idsOf(await agenda('from=2027-03-02&to=2027-03-02&timeZone=Mars/Olympus'))).toEqual(both)
  })

  it('an event over midnight lies on both days, one until midnight on one', async () => {
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

  it('is of the company alone, of one location where it is asked for, and everybody’s who is signed in', async () => {
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
    ['nothing', '', 'from'],
    ['no end', 'from=2027-02-15', 'to'],
    ['a day that is none', 'from=2027-02-30&to=2027-03-01', 'from'],
    ['a date-time', 'from=2027-02-15T00:00:00Z&to=2027-02-16', 'from'],
    ['an end before the beginning', 'from=2027-02-15&to=2027-02-14', 'to'],
    ['more than six weeks', 'from=2027-02-01&to=2027-03-15', 'to'],
    ['a zone of 65 characters', `from=2027-02-15&to=2027-02-15&timeZone=${'x'.repeat(65)}`, 'timeZone'],
  ])('%s is 400, and says what to change', async (_, query, field) => {
    const answer = await admin.call('GET', `agenda?${query}`)
    expect(answer.status).toBe(400)
    const { error } = answer.body as { error: { code: string; details: Record<string, unknown> } }
    expect(error.code).toBe('invalid_body')
    expect(Object.keys(error.details)).toContain(field)
  })

  it('takes six weeks, and the first and the last days there are', async () => {
    expect(idsOf(await agenda('from=2028-01-31&to=2028-03-12'))).toEqual([])
    expect(idsOf(await agenda('from=0001-01-01&to=0001-01-31'))).toEqual([])
    expect(idsOf(await agenda('from=9999-12-01&to=9999-12-31'))).toEqual([])
  })

  it('has the places of the company, by name', async () => {
    const { places } = success<PlacesAnswer>(await member.call('GET', 'agenda/places'))
    expect(places).toEqual([
      { id: 'berlin', name: 'At berlin', timeZone: 'Europe/Berlin' },
      { id: 'honolulu', name: 'At honolulu', timeZone: 'Pacific/Honolulu' },
      { id: 'kiritimati', name: 'At kiritimati', timeZone: 'Pacific/Kiritimati' },
    ])
  })
})

describe('an event', () => {
  it('has its relations, those of its company alone', async () => {
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

  it('without any of them has null and empty lists', async () => {
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

  it.each(['no such', 'foreign', '%00', 'x'.repeat(300)])('%s is 404', async (id) => {
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

describe('reading the checklist', () => {
  const read = async (query = '') =>
    success<ChecklistAnswer>(await admin.call('GET', `events/ev_pages/tasks${query}`))
  const markedIds = ({ marks }: ChecklistAnswer) => marks.map(({ id }) => id)

  it('the first 100 tasks come at first, and how many more there are', async () => {
    await pool.query(
      `INSERT INTO events (company_id, id, name, service_start_time, service_end_time)
       VALUES ('co_1', 'ev_pages', 'Pages', '2027-05-01T10:00:00Z', '2027-05-01T12:00:00Z')`,
    )
    await pool.query(
      `INSERT INTO tasks (company_id, id, event_id, description, created_at, completed_at)
       SELECT 'co_1', 'page_' || i, 'ev_pages', 'x', '2027-01-01T00:00:00Z'::timestamptz + i * interval '1 hour',
         CASE WHEN i > 120 THEN '2027-03-01T00:00:00Z'::timestamptz END
       FROM generate_series(1, 130) i`,
    )
    const answer = await read()
    expect(answer.tasks.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, i) => `page_${i + 1}`))
    expect(markedIds(answer)).toEqual(answer.tasks.map(({ id }) => id))
    expect(answer.hidden).toEqual({ open: 20, done: 10 })
    expect(answer.newestAt).toBe('2027-01-06T10:00:00.000Z')
  })

  it('a poll is told nothing while nothing changes', async () => {
    const { version } = await read()
    const poll = await admin.call('GET', `events/ev_pages/tasks?version=${version}`)
    expect([poll.status, poll.text]).toEqual([204, ''])
  })

  it('a poll is told which tasks have changed, are new, or are gone, and no texts', async () => {
    const before = await read()
    const { task: added } = success<TaskAnswer>(
      await admin.call('POST', 'events/ev_pages/tasks', {
        description: 'New',
        dueDate: '2027-04-01T00:00:00Z',
      }),
    )
    await admin.call('PATCH', 'tasks/page_7', { completed: true })
    await admin.call('DELETE', 'tasks/page_8')
    const after = await read(`?version=${before.version}`)
    expect(after.tasks).toEqual([])
    expect(after.version).not.toBe(before.version)
    const marks = new Map(before.marks.map(({ id, mark }) => [id, mark]))
    const news = after.marks.filter(({ id, mark }) => marks.get(id) !== mark).map(({ id }) => id)
    expect(news).toEqual([added.id, 'page_101'])
    expect(markedIds(after)).not.toEqual(expect.arrayContaining(['page_7', 'page_8']))
    expect(after.hidden).toEqual({ open: 19, done: 11 })
  })

  it('more of it is listed, and the tasks are read by their ids', async () => {
    const { version } = await read()
    const more = await read(`?version=${version}&limit=200`)
    expect(more.marks).toHaveLength(130)
    expect(more.hidden).toEqual({ open: 0, done: 0 })
    const ids = ['page_110', 'page_8', 'nothing', 'page_130']
    const answer = await admin.call('POST', 'events/ev_pages/tasks/read', { ids })
    expect(success<TasksAnswer>(answer).tasks.map(({ id }) => id)).toEqual(['page_110', 'page_130'])
  })

  it('a change beyond what is shown is one, too', async () => {
    const { version } = await read()
    await admin.call('PATCH', 'tasks/page_120', { completed: true })
    expect((await read(`?version=${version}`)).hidden).toEqual({ open: 18, done: 12 })
  })

  it.each(['?limit=0', '?limit=1001', '?limit=x', '?limit=1e2'])('%s is refused', async (query) => {
    const answer = await admin.call('GET', `events/ev_pages/tasks${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error: { code: 'invalid_body' } })
  })

  it('more than 50 ids at once are refused', async () => {
    const ids = Array.from({ length: 51 }, (_, i) => `page_${i}`)
    const answer = await admin.call('POST', 'events/ev_pages/tasks/read', { ids })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error: { code: 'invalid_body' } })
  })
})

describe('the checklist', () => {
  const add = async (eventId: string, body: object, user = admin) =>
    success<TaskAnswer>(await user.call('POST', `events/${eventId}/tasks`, body)).task
  const patch = (id: string, body: object, user = admin) => user.call('PATCH', `tasks/${id}`, body)
  const newEvent = (id: string) => event('co_1', id, '2027-07-04T10:00:00Z', '2027-07-04T12:00:00Z')

  it('has what the API adds, and what is added here is as the API’s', async () => {
    await newEvent('ev_add')
    const fromApi = taskOf(
      await postTask(server, {
        eventId: 'ev_add',
        description: 'Order ice',
        dueDate: '2027-07-01T10:00+02:00',
      }),
    )
    const own = await add(
      'ev_add',
      { description: ' Count\nchairs ', dueDate: '2027-06-30T09:30:00.1239Z' },
      member,
    )
    expect(own).toEqual({
      id: expect.stringMatching(/^task_/) as unknown,
      description: ' Count\nchairs ',
      dueDate: '2027-06-30T09:30:00.123Z',
      completedAt: null,
      createdAt: expect.stringMatching(ISO_TIME) as unknown,
      updatedAt: own.createdAt,
    })
    const tasks = await checklist('ev_add')
    expect(tasks[0]).toEqual(own)
    expect(tasks[1]).toMatchObject({
      id: fromApi.id,
      description: 'Order ice',
      dueDate: '2027-07-01T08:00:00.000Z',
      completedAt: null,
      createdAt: fromApi.createdAt,
    })
    expect(tasks).toHaveLength(2)
  })

  it.each([
    ['no description', {}, 'description'],
    ['a blank one', { description: ' \u0085\ufeff ' }, 'description'],
    ['one that is no text', { description: 7 }, 'description'],
    ['10,001 characters', { description: '😀'.repeat(10_001) }, 'description'],
    ['a NUL', { description: 'a\0b' }, 'description'],
    ['half a character', { description: '\ud800' }, 'body'],
    ['a date without a time', { description: 'Ice', dueDate: '2027-02-15' }, 'dueDate'],
    ['a day that is none', { description: 'Ice', dueDate: '2027-02-30T00:00Z' }, 'dueDate'],
    ['something unknown', { description: 'Ice', completed: true }, 'body'],
  ])('%s is 400 by the rule of the API', async (_, body, field) => {
    await pool.query(
      `INSERT INTO events (company_id, id, service_start_time, service_end_time)
      VALUES ('co_1', 'ev_bad', now(), now()) ON CONFLICT DO NOTHING`,
    )
    const answer = await admin.call('POST', 'events/ev_bad/tasks', body)
    expect(answer.status, answer.text).toBe(400)
    const { error } = answer.body as { error: { details: Record<string, unknown> } }
    expect(Object.keys(error.details)).toEqual([field])
    expect(await checklist('ev_bad')).toEqual([])
  })

  it('10,000 characters are stored as they were sent', async () => {
    await newEvent('ev_long')
    const description = '😀'.repeat(10_000)
    await add('ev_long', { description })
    expect((await checklist('ev_long')).map((task) => task.description)).toEqual([description])
  })

  it('an edit from the state that was read is made, from an earlier one it is 409 and changes nothing', async () => {
    await newEvent('ev_edit')
    const task = await add('ev_edit', { description: 'Ice' })
    const { updatedAt } = task
    const first = success<TaskAnswer>(
      await patch(task.id, { description: 'More ice', dueDate: '2027-07-01T00:00:00Z', updatedAt }),
    ).task
    expect(first).toMatchObject({ description: 'More ice', dueDate: '2027-07-01T00:00:00.000Z' })
    expect(first.updatedAt > updatedAt).toBe(true)
    const second = await patch(task.id, { description: 'No ice', updatedAt }, member)
    expect(second.status).toBe(409)
    expect(second.body).toMatchObject({ error: { code: 'conflict', message: expect.any(String) as unknown } })
    expect(await checklist('ev_edit')).toEqual([first])
    const cleared = await patch(task.id, { dueDate: null, updatedAt: first.updatedAt })
    expect(success<TaskAnswer>(cleared).task).toMatchObject({ description: 'More ice', dueDate: null })
  })

  it.each([
    ['an edit without the state it began from', { description: 'x' }, 'updatedAt'],
    ['a state that is no time', { description: 'x', updatedAt: 'now' }, 'updatedAt'],
    ['nothing', {}, 'body'],
    ['the state alone', { updatedAt: '2027-01-01T00:00:00Z' }, 'body'],
    ['a tick and an edit', { completed: true, description: 'x', updatedAt: '2027-01-01T00:00:00Z' }, 'body'],
    ['a tick that is no tick', { completed: 'yes' }, 'completed'],
    ['a blank description', { description: ' ', updatedAt: '2027-01-01T00:00:00Z' }, 'description'],
  ])('%s is 400', async (_, body, field) => {
    await pool.query(
      `INSERT INTO events (company_id, id, service_start_time, service_end_time)
      VALUES ('co_1', 'ev_bad_edit', now(), now()) ON CONFLICT DO NOTHING`,
    )
    const task = await add('ev_bad_edit', { description: 'As it is' })
    const answer = await patch(task.id, body)
    expect(answer.status, answer.text).toBe(400)
    expect(Object.keys((answer.body as { error: { details: object } }).error.details)).toContain(field)
    expect(await checklist('ev_bad_edit')).toContainEqual(task)
  })

  it('a tick needs no state and can be repeated; so can taking it away', async () => {
    await newEvent('ev_tick')
    const task = await add('ev_tick', { description: 'Ice' })
    const tick = async (completed: boolean) =>
      success<TaskAnswer>(await patch(task.id, { completed }, member)).task
    const once = await tick(true)
    expect(once.completedAt).toMatch(ISO_TIME)
    expect(await tick(true)).toEqual(once)
    expect(await checklist('ev_tick')).toEqual([once])
    const open = await tick(false)
    expect(open).toMatchObject({ completedAt: null, description: 'Ice' })
    expect(await tick(false)).toEqual(open)
  })

  it('a removed task is gone, for a later edit, tick or removal, too', async () => {
    await newEvent('ev_remove')
    const task = await add('ev_remove', { description: 'Ice' })
    expect((await member.call('DELETE', `tasks/${task.id}`)).status).toBe(204)
    expect(await checklist('ev_remove')).toEqual([])
    for (const answer of [
      await admin.call('DELETE', `tasks/${task.id}`),
      await patch(task.id, { completed: true }),
      await patch(task.id, { description: 'x', updatedAt: task.updatedAt }),
    ])
      expect([answer.status, answer.body]).toEqual([
        404,
        expect.objectContaining({ error: expect.objectContaining({ code: 'not_found' }) as unknown }),
      ])
  })

  it('another company’s task is as one that is not there, also where both have the id', async () => {
    await newEvent('ev_scope')
    await event('co_2', 'ev_scope', '2027-07-04T10:00:00Z', '2027-07-04T12:00:00Z')
    const row = { event_id: 'ev_scope', description: 'Ice', updated_at: '2027-01-01T00:00:00Z' }
    await insert(pool, 'tasks', { company_id: 'co_1', id: 'only ours', ...row })
    for (const company_id of ['co_1', 'co_2'])
      await insert(pool, 'tasks', { company_id, id: 'shared', ...row })
    const updatedAt = '2027-01-01T00:00:00.000Z'
    const before = await checklist('ev_scope')
    for (const answer of [
      await patch('only%20ours', { completed: true }, stranger),
      await patch('only%20ours', { description: 'x', updatedAt }, stranger),
      await stranger.call('DELETE', 'tasks/only%20ours'),
    ])
      expect(answer.status).toBe(404)
    expect((await patch('shared', { description: 'Theirs', updatedAt }, stranger)).status).toBe(200)
    expect((await patch('shared', { completed: true }, stranger)).status).toBe(200)
    expect((await checklist('ev_scope', stranger)).map(({ description }) => description)).toEqual(['Theirs'])
    expect((await stranger.call('DELETE', 'tasks/shared')).status).toBe(204)
    expect(await checklist('ev_scope')).toEqual(before)
    const ids = (tasks: Task[]) => tasks.map(({ id }) => id).toSorted((a, b) => (a < b ? -1 : 1))
    expect(ids(before)).toEqual(['only ours', 'shared'])
  })

  it('nobody who is not signed in reads or changes one', async () => {
    for (const [method, path] of [
      ['GET', 'events/ev_add'],
      ['GET', 'events/ev_add/tasks'],
      ['POST', 'events/ev_add/tasks'],
      ['PATCH', 'tasks/shared'],
      ['DELETE', 'tasks/shared'],
      ['GET', 'agenda/places'],
    ] as const)
      expect((await server.call(`/console/${path}`, { method })).status).toBe(401)
  })
})
