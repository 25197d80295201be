import { describe, expect, it } from 'vitest'
import { FIELDS, plant, plantMany, rejection } from './support/quotes.ts'
import { BYTE_ORDER, SHUFFLED, createExpandApi, ids } from './support/quotes-expand.ts'
import type { Thing } from './support/quotes-expand.ts'

const { pool, get, getRaw, quoteWith, member } = await createExpandApi()

describe('O14: booking.events', () => {
  it('have all their fields, with null for unset ones, without lists of ids', async () => {
    await plant(pool, 'bookings', 'co_1', 'b_events')
    await quoteWith('q_events', { booking_id: 'b_events' })
    const texts = {
      name: 'Gala',
      client_name: 'Ada',
      client_email: 'ada@example.com',
      client_phone: '1',
      site_contact_name: 'Mina',
      site_contact_phone: '2',
      event_description: 'Dinner',
      event_address: 'Pier 4',
      additional_location_info: 'Gate B',
      special_notes: 'Quiet',
      parking_loading_info: 'Dock 2',
      staff_dress_code: 'Black',
    }
    await plant(pool, 'events', 'co_1', 'e_full', {
      booking_id: 'b_events',
      location_id: 'loc_e',
      ...texts,
      service_start_time: '2026-06-01T16:00:00Z',
      service_end_time: '2026-06-01T22:00:00.25Z',
      shift_start_time: '2026-06-01T15:00:00Z',
      shift_end_time: '2026-06-01T23:00:00Z',
      staff_number: 4,
      resource_number: 2,
      guest_count: 80,
      multi_day: true,
      outdoors: true,
      tip_jar_allowed: true,
      service_ids: ['s'],
      addon_ids: ['a'],
      staff_ids: ['f'],
      resource_ids: ['r'],
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-02T00:00:00Z',
    })
    await plant(pool, 'events', 'co_1', 'e_bare', {
      booking_id: 'b_events',
      service_start_time: '2026-06-02T16:00:00Z',
      service_end_time: '2026-06-02T22:00:00Z',
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
    })
    expect(await member('q_events', 'booking.events')).toEqual([
      {
        object: 'event',
        id: 'e_full',
        companyId: 'co_1',
        bookingId: 'b_events',
        locationId: 'loc_e',
        name: 'Gala',
        clientName: 'Ada',
        clientEmail: 'ada@example.com',
        clientPhone: '1',
        siteContactName: 'Mina',
        siteContactPhone: '2',
        eventDescription: 'Dinner',
        eventAddress: 'Pier 4',
        additionalLocationInfo: 'Gate B',
        specialNotes: 'Quiet',
        parkingLoadingInfo: 'Dock 2',
        staffDressCode: 'Black',
        serviceStartTime: '2026-06-01T16:00:00.000Z',
        serviceEndTime: '2026-06-01T22:00:00.250Z',
        shiftStartTime: '2026-06-01T15:00:00.000Z',
        shiftEndTime: '2026-06-01T23:00:00.000Z',
        staffNumber: 4,
        resourceNumber: 2,
        guestCount: 80,
        multiDay: true,
        outdoors: true,
        tipJarAllowed: true,
        canceledAt: null,
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-02T00:00:00.000Z',
      },
      {
        object: 'event',
        id: 'e_bare',
        companyId: 'co_1',
        bookingId: 'b_events',
        locationId: null,
        name: null,
        clientName: null,
        clientEmail: null,
        clientPhone: null,
        siteContactName: null,
        siteContactPhone: null,
        eventDescription: null,
        eventAddress: null,
        additionalLocationInfo: null,
        specialNotes: null,
        parkingLoadingInfo: null,
        staffDressCode: null,
        serviceStartTime: '2026-06-02T16:00:00.000Z',
        serviceEndTime: '2026-06-02T22:00:00.000Z',
        shiftStartTime: null,
        shiftEndTime: null,
        staffNumber: 0,
        resourceNumber: 0,
        guestCount: null,
        multiDay: false,
        outdoors: false,
        tipJarAllowed: false,
        canceledAt: null,
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-01T00:00:00.000Z',
      },
    ])
  })

  it('are ordered by start time, then id', async () => {
    await plant(pool, 'bookings', 'co_1', 'b_event_order')
    await quoteWith('q_event_order', { booking_id: 'b_event_order' })
    for (const [id, start] of [
      ['v_é', '2026-06-02T10:00:00Z'],
      ['v_\u{1F600}', '2026-06-02T10:00:00Z'],
      ['v_\uFF5E', '2026-06-02T10:00:00Z'],
      ['v_a', '2026-06-02T10:00:00Z'],
      ['v_B', '2026-06-02T10:00:00Z'],
      ['v_0', '2026-06-02T10:00:00.001Z'],
      ['v_z', '2026-06-01T10:00:00Z'],
    ] as const) {
      await plant(pool, 'events', 'co_1', id, { booking_id: 'b_event_order', service_start_time: start })
    }
    expect(ids(await member('q_event_order', 'booking.events'))).toEqual([
      'v_z',
      'v_B',
      'v_a',
      'v_é',
      'v_\uFF5E',
      'v_\u{1F600}',
      'v_0',
    ])
  })
})

/** The first event of the quote's booking, with one of its members. */
async function eventWith(quoteId: string, path: string): Promise<Thing> {
  const quote = await get(quoteId, `expand[]=booking.events.${path}`)
  const [event] = (quote['booking'] as { events: Thing[] }).events
  return event ?? { id: 'no event' }
}

describe('X10: booking.events.*', () => {
  it('location, or null', async () => {
    await plant(pool, 'locations', 'co_1', 'loc_event', { name: 'Rooftop' })
    await plant(pool, 'bookings', 'co_1', 'b_loc')
    await quoteWith('q_event_loc', { booking_id: 'b_loc' })
    await plant(pool, 'events', 'co_1', 'e_loc', { booking_id: 'b_loc', location_id: 'loc_event' })
    expect((await eventWith('q_event_loc', 'location'))['location']).toMatchObject({
      object: 'location',
      name: 'Rooftop',
      timeZone: 'America/New_York',
    })
  })

  it('services and addons by name without archived and missing ones, resources of any status by name', async () => {
    for (const table of ['services', 'addons', 'resources']) {
      for (const [i, name] of SHUFFLED.entries()) await plant(pool, table, 'co_1', `ev${i}`, { name })
      for (const id of ['é', 'B']) await plant(pool, table, 'co_1', `ev same ${id}`, { name: 'same' })
    }
    for (const table of ['services', 'addons'])
      await plant(pool, table, 'co_1', 'ev_archived', { archived_at: '2026-01-01T00:00:00Z' })
    await pool.query("UPDATE resources SET status = 'Inactive' WHERE id = 'ev3'")
    const all = ['ev_archived', 'ev same é', 'ev_missing', 'ev same B', ...SHUFFLED.map((_, i) => `ev${i}`)]
    await plant(pool, 'bookings', 'co_1', 'b_items')
    await quoteWith('q_event_items', { booking_id: 'b_items' })
    await plant(pool, 'events', 'co_1', 'e_items', {
      booking_id: 'b_items',
      service_ids: all,
      addon_ids: all,
      resource_ids: all,
    })
    for (const [path, object] of [
      ['services', 'service'],
      ['addons', 'addon'],
      ['resources', 'resource'],
    ] as const) {
      const found = (await eventWith('q_event_items', path))[path] as Thing[]
      expect(found.every((thing) => thing['object'] === object)).toBe(true)
      expect(found.filter(({ name }) => name !== 'same').map(({ name }) => name)).toEqual(BYTE_ORDER)
      expect(ids(found.filter(({ name }) => name === 'same'))).toEqual(['ev same B', 'ev same é'])
      expect(Object.keys(found[0] ?? {})).toEqual(FIELDS[object])
    }
  })

  it('staff by last name, first name, then id, including inactive ones', async () => {
    const people = [
      ['p1', 'Bo', 'lindqvist'],
      ['p2', 'Ada', 'Ängel'],
      ['p3', 'Zoe', 'Lindqvist'],
      ['p4', 'ada', 'Lindqvist'],
      ['p5', 'Ada', 'Lindqvist'],
      ['p5b', 'Ada', 'Lindqvist'],
      ['P5', 'Ada', 'Lindqvist'],
      ['p6', '\u{1F600}', 'Lindqvist'],
      ['p7', '\uFF5E', 'Lindqvist'],
      ['p8', 'Ada', 'Abel'],
      ['p9', 'Ada Z', 'Abel'],
    ] as const
    for (const [id, first, last] of people) {
      await plant(pool, 'staff', 'co_1', id, {
        first_name: first,
        last_name: last,
        status: id === 'p4' ? 'inactive' : 'active',
        role: null,
      })
    }
    await plant(pool, 'bookings', 'co_1', 'b_staff')
    await quoteWith('q_event_staff', { booking_id: 'b_staff' })
    await plant(pool, 'events', 'co_1', 'e_staff', {
      booking_id: 'b_staff',
      staff_ids: ['gone', ...people.map(([id]) => id)],
    })
    const staff = (await eventWith('q_event_staff', 'staff'))['staff'] as Thing[]
    expect(ids(staff)).toEqual(['p8', 'p9', 'P5', 'p5', 'p5b', 'p3', 'p4', 'p7', 'p6', 'p1', 'p2'])
    expect(Object.keys(staff[0] ?? {})).toEqual(FIELDS['staff'])
    expect(staff.find(({ id }) => id === 'p4')).toMatchObject({
      object: 'staff',
      status: 'inactive',
      phone: null,
      role: null,
    })
  })
})

describe('X6: booking.events.booking.events', () => {
  it('repeats once: each event has its booking, which has all the events, without further expansion', async () => {
    await plant(pool, 'leads', 'co_1', 'lead_round', { first_name: 'Round' })
    await plant(pool, 'bookings', 'co_1', 'b_round', { lead_id: 'lead_round' })
    await quoteWith('q_round', { booking_id: 'b_round' })
    await plant(pool, 'events', 'co_1', 'e_1', {
      booking_id: 'b_round',
      service_start_time: '2026-06-01T00:00:00Z',
    })
    await plant(pool, 'events', 'co_1', 'e_2', {
      booking_id: 'b_round',
      service_start_time: '2026-06-02T00:00:00Z',
    })
    const quote = await get('q_round', 'expand[]=booking.events.booking.events')
    const booking = quote['booking'] as { events: Thing[] }
    expect(Object.keys(booking)).toEqual([...(FIELDS['booking'] ?? []), 'events'])
    expect(ids(booking.events)).toEqual(['e_1', 'e_2'])
    for (const event of booking.events) {
      expect(Object.keys(event)).toEqual([...(FIELDS['event'] ?? []), 'booking'])
      const inner = event['booking'] as { id: string; events: Thing[] }
      expect(inner.id).toBe('b_round')
      expect(Object.keys(inner)).toEqual([...(FIELDS['booking'] ?? []), 'events'])
      expect(ids(inner.events)).toEqual(['e_1', 'e_2'])
      for (const innermost of inner.events) expect(Object.keys(innermost)).toEqual(FIELDS['event'])
    }
  })

  it('X2: expands a relation only on the level that requests it', async () => {
    const quote = await get(
      'q_round',
      'expand[]=booking.lead,booking.events.staff,booking.events.booking.invoices',
    )
    expect(quote).toMatchObject({
      booking: { lead: { name: 'Round' }, events: [{ staff: [], booking: { invoices: [] } }, { staff: [] }] },
    })
    const booking = quote['booking'] as { events: { booking: Thing }[] }
    expect(booking).not.toHaveProperty('invoices')
    expect(booking.events[0]?.booking).not.toHaveProperty('lead')
    expect(booking.events[0]?.booking).not.toHaveProperty('events')
    const deep = await get('q_round', 'expand[]=booking.events.booking.lead')
    expect(deep['booking']).not.toHaveProperty('lead')
    expect(deep).toMatchObject({ booking: { events: [{ booking: { lead: { name: 'Round' } } }, {}] } })
  })

  it('X11, X12: is rejected above 32 MiB, but the shorter path returns all 400 events', async () => {
    await plant(pool, 'bookings', 'co_1', 'b_wide')
    await quoteWith('q_wide', { booking_id: 'b_wide' })
    const events = Array.from({ length: 400 }, (_, i) => ({ id: `wide_${i}`, booking_id: 'b_wide' }))
    await plantMany(pool, 'events', 'co_1', events)
    const rejected = await getRaw('q_wide', 'expand[]=booking.events.booking.events')
    expect([rejected.status, rejected.body]).toEqual([
      400,
      rejection('expand', expect.stringContaining('larger than 32 MiB')),
    ])
    const quote = await get('q_wide', 'expand[]=booking.events.booking')
    expect((quote['booking'] as { events: Thing[] }).events).toHaveLength(400)
  })
})
