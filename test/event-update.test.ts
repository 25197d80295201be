/** POST /events/{id} and POST /events/{id}/cancel. */
import { describe, expect, it } from 'vitest'
import { findAssignmentErrors } from '../src/records/event/assignments.ts'
import { at, createEventApi, plantEvent } from './support/events.ts'
import { KEY, OTHER_KEY } from './support/quotes.ts'
import { errorOf } from './support/writes.ts'

const { pool, server, update, cancel, get, changesOf } = await createEventApi()

let planted = 0
const plantNew = (row = {}) => plantEvent(pool, `e_${++planted}`, row)

describe('T1: POST /events/{id}', () => {
  it('T1, W3: changes the members in the body and returns the event like a GET', async () => {
    const id = await plantNew({ special_notes: 'Quiet', guest_count: 4 })
    const members = {
      name: 'Gala',
      clientName: 'Ada',
      clientEmail: 'client@example.com',
      clientPhone: '+1 555 0100',
      siteContactName: 'Bo',
      siteContactPhone: '+1 555 0101',
      eventDescription: 'By the water',
      eventAddress: 'Pier 4',
      additionalLocationInfo: 'Gate 2',
      parkingLoadingInfo: 'Dock',
      specialNotes: null,
      staffDressCode: 'Black',
      guestCount: null,
      staffNumber: 3,
      resourceNumber: 1,
      outdoors: true,
      tipJarAllowed: true,
      locationId: 'loc_2',
    }
    const { status, body, text } = await update(id, members)
    expect(status, text).toBe(200)
    expect(body).toMatchObject({ object: 'event', id, ...members, serviceStartTime: at(10) })
    expect(body).not.toHaveProperty('updatedAt', '2026-01-01T00:00:00.000Z')
    expect(await get(id)).toEqual(body)
    const [change, ...others] = await changesOf(id)
    expect(others).toEqual([])
    expect(change).toMatchObject({ type: 'event.updated', data: { object: body } })
    expect(change?.previous).toMatchObject({ name: null, specialNotes: 'Quiet', guestCount: 4 })
    expect(Object.keys(change?.previous ?? {}).length).toBe(Object.keys(members).length)
  })

  it('T2, F8: records times, staff, resources and the rest separately, in order', async () => {
    const id = await plantNew({ staff_ids: ['a', 'b'], resource_ids: ['v'] })
    const { body } = await update(id, {
      resourceIds: ['w', 'v'],
      staffIds: ['c', 'b'],
      serviceStartTime: at(2),
      serviceEndTime: at(3),
      name: 'Gala',
    })
    const changes = await changesOf(id)
    expect(changes.map(({ type, previous, data }) => ({ type, previous, data }))).toEqual([
      { type: 'event.updated', previous: { name: null }, data: { object: body } },
      {
        type: 'event.rescheduled',
        previous: { serviceStartTime: at(10), serviceEndTime: at(12) },
        data: { object: body },
      },
      { type: 'event.staff_assigned', previous: {}, data: { object: body, staffIds: ['c'] } },
      { type: 'event.staff_unassigned', previous: {}, data: { object: body, staffIds: ['a'] } },
      {
        type: 'event.resources_changed',
        previous: { resourceIds: ['v'] },
        data: { object: body, resourceIds: ['w', 'v'] },
      },
    ])
    const { body: list } = await server.get('/api/events?staff_id=c', KEY)
    expect((list as { data: { id: string }[] }).data.map((event) => event.id)).toEqual([id])
    expect(await findAssignmentErrors(pool, 'co_1')).toEqual([])
  })

  it('T2: omits event.updated if only staff changes', async () => {
    const id = await plantNew({ staff_ids: ['a'], service_start_time: at(4), service_end_time: at(5) })
    await update(id, { staffIds: [] })
    expect((await changesOf(id)).map(({ type }) => type)).toEqual(['event.staff_unassigned'])
  })

  it.each([
    {},
    { allowOverlap: true },
    { name: null, serviceStartTime: at(10), serviceEndTime: '2027-05-01T14:00:00+02:00' },
    { shiftStartTime: null, shiftEndTime: null },
    { staffIds: ['b', 'a'], resourceIds: [] },
  ])('W8: changes and records nothing for %j', async (body) => {
    const id = await plantNew({ staff_ids: ['a', 'b'] })
    const before = await get(id)
    const answer = await update(id, body)
    expect([answer.status, answer.body]).toEqual([200, before])
    expect(await get(id)).toEqual(before)
    expect(await changesOf(id)).toEqual([])
  })

  it('T3: sets and clears a shift', async () => {
    const id = await plantNew()
    const shift = { shiftStartTime: at(9), shiftEndTime: at(13) }
    expect((await update(id, shift)).body).toMatchObject(shift)
    const none = { shiftStartTime: null, shiftEndTime: null }
    expect((await update(id, none)).body).toMatchObject(none)
    expect((await changesOf(id)).map(({ type, previous }) => [type, previous])).toEqual([
      ['event.rescheduled', none],
      ['event.rescheduled', shift],
    ])
  })

  it.each<[object, string, string | RegExp]>([
    [{ serviceStartTime: at(1) }, 'serviceEndTime', 'serviceEndTime is required'],
    [{ serviceEndTime: at(1) }, 'serviceStartTime', 'serviceStartTime is required'],
    [{ shiftEndTime: at(1) }, 'shiftStartTime', 'shiftStartTime is required'],
    [{ shiftEndTime: null }, 'shiftStartTime', 'shiftStartTime is required'],
    [{ shiftStartTime: null, shiftEndTime: at(1) }, 'shiftStartTime', /together with shiftEndTime/],
    [{ shiftStartTime: at(1), shiftEndTime: null }, 'shiftEndTime', /together with shiftStartTime/],
    [{ serviceStartTime: null, serviceEndTime: null }, 'serviceStartTime', /ISO 8601/],
    [{ serviceStartTime: at(2), serviceEndTime: at(2) }, 'serviceEndTime', /after serviceStartTime/],
    [{ shiftEndTime: at(2), shiftStartTime: at(3) }, 'shiftEndTime', /after shiftStartTime/],
    [{ serviceStartTime: 'noon', serviceEndTime: at(2) }, 'serviceStartTime', /ISO 8601/],
  ])('T3: rejects the times %j', async (body, param, message) => {
    for (const id of [await plantNew(), 'unknown']) {
      const error = errorOf(await update(id, body))
      expect(error).toMatchObject({ status: 400, param })
      expect(error.message).toMatch(message)
    }
  })

  it.each<[object, string, string | RegExp]>([
    [{ bookingId: 'b' }, 'bookingId', /not a known/],
    [{ canceledAt: null }, 'canceledAt', /not a known/],
    [{ multiDay: true }, 'multiDay', /not a known/],
    [{ outdoors: null }, 'outdoors', /true or false/],
    [{ staffNumber: null }, 'staffNumber', /integer/],
    [{ staffIds: null }, 'staffIds', /array of ids/],
    [{ staffIds: ['a', 5] }, 'staffIds[1]', /string/],
    [{ staffIds: ['a', 'a'] }, 'staffIds[1]', /twice/],
    [{ allowOverlap: 'yes' }, 'allowOverlap', /true or false/],
    [{ staffIds: ['a', 'gone'] }, 'staffIds[1]', 'staffIds[1] is inactive'],
    [{ staffIds: ['foreign'] }, 'staffIds[0]', 'staffIds[0] is not the id of a staff member'],
    [{ resourceIds: ['v', 'old'] }, 'resourceIds[1]', /inactive/],
    [{ resourceIds: ['none'], staffIds: ['none'] }, 'resourceIds[0]', /not the id of a resource/],
    [{ locationId: 'closed' }, 'locationId', 'locationId is archived'],
    [{ clientEmail: 'not an email' }, 'clientEmail', /must be an email address/],
  ])('W4, W7: rejects %j', async (body, param, message) => {
    const id = await plantNew()
    const error = errorOf(await update(id, body))
    expect(error).toMatchObject({ status: 400, param })
    expect(error.message).toMatch(message)
    expect(await changesOf(id)).toEqual([])
  })

  it('W7: keeps stored references to inactive and missing records', async () => {
    const id = await plantNew({ staff_ids: ['gone', 'missing'], location_id: 'closed' })
    const { status } = await update(id, { staffIds: ['missing', 'gone'], locationId: 'closed', name: 'Gala' })
    expect(status).toBe(200)
  })

  it('W7: checks values, the event, references and the state in this order', async () => {
    const id = await plantNew({ canceled_at: at(0) })
    const both = { staffIds: ['none'], name: 5 }
    expect(errorOf(await update('unknown', both))).toMatchObject({ param: 'name' })
    expect(errorOf(await update('unknown', { staffIds: ['none'] }))).toMatchObject({
      status: 404,
      message: 'Event not found',
      param: 'id',
    })
    expect(errorOf(await update(id, { staffIds: ['none'] }))).toMatchObject({ param: 'staffIds[0]' })
    expect(errorOf(await update(id, {}))).toMatchObject({ status: 409, code: 'event_canceled' })
    expect((await update(id, {}, { key: OTHER_KEY })).status).toBe(404)
  })
})

describe('T4: POST /events/{id}/cancel', () => {
  it('T4: sets canceledAt once', async () => {
    const id = await plantNew({ staff_ids: ['a'] })
    const { status, body } = await cancel(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, canceledAt: expect.any(String) })
    expect(await get(id)).toEqual(body)
    const error = errorOf(await cancel(id))
    expect(error).toMatchObject({ status: 409, type: 'conflict_error', code: 'event_canceled' })
    expect(error).not.toHaveProperty('param')
    expect(await changesOf(id)).toMatchObject([
      { type: 'event.canceled', data: { object: body }, previous: { canceledAt: null } },
    ])
  })

  it('T4, W6: is 404 for an event of another company', async () => {
    const id = await plantNew()
    expect((await cancel(id, { key: OTHER_KEY })).status).toBe(404)
    expect((await cancel('%00')).status).toBe(404)
  })

  it('W10: returns the first response again', async () => {
    const id = await plantNew()
    const headers = { 'idempotency-key': 'cancel' }
    const [first, second] = [await cancel(id, { headers }), await cancel(id, { headers })]
    expect([second.status, second.text]).toEqual([200, first.text])
  })
})
