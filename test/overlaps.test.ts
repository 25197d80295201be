/** Overlaps of staff and resources, and GET /availability. */
import { beforeEach, describe, expect, it } from 'vitest'
import { at, createEventApi, hours, plantEvent } from './support/events.ts'
import { KEY, OTHER_KEY, plant } from './support/quotes.ts'
import type { Row } from './support/quotes.ts'
import { errorOf } from './support/writes.ts'

const { pool, server, update, cancel, changesOf } = await createEventApi()
await plant(pool, 'bookings', 'co_1', 'canceled', { canceled_at: at(0) })
await plant(pool, 'bookings', 'co_1', 'current')

const event = (id: string, row: Row = {}, companyId = 'co_1') => plantEvent(pool, id, row, companyId)

beforeEach(async () => {
  await pool.query('DELETE FROM event_assignments')
  await pool.query('DELETE FROM events')
  await pool.query('DELETE FROM changes')
})

describe('T5: overlaps', () => {
  it('T5: rejects a busy staff member and names the event', async () => {
    await event('first', { ...hours(10, 12), staff_ids: ['a'] })
    await event('second', hours(11, 13))
    const error = errorOf(await update('second', { staffIds: ['b', 'a'] }))
    expect(error).toMatchObject({ status: 409, type: 'conflict_error', code: 'schedule_conflict' })
    expect(error).not.toHaveProperty('param')
    for (const part of ['a is busy', 'first', at(10), at(12)]) expect(error.message).toContain(part)
    expect(await changesOf('second')).toEqual([])
    expect((await update('second', { staffIds: ['b'] })).status).toBe(200)
  })

  it('T5: rejects a busy resource', async () => {
    await event('first', { resource_ids: ['v'] })
    await event('second', { resource_ids: [] })
    const error = errorOf(await update('second', { resourceIds: ['w', 'v'] }))
    expect(error).toMatchObject({ code: 'schedule_conflict', message: expect.stringContaining('v is busy') })
  })

  it('T5: a staff member and a resource with the same id do not conflict', async () => {
    await plant(pool, 'resources', 'co_1', 'a')
    await event('first', { staff_ids: ['a'] })
    await event('second')
    expect((await update('second', { resourceIds: ['a'] })).status).toBe(200)
  })

  it.each<[string, Row, boolean]>([
    ['does not conflict with an event that starts at the end', hours(12, 14), false],
    ['does not conflict with an event that ends at the start', hours(8, 10), false],
    [
      'conflicts with an event that overlaps by a minute',
      { service_start_time: '2027-05-01T11:59:00Z', service_end_time: at(14) },
      true,
    ],
    ['conflicts with an event around it', hours(9, 13), true],
    [
      'conflicts with an event inside it',
      { service_start_time: '2027-05-01T10:30:00Z', service_end_time: at(11) },
      true,
    ],
    [
      'conflicts with the shift of an event',
      { ...hours(14, 16), shift_start_time: at(11), shift_end_time: at(17) },
      true,
    ],
    [
      'ignores the service time of an event with a shift',
      { ...hours(10, 12), shift_start_time: at(13), shift_end_time: at(14) },
      false,
    ],
    ['conflicts with a shift that has only a start', { ...hours(14, 16), shift_start_time: at(11) }, true],
    ['ignores an event without duration', hours(11, 11), false],
    ['ignores an event that ends before it starts', hours(12, 10), false],
    ['ignores a canceled event', { canceled_at: at(0) }, false],
    ['ignores an event of a canceled booking', { booking_id: 'canceled' }, false],
    ['conflicts with an event of a booking', { booking_id: 'current' }, true],
    ['conflicts with an event of a missing booking', { booking_id: 'missing' }, true],
  ])('T6: %s', async (_, row, isBusy) => {
    await event('other', { ...hours(10, 12), staff_ids: ['a'], ...row })
    await event('own', hours(10, 12))
    expect((await update('own', { staffIds: ['a'] })).status).toBe(isBusy ? 409 : 200)
  })

  it('T6: an event of a canceled booking accepts busy staff', async () => {
    await event('other', { staff_ids: ['a'] })
    await event('own', { booking_id: 'canceled' })
    expect((await update('own', { staffIds: ['a'] })).status).toBe(200)
  })

  it('T5: checks all assignments if the busy time changes', async () => {
    await event('other', { ...hours(14, 16), staff_ids: ['a'], resource_ids: ['v'] })
    await event('own', { ...hours(10, 12), staff_ids: ['a'] })
    await event('third', { ...hours(10, 12), resource_ids: ['v'] })
    const later = { serviceStartTime: at(15), serviceEndTime: at(17) }
    for (const id of ['own', 'third']) {
      expect(errorOf(await update(id, later))).toMatchObject({ code: 'schedule_conflict' })
    }
    const shift = { shiftStartTime: at(9), shiftEndTime: at(15) }
    expect(errorOf(await update('own', shift))).toMatchObject({ code: 'schedule_conflict' })
    expect((await update('own', { ...later, staffIds: [] })).status).toBe(200)
    expect((await update('third', { serviceStartTime: at(16), serviceEndTime: at(17) })).status).toBe(200)
  })

  it('T5: checks only new assignments otherwise', async () => {
    await event('other', { staff_ids: ['a', 'b'] })
    await event('own', { ...hours(1, 2), shift_start_time: at(10), shift_end_time: at(11), staff_ids: ['a'] })
    expect((await update('own', { name: 'Gala', staffIds: ['a', 'c'] })).status).toBe(200)
    // The shift and so the busy time do not change.
    expect((await update('own', { serviceStartTime: at(3), serviceEndTime: at(4) })).status).toBe(200)
    expect(errorOf(await update('own', { staffIds: ['a', 'b'] }))).toMatchObject({
      code: 'schedule_conflict',
    })
  })

  it('T7: saves overlaps with allowOverlap and marks every change', async () => {
    await event('other', { staff_ids: ['a'] })
    await event('own', { staff_ids: ['b'] })
    const { status } = await update('own', { staffIds: ['a'], name: 'Gala', allowOverlap: true })
    expect(status).toBe(200)
    expect((await changesOf('own')).map(({ type, data }) => [type, data['overlap']])).toEqual([
      ['event.updated', true],
      ['event.staff_assigned', true],
      ['event.staff_unassigned', true],
    ])
    await event('free', hours(20, 21))
    await update('free', { staffIds: ['a'], allowOverlap: true })
    expect((await changesOf('free')).map(({ data }) => 'overlap' in data)).toEqual([false])
  })

  it('T4: canceling an event frees its staff', async () => {
    await event('other', { staff_ids: ['a'] })
    await event('own')
    await cancel('other')
    expect((await update('own', { staffIds: ['a'] })).status).toBe(200)
  })

  it('A11: events of another company do not conflict', async () => {
    await event('theirs', { staff_ids: ['a'] }, 'co_2')
    await event('own')
    expect((await update('own', { staffIds: ['a'] })).status).toBe(200)
  })

  it('T5: accepts one of ten concurrent overlapping assignments', async () => {
    const ids = Array.from({ length: 10 }, (_, i) => `c_${i}`)
    for (const id of ids) await event(id)
    const answers = await Promise.all(ids.map((id) => update(id, { staffIds: ['a'] })))
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
    expect(answers.filter(({ status }) => status === 409).length).toBe(9)
  })
})

describe('T8: GET /availability', () => {
  const read = (from: string, to: string, key = KEY) =>
    server.get(`/api/availability?from=${from}&to=${to}`, key)

  it('T8: lists active staff and resources by id, with the events that overlap the range', async () => {
    await event('late', { ...hours(13, 15), staff_ids: ['b'], resource_ids: ['w'] })
    await event('early', { ...hours(1, 11), shift_start_time: at(2), staff_ids: ['b', 'gone', 'missing'] })
    await event('before', { ...hours(1, 10), staff_ids: ['a'] })
    await event('after', { ...hours(14, 16), staff_ids: ['a'] })
    await event('same', { ...hours(13, 20), staff_ids: ['b'] })
    await event('off', { ...hours(11, 12), staff_ids: ['c'], canceled_at: at(0) })
    const { status, body } = await read(at(10), '2027-05-01T16:00:00%2B02:00')
    expect(status).toBe(200)
    const late = { eventId: 'late', from: at(13), to: at(15) }
    expect(body).toEqual({
      object: 'availability',
      from: at(10),
      to: at(14),
      staff: [
        { id: 'a', busy: [] },
        {
          id: 'b',
          busy: [
            { eventId: 'early', from: at(2), to: at(11) },
            late,
            { eventId: 'same', from: at(13), to: at(20) },
          ],
        },
        { id: 'c', busy: [] },
      ],
      resources: [
        { id: 'a', busy: [] },
        { id: 'v', busy: [] },
        { id: 'w', busy: [late] },
      ],
    })
  })

  it('T8: omits archived staff and resources', async () => {
    const ids = async () => {
      const { staff, resources } = (await read(at(10), at(14))).body as Record<string, { id: string }[]>
      return [...(staff ?? []), ...(resources ?? [])].map(({ id }) => id)
    }
    await plant(pool, 'staff', 'co_1', 'left', { archived_at: at(0) })
    await plant(pool, 'resources', 'co_1', 'sold', { archived_at: at(0) })
    expect(await ids()).not.toContain('left')
    expect(await ids()).not.toContain('sold')
    await pool.query(`UPDATE staff SET archived_at = NULL WHERE id = 'left'`)
    await pool.query(`UPDATE resources SET archived_at = NULL WHERE id = 'sold'`)
    expect(await ids()).toEqual(expect.arrayContaining(['left', 'sold']))
    await pool.query(`DELETE FROM staff WHERE id = 'left'`)
    await pool.query(`DELETE FROM resources WHERE id = 'sold'`)
  })

  it('T8, A11: shows each company its own staff and events', async () => {
    await event('ours', { staff_ids: ['foreign', 'a'] })
    await event('theirs', { staff_ids: ['foreign', 'a'] }, 'co_2')
    const busy = (eventId: string) => [{ eventId, from: at(10), to: at(12) }]
    const theirs = (await read(at(10), at(11), OTHER_KEY)).body
    expect(theirs).toMatchObject({ staff: [{ id: 'foreign', busy: busy('theirs') }], resources: [] })
    const ours = (await read(at(10), at(11))).body
    expect(ours).toMatchObject({ staff: [{ id: 'a', busy: busy('ours') }, { id: 'b' }, { id: 'c' }] })
  })

  it.each([
    ['', 'from'],
    [`to=${at(1)}`, 'from'],
    [`from=${at(1)}`, 'to'],
    [`from=${at(1)}&to=${at(1)}`, 'to'],
    [`from=${at(2)}&to=${at(1)}`, 'to'],
    [`from=2027-05-01T00:00:00Z&to=2027-06-01T00:00:00.001Z`, 'to'],
    [`from=2027-05-01&to=${at(1)}`, 'from'],
    [`to=soon&from=later`, 'to'],
    [`from=${at(1)}&from=${at(1)}&to=${at(2)}`, 'from'],
    [`from[gt]=${at(1)}`, 'from[gt]'],
    [`from=${at(1)}&to=${at(2)}&expand[]=staff`, 'expand'],
  ])('T8, R3: rejects %j', async (query, param) => {
    const error = errorOf(await server.get(`/api/availability?${query}`, KEY))
    expect(error).toMatchObject({ status: 400, code: 'invalid_parameter', param })
  })

  it('T8: accepts 31 days', async () => {
    expect((await read('2027-05-01T00:00:00Z', '2027-06-01T00:00:00Z')).status).toBe(200)
  })
})
