import { describe, expect, it } from 'vitest'
import { daysOfEvent, doOverlap, instantsOf, weekOf } from '../src/core/schedule/agenda.ts'
import { isoFromPostgres } from '../src/core/schedule/datetime.ts'
import { AGENDA_MAX, listAgenda } from '../src/records/event/agenda.ts'
import { loadTasks, outlineChecklist } from '../src/records/task/queries.ts'
import { createDatabase } from './support/database.ts'
import { plant, plantMany } from './support/quotes.ts'
import { insert, insertCompany } from './support/records.ts'

const { pool } = await createDatabase()
for (const companyId of ['co_1', 'co_2', 'co_many', 'co_zones']) await insertCompany(pool, companyId)

const WEEK = { from: '2027-02-15T00:00:00.000Z', before: '2027-02-22T00:00:00.000Z' }
const list = async (companyId: string, locationId?: string) =>
  (await listAgenda(pool, companyId, WEEK.from, WEEK.before, { locationId })).rows
const ids = async (companyId: string, locationId?: string) =>
  (await list(companyId, locationId)).map(({ id }) => id)

const event = (companyId: string, id: string, start: string, end: string, row = {}) =>
  plant(pool, 'events', companyId, id, { service_start_time: start, service_end_time: end, ...row })

describe('the agenda of a period', () => {
  it('lists the events of the company that overlap the period, by start and id', async () => {
    await event('co_1', 'ends at the start', '2027-02-14T20:00:00Z', '2027-02-15T00:00:00Z')
    await event('co_1', 'overlaps the start', '2027-02-14T20:00:00Z', '2027-02-15T00:00:00.001Z')
    await event('co_1', 'starts long before', '2027-01-16T00:00:00Z', '2027-03-01T00:00:00Z')
    await event('co_1', 'at the start, without duration', '2027-02-15T00:00:00Z', '2027-02-15T00:00:00Z')
    await event('co_1', 'b inside', '2027-02-17T10:00:00Z', '2027-02-17T12:00:00Z')
    await event('co_1', 'a inside', '2027-02-17T10:00:00Z', '2027-02-17T12:00:00Z')
    await event('co_1', 'at the last moment', '2027-02-21T23:59:59.999Z', '2027-02-22T12:00:00Z')
    await event('co_1', 'after the end', '2027-02-22T00:00:00Z', '2027-02-22T12:00:00Z')
    await event('co_2', 'of another company', '2027-02-17T10:00:00Z', '2027-02-17T12:00:00Z')
    expect(await ids('co_1')).toEqual([
      'starts long before',
      'overlaps the start',
      'at the start, without duration',
      'a inside',
      'b inside',
      'at the last moment',
    ])
    expect(await ids('co_2')).toEqual(['of another company'])
  })

  it('shows location, customer, staff and task counts of the company only', async () => {
    await plant(pool, 'locations', 'co_1', 'loc_1', { name: 'Old Mill', time_zone: 'Europe/Lisbon' })
    await plant(pool, 'locations', 'co_2', 'loc_2', { name: 'Foreign' })
    await plant(pool, 'staff', 'co_1', 'staff_1')
    await plant(pool, 'staff', 'co_2', 'staff_2')
    await plant(pool, 'bookings', 'co_1', 'book_1', { canceled_at: '2027-01-01T00:00:00Z' })
    await event('co_1', 'whole', '2027-02-18T10:00:00Z', '2027-02-18T12:00:00Z', {
      name: 'Spring\u001Fdinner',
      client_name: 'Nora Quint',
      location_id: 'loc_1',
      booking_id: 'book_1',
      guest_count: 80,
      staff_ids: ['staff_1', 'staff_2', 'staff_gone'],
      staff_number: 4,
    })
    await event('co_1', 'bare', '2027-02-18T10:00:00Z', '2027-02-18T12:00:00Z', { location_id: 'loc_2' })
    for (const [id, completedAt] of [
      ['task_1', null],
      ['task_2', '2027-02-01T00:00:00Z'],
      ['task_3', null],
    ])
      await insert(pool, 'tasks', {
        company_id: 'co_1',
        id,
        event_id: 'whole',
        description: 'x',
        completed_at: completedAt,
      })
    const rows = await list('co_1')
    expect(rows.find(({ id }) => id === 'whole')).toEqual({
      id: 'whole',
      name: 'Spring\u001Fdinner',
      clientName: 'Nora Quint',
      serviceStartTime: '2027-02-18 10:00:00+00',
      serviceEndTime: '2027-02-18 12:00:00+00',
      locationId: 'loc_1',
      locationName: 'Old Mill',
      timeZone: 'Europe/Lisbon',
      canceled: true,
      guestCount: 80,
      staffCount: 1,
      staffNumber: 4,
      taskCount: 3,
      openTaskCount: 2,
    })
    expect(rows.find(({ id }) => id === 'bare')).toMatchObject({
      locationId: null,
      locationName: null,
      timeZone: null,
      canceled: false,
      guestCount: null,
      staffCount: 0,
      taskCount: 0,
    })
    expect(await ids('co_1', 'loc_1')).toEqual(['whole'])
    expect(await ids('co_1', 'loc_none')).toEqual([])
    expect(await ids('co_1', 'a\0b')).toEqual([])
  })

  it(`lists at most ${AGENDA_MAX} events and sets hasMore`, async () => {
    const rows = Array.from({ length: AGENDA_MAX + 1 }, (_, i) => ({
      id: `ev_${String(i).padStart(5, '0')}`,
      service_start_time: '2027-02-16T10:00:00Z',
      service_end_time: '2027-02-16T12:00:00Z',
    }))
    await plantMany(pool, 'events', 'co_many', rows)
    const whole = await listAgenda(pool, 'co_many', WEEK.from, WEEK.before)
    expect([whole.rows.length, whole.hasMore]).toEqual([AGENDA_MAX, true])
    expect(whole.rows.at(-1)?.id).toBe('ev_01999')
    await pool.query(`DELETE FROM events WHERE company_id = 'co_many' AND id = 'ev_00000'`)
    const now = await listAgenda(pool, 'co_many', WEEK.from, WEEK.before)
    expect([now.rows.length, now.hasMore]).toEqual([AGENDA_MAX, false])
  })

  it('assigns events to the same days as the database calculates in the time zone', async () => {
    const zones = `Etc/GMT+12 Pacific/Kiritimati Pacific/Apia Pacific/Chatham Asia/Kathmandu America/St_Johns
      Australia/Lord_Howe Europe/Berlin America/New_York UTC America/Sao_Paulo Asia/Tokyo`.split(/\s+/)
    await plantMany(
      pool,
      'locations',
      'co_zones',
      zones.map((time_zone, i) => ({ id: `loc_${i}`, time_zone })),
    )
    // Three years in steps of 5:20 hours cover all clock changes and hours of the day.
    await pool.query(
      `INSERT INTO events (company_id, id, location_id, service_start_time, service_end_time)
      SELECT 'co_zones', 'ev_' || i, 'loc_' || i % ${zones.length}, start, start + i % 40 * interval '1 hour'
      FROM generate_series(1, 5000) i, LATERAL (
        SELECT timestamptz '2010-01-01T00:00:00Z' + i * interval '320 minutes' AS start) s`,
    )
    const { rows: expected } = await pool.query<{ id: string; first: string; last: string }>(
      `SELECT e.id, to_char(e.service_start_time AT TIME ZONE l.time_zone, 'YYYY-MM-DD') AS first,
        to_char(greatest(e.service_start_time, e.service_end_time - interval '1 millisecond')
          AT TIME ZONE l.time_zone, 'YYYY-MM-DD') AS last
      FROM events e JOIN locations l ON l.company_id = e.company_id AND l.id = e.location_id
      WHERE e.company_id = 'co_zones'`,
    )
    for (const day of ['2010-03-28', '2010-10-31', '2011-12-30', '2012-02-29']) {
      const week = weekOf(day, 1)
      const { from, before } = instantsOf(week)
      const { rows } = await listAgenda(pool, 'co_zones', from, before)
      const actual = rows
        .map((row) => ({ id: row.id, ...daysOf(row) }))
        .filter((days) => doOverlap(days, week))
      const inWeek = expected.filter((days) => doOverlap(days, week))
      const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
      expect(inWeek.length).toBeGreaterThan(25)
      expect(actual.toSorted(byId)).toEqual(inWeek.toSorted(byId))
    }
  })
})

function daysOf(row: { serviceStartTime: string; serviceEndTime: string; timeZone: string | null }) {
  const [start, end] = [isoFromPostgres(row.serviceStartTime), isoFromPostgres(row.serviceEndTime)]
  return daysOfEvent(start, end, row.timeZone ?? 'UTC')
}

describe('the checklist of an event', () => {
  const task = (id: string, row: object = {}) =>
    insert(pool, 'tasks', { company_id: 'co_1', id, event_id: 'ev_list', description: id, ...row })

  it('lists tasks by due date, then undated by creation, then completed, newest first', async () => {
    await event('co_1', 'ev_list', '2027-05-01T10:00:00Z', '2027-05-01T12:00:00Z')
    await task('done first', { completed_at: '2027-01-01T00:00:00Z', due_date: '2026-01-01T00:00:00Z' })
    await task('done last', { completed_at: '2027-01-02T00:00:00Z' })
    await task('no date, newer', { created_at: '2027-01-02T00:00:00Z' })
    await task('no date, older', { created_at: '2027-01-01T00:00:00Z' })
    await task('due later', { due_date: '2027-04-02T00:00:00Z', created_at: '2020-01-01T00:00:00Z' })
    await task('due soon', { due_date: '2027-04-01T00:00:00Z' })
    const checklist = await outlineChecklist(pool, 'co_1', 'ev_list', 100)
    expect(checklist?.marks.map(({ id }) => id)).toEqual([
      'due soon',
      'due later',
      'no date, older',
      'no date, newer',
      'done last',
      'done first',
    ])
    expect(checklist?.hidden).toEqual({ open: 0, done: 0 })
    const rows = await loadTasks(pool, 'co_1', 'ev_list', ['done last', 'due soon', 'nothing'])
    expect(rows?.map(({ id }) => id)).toEqual(['due soon', 'done last'])
  })

  it('returns tasks up to the limit and counts the others', async () => {
    await event('co_1', 'ev_full', '2027-05-01T10:00:00Z', '2027-05-01T12:00:00Z')
    await pool.query(
      `INSERT INTO tasks (company_id, id, event_id, description, created_at, completed_at)
      SELECT 'co_1', 'full_' || i, 'ev_full', 'x', '2027-01-01T00:00:00Z'::timestamptz + i * interval '1 day',
        CASE WHEN i > 4 THEN now() END
      FROM generate_series(1, 6) i`,
    )
    const read = async (limit: number) => {
      const checklist = await outlineChecklist(pool, 'co_1', 'ev_full', limit)
      return [checklist?.marks.length, checklist?.hidden, checklist?.newestAt]
    }
    const newestAt = '2027-01-07 00:00:00+00'
    expect(await read(3)).toEqual([3, { open: 1, done: 2 }, newestAt])
    expect(await read(5)).toEqual([5, { open: 0, done: 1 }, newestAt])
    expect(await read(6)).toEqual([6, { open: 0, done: 0 }, newestAt])
  })

  it('changes the mark of a task that another program updates', async () => {
    const marks = async () => (await outlineChecklist(pool, 'co_1', 'ev_full', 10))?.marks ?? []
    const before = await marks()
    await pool.query(`UPDATE tasks SET description = 'y' WHERE company_id = 'co_1' AND id = 'full_2'`)
    const changed = (await marks()).filter(({ mark }, i) => mark !== before[i]?.mark)
    expect(changed.map(({ id }) => id)).toEqual(['full_2'])
  })

  it('is null for an unknown event and empty for an event without tasks', async () => {
    for (const read of [
      (companyId: string, id: string) => outlineChecklist(pool, companyId, id, 100),
      (companyId: string, id: string) => loadTasks(pool, companyId, id, ['due soon', 'a\0b']),
    ]) {
      expect(await read('co_2', 'ev_list')).toBeNull()
      expect(await read('co_1', 'a\0b')).toBeNull()
      expect(await read('co_1', 'bare')).not.toBeNull()
    }
    const empty = { marks: [], hidden: { open: 0, done: 0 }, newestAt: null }
    expect(await outlineChecklist(pool, 'co_1', 'bare', 100)).toEqual(empty)
    expect(await loadTasks(pool, 'co_1', 'bare', ['due soon'])).toEqual([])
  })
})
