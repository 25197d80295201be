import { describe, expect, it } from 'vitest'
import { plant } from './support/quotes.ts'
import type { Row } from './support/quotes.ts'
import { BYTE_ORDER, SHUFFLED, createExpandApi, ids } from './support/quotes-expand.ts'

const { pool, get, quoteWith, member, plantLine } = await createExpandApi()

describe('O3: lead', () => {
  it('has all its fields', async () => {
    await plant(pool, 'leads', 'co_1', 'lead_full', {
      first_name: 'Ada',
      last_name: 'Lindqvist',
      email: 'ada@example.com',
      phone: '+1 555',
      company_name: 'Harbor Ltd',
    })
    await quoteWith('q_lead', { lead_id: 'lead_full' })
    expect(await member('q_lead', 'lead')).toEqual({
      object: 'lead',
      id: 'lead_full',
      name: 'Ada Lindqvist',
      firstName: 'Ada',
      lastName: 'Lindqvist',
      email: 'ada@example.com',
      phone: '+1 555',
      companyName: 'Harbor Ltd',
    })
  })

  it.each<
    [name: string, first: string | null, last: string | null, company: string | null, email: string | null]
  >([
    ['Ada Lindqvist', 'Ada', 'Lindqvist', 'Harbor Ltd', 'a@example.com'],
    ['Ada', 'Ada', null, 'Harbor Ltd', 'a@example.com'],
    ['Lindqvist', null, 'Lindqvist', 'Harbor Ltd', 'a@example.com'],
    ['Ada', 'Ada', '', 'Harbor Ltd', null],
    ['Lindqvist', ' \t', 'Lindqvist', null, null],
    ['Harbor Ltd', null, null, 'Harbor Ltd', 'a@example.com'],
    ['Harbor Ltd', '', '  ', 'Harbor Ltd', 'a@example.com'],
    ['a@example.com', null, null, null, 'a@example.com'],
    ['a@example.com', ' ', '', '\n', 'a@example.com'],
    ['', null, null, null, null],
    ['', '', ' ', '  ', ' '],
  ])(
    'O3: has name %j for first name %j, last name %j, company %j and email %j',
    async (name, firstName, lastName, companyName, email) => {
      const id = `lead ${JSON.stringify([firstName, lastName, companyName, email])}`
      await plant(pool, 'leads', 'co_1', id, {
        first_name: firstName,
        last_name: lastName,
        company_name: companyName,
        email,
      })
      await quoteWith(`q of ${id}`, { lead_id: id })
      expect(await member(`q of ${id}`, 'lead')).toEqual({
        object: 'lead',
        id,
        name,
        firstName,
        lastName,
        email,
        phone: null,
        companyName,
      })
    },
  )
})

describe('O4, O5: location and event type', () => {
  it('location has all its fields, with null for unset ones', async () => {
    const place = { street_address: '4 Pier Road', city: 'Brooklyn', state: 'NY', zip: '11201' }
    await plant(pool, 'locations', 'co_1', 'loc_full', {
      name: 'Pier 4',
      time_zone: 'America/New_York',
      ...place,
    })
    await plant(pool, 'locations', 'co_1', 'loc_bare', { name: 'Barn', time_zone: 'Europe/Lisbon' })
    await quoteWith('q_loc_full', { location_id: 'loc_full' })
    await quoteWith('q_loc_bare', { location_id: 'loc_bare' })
    expect(await member('q_loc_full', 'location')).toEqual({
      object: 'location',
      id: 'loc_full',
      name: 'Pier 4',
      streetAddress: '4 Pier Road',
      city: 'Brooklyn',
      state: 'NY',
      zip: '11201',
      timeZone: 'America/New_York',
    })
    expect(await member('q_loc_bare', 'location')).toEqual({
      object: 'location',
      id: 'loc_bare',
      name: 'Barn',
      streetAddress: null,
      city: null,
      state: null,
      zip: null,
      timeZone: 'Europe/Lisbon',
    })
  })

  it('eventType has id and name', async () => {
    await plant(pool, 'event_types', 'co_1', 'type_1', { name: 'Gala' })
    await quoteWith('q_type', { event_type_id: 'type_1' })
    expect(await member('q_type', 'eventType')).toEqual({ object: 'eventType', id: 'type_1', name: 'Gala' })
  })
})

describe.each([
  ['services', 'service', 'SERVICE', 'service_id'],
  ['addons', 'addon', 'ADDON', 'addon_id'],
] as const)('O6: %s', (path, object, kind, column) => {
  const itemOf = (id: string, row: Row = {}) => plant(pool, path, 'co_1', id, row)

  it('have id, name, description and image URL, without data of the line', async () => {
    await itemOf('full', {
      name: 'Cocktail bar',
      description: 'Four hours',
      image_url: 'https://example.com/bar.jpg',
    })
    await itemOf('bare', { name: 'Bare' })
    await quoteWith(`q_${path}`, {})
    await plantLine(`q_${path}`, {
      kind,
      [column]: 'full',
      quantity: 3,
      unit_price_cents: 100,
      price_cents: 300,
    })
    await plantLine(`q_${path}`, { kind, [column]: 'bare' })
    expect(await member(`q_${path}`, path)).toEqual([
      { object, id: 'bare', name: 'Bare', description: null, imageUrl: null },
      {
        object,
        id: 'full',
        name: 'Cocktail bar',
        description: 'Four hours',
        imageUrl: 'https://example.com/bar.jpg',
      },
    ])
  })

  it('are distinct, of current lines only, without archived and missing ones', async () => {
    for (const id of ['used', 'used_once_deleted', 'of_deleted_line', 'unused', 'twin'])
      await itemOf(id, { name: id })
    await itemOf('archived', { archived_at: '2026-01-01T00:00:00Z' })
    await itemOf('archived_later', { archived_at: '2999-01-01T00:00:00Z' })
    const other = path === 'services' ? 'addons' : 'services'
    await plant(pool, other, 'co_1', `one of ${other}`, {})
    const quote = `q_${path}_lines`
    await quoteWith(quote, {})
    for (const id of [
      'used',
      'used',
      'used_once_deleted',
      'archived',
      'archived_later',
      'missing',
      'twin',
      'used',
      `one of ${other}`,
    ]) {
      await plantLine(quote, { kind, [column]: id })
    }
    await plantLine(quote, { kind, [column]: 'used_once_deleted', deleted_at: '2026-01-01T00:00:00Z' })
    await plantLine(quote, { kind, [column]: 'of_deleted_line', deleted_at: '2999-01-01T00:00:00Z' })
    await plantLine(quote, { kind: 'CUSTOM', description: 'unused' })
    expect(ids(await member(quote, path))).toEqual(['twin', 'used', 'used_once_deleted'])
  })

  it('are in byte order of their names, then ids', async () => {
    const quote = `q_${path}_order`
    await quoteWith(quote, {})
    for (const [i, name] of SHUFFLED.entries()) {
      await itemOf(`n${i}`, { name })
      await plantLine(quote, { kind, [column]: `n${i}` })
    }
    for (const id of SHUFFLED) {
      await itemOf(`same ${id}`, { name: 'same' })
      await plantLine(quote, { kind, [column]: `same ${id}` })
    }
    const found = await member(quote, path)
    expect(found.filter(({ name }) => name !== 'same').map(({ name }) => name)).toEqual(BYTE_ORDER)
    expect(ids(found.filter(({ name }) => name === 'same'))).toEqual(BYTE_ORDER.map((id) => `same ${id}`))
  })
})

describe('O6: services and addons with the same id', () => {
  it('are separate records', async () => {
    await plant(pool, 'services', 'co_1', 'both', { name: 'The service' })
    await plant(pool, 'addons', 'co_1', 'both', { name: 'The add-on' })
    await quoteWith('q_both', {})
    await plantLine('q_both', { kind: 'ADDON', addon_id: 'both' })
    expect(await get('q_both', 'expand[]=services,addons')).toMatchObject({
      services: [],
      addons: [{ object: 'addon', name: 'The add-on' }],
    })
    await plantLine('q_both', { kind: 'SERVICE', service_id: 'both' })
    expect(await get('q_both', 'expand[]=services,addons')).toMatchObject({
      services: [{ name: 'The service' }],
      addons: [{ name: 'The add-on' }],
    })
  })
})

describe('O11: serviceDays', () => {
  it('are ordered by serviceStartTime, then id, and have quote id, start, end and times', async () => {
    await quoteWith('q_days', {})
    for (const [id, start] of [
      ['y_é', '2026-06-02T10:00:00Z'],
      ['y_\u{1F600}', '2026-06-02T10:00:00Z'],
      ['y_\uFF5E', '2026-06-02T10:00:00Z'],
      ['y_a', '2026-06-02T10:00:00.000Z'],
      ['y_B', '2026-06-02T10:00:00Z'],
      ['y_0', '2026-06-02T10:00:00.001Z'],
      ['y_z', '2026-06-01T10:00:00Z'],
    ] as const) {
      await plant(pool, 'service_days', 'co_1', id, {
        quote_id: 'q_days',
        service_start_time: start,
        service_end_time: '2026-06-03T00:00:00Z',
        created_at: '2026-01-01T00:00:00Z',
        updated_at: '2026-01-02T00:00:00Z',
      })
    }
    const days = await member('q_days', 'serviceDays')
    expect(ids(days)).toEqual(['y_z', 'y_B', 'y_a', 'y_é', 'y_\uFF5E', 'y_\u{1F600}', 'y_0'])
    expect(days[0]).toEqual({
      object: 'serviceDay',
      id: 'y_z',
      quoteId: 'q_days',
      serviceStartTime: '2026-06-01T10:00:00.000Z',
      serviceEndTime: '2026-06-03T00:00:00.000Z',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-02T00:00:00.000Z',
    })
  })
})
