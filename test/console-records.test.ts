/** Records of the application: creating, editing, archiving, restoring, and values that quotes refer to. */
import { describe, expect, it } from 'vitest'
import type { ActivityAnswer } from '../src/console/activity.ts'
import { CONTRACT_TEXT_MAX } from '../src/core/placeholders.ts'
import { RECORD_KINDS } from '../src/records/kinds.ts'
import { signedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { RECORD_EXAMPLES } from './support/record-requests.ts'
import { startServer } from './support/server.ts'
import { MINIMAL, MINIMAL_WORLD, importValid } from './support/world.ts'

const database = await createDatabase()
const { pool, connection } = database
await importValid(connection, [
  ...MINIMAL_WORLD,
  { ...MINIMAL.quote, id: 'q_2', taxRateId: 'tax', paymentTermsId: 'terms', serviceChargeIds: ['fee'] },
  { ...MINIMAL.lineItem, id: 'line_2', quoteId: 'q_2', discountId: 'off' },
  { ...MINIMAL.service, id: 'srv_old', name: 'Old', archivedAt: '2026-01-01T00:00:00Z' },
])
const server = await startServer(connection)
const { call } = await signedIn(server, database, 'c', 'MEMBER')

interface Stored extends Record<string, unknown> {
  id: string
  updatedAt: string
  archivedAt: string | null
}

interface Changed {
  record: Stored
  replacedId: string | null
}

async function send<Body>(method: string, path: string, body?: object): Promise<Body> {
  const answer = await call(method, path, body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body as Body
}

const create = async (path: string, values: object) => (await send<Changed>('POST', path, { values })).record
const find = async (path: string, id: string) =>
  send<{ record: Stored; isUsed: boolean }>('GET', `${path}/${id}`)
const edit = (path: string, { id, updatedAt }: Stored, values: object) =>
  call('PATCH', `${path}/${id}`, { updatedAt, values })

async function auditedTypes(id: string): Promise<string[]> {
  const { rows } = await pool.query(
    'SELECT type FROM audit_entries WHERE subject_id = $1 ORDER BY created_at, id',
    [id],
  )
  return rows.map(({ type }) => String(type))
}

async function changesOf(id: string): Promise<{ type: string; data: object; previous: object }[]> {
  const { rows } = await pool.query(
    'SELECT type, data, previous FROM changes WHERE subject_id = $1 ORDER BY sequence',
    [id],
  )
  return rows
}

describe.each(RECORD_KINDS.map((kind) => [kind.path, kind] as const))('%s', (path, kind) => {
  it('N4, N7: are created, read, edited, archived and restored', async () => {
    const { values } = RECORD_EXAMPLES[path]
    const created = await create(path, values)
    expect(created).toMatchObject(path === 'packages' ? { name: 'Morning' } : values)
    expect(await find(path, created.id)).toEqual({ record: created, isUsed: false })

    const member = kind.editable.includes('name') ? 'name' : 'lastName'
    const { record: edited } = (await edit(path, created, { [member]: 'Another' })).body as Changed
    expect(edited).toEqual({ ...created, [member]: 'Another', updatedAt: edited.updatedAt })
    expect(Date.parse(edited.updatedAt)).toBeGreaterThan(Date.parse(created.updatedAt))

    const { record: archived } = await send<Changed>('POST', `${path}/${created.id}/archive`, {
      updatedAt: edited.updatedAt,
    })
    expect(archived.archivedAt).not.toBeNull()
    const rejected = await edit(path, archived, { [member]: 'Third' })
    expect(rejected.status).toBe(409)
    const { record: restored } = await send<Changed>('POST', `${path}/${created.id}/restore`, {
      updatedAt: archived.updatedAt,
    })
    expect(restored).toEqual({ ...edited, updatedAt: restored.updatedAt })

    const logged = (await changesOf(created.id)).map(({ type }) => type)
    expect([...logged, ...(await auditedTypes(created.id))]).toEqual(
      kind.noun === null
        ? ['lead.created', 'lead.updated', 'lead.updated', 'lead.updated']
        : ['created', 'updated', 'archived', 'restored'].map((verb) => `${kind.noun}.${verb}`),
    )
  })

  it('N5: rejects a change that is based on an older version, and keeps the stored record', async () => {
    const created = await create(path, RECORD_EXAMPLES[path].values)
    const member = kind.editable.includes('name') ? 'name' : 'lastName'
    await edit(path, created, { [member]: 'Theirs' })
    for (const [method, place, body] of [
      ['PATCH', created.id, { values: { [member]: 'Mine' } }],
      ['POST', `${created.id}/archive`, {}],
    ] as const) {
      const answer = await call(method, `${path}/${place}`, { updatedAt: created.updatedAt, ...body })
      expect(answer.status).toBe(409)
      expect(answer.body).toMatchObject({
        error: { code: 'conflict', details: { updatedAt: { _errors: [expect.any(String)] } } },
      })
    }
    expect((await find(path, created.id)).record).toMatchObject({ [member]: 'Theirs', archivedAt: null })
  })
})

describe('a value that quotes refer to', () => {
  it.each([
    ['discounts', 'off', { percentOff: '6' }, 'discount'],
    ['service-charges', 'fee', { amountCents: 700 }, 'service_charge'],
    ['tax-rates', 'tax', { rate: '9' }, 'tax_rate'],
    ['payment-terms', 'terms', { invoiceDueDays: 14 }, 'payment_terms'],
  ])('N6: %s %s is replaced by a successor', async (path, id, values, noun) => {
    await pool.query(
      `UPDATE companies SET default_tax_rate_id = 'tax', default_payment_terms_id = 'terms',
         default_service_charge_ids = '{other,fee}' WHERE id = 'c'`,
    )
    const { record, isUsed } = await find(path, id)
    expect(isUsed).toBe(true)
    const { record: renamed, replacedId } = (await edit(path, record, { name: 'Renamed' })).body as Changed
    expect([renamed.id, replacedId]).toEqual([id, null])
    // Sending the stored value is not a change.
    const same = Object.fromEntries(Object.keys(values).map((name) => [name, record[name]]))
    expect((await edit(path, renamed, same)).body).toEqual({ record: renamed, replacedId: null })

    const changed = (await edit(path, renamed, { ...values, name: 'Next' })).body as Changed
    expect(changed).toMatchObject({ replacedId: id, record: { ...values, name: 'Next', archivedAt: null } })
    expect(changed.record.id).not.toBe(id)
    const { record: old } = await find(path, id)
    expect(old).toEqual({ ...renamed, archivedAt: old.archivedAt, updatedAt: old.updatedAt })
    expect(old.archivedAt).not.toBeNull()
    expect(await auditedTypes(id)).toEqual([`${noun}.updated`, `${noun}.replaced`])
    expect(await auditedTypes(changed.record.id)).toEqual([`${noun}.created`])

    // Existing quotes keep the old record. New quotes get the successor.
    const { rows } = await pool.query(
      `SELECT default_tax_rate_id, default_payment_terms_id, default_service_charge_ids FROM companies WHERE id = 'c'`,
    )
    const expected = {
      default_tax_rate_id: path === 'tax-rates' ? changed.record.id : 'tax',
      default_payment_terms_id: path === 'payment-terms' ? changed.record.id : 'terms',
      default_service_charge_ids: ['other', path === 'service-charges' ? changed.record.id : 'fee'],
    }
    expect(rows).toEqual([expected])
    const { rows: quotes } = await pool.query(
      `SELECT tax_rate_id, payment_terms_id, service_charge_ids FROM quotes WHERE id = 'q_2'`,
    )
    expect(quotes).toEqual([{ tax_rate_id: 'tax', payment_terms_id: 'terms', service_charge_ids: ['fee'] }])

    // The successor is not in use, so it changes in place.
    const next = (await edit(path, changed.record, values)).body as Changed
    expect(next).toEqual({ record: changed.record, replacedId: null })
  })

  it('N6: a percentage becomes an amount in place while no quote refers to it', async () => {
    const created = await create('discounts', RECORD_EXAMPLES.discounts.values)
    const missing = await edit('discounts', created, { type: 'AMOUNT' })
    expect(missing.status).toBe(400)
    expect(missing.body).toMatchObject({
      error: { details: { 'values.amountOff': { _errors: ['is required if type is AMOUNT'] } } },
    })
    const amount = { type: 'AMOUNT', amountOff: 500, currency: 'USD' }
    const { record } = (await edit('discounts', created, amount)).body as Changed
    expect(record).toMatchObject({ ...amount, id: created.id, percentOff: null })
  })
})

describe('values of a record', () => {
  it.each([
    ['services', { name: ' ' }, 'values.name'],
    ['services', { name: 'x', imageUrl: 'http://example.com/a.png' }, 'values.imageUrl'],
    ['services', { name: 'x', unit: 'WEEK' }, 'values.unit'],
    [
      'services',
      { name: 'x', prices: [{ currency: 'USD', unitPriceCents: -1 }] },
      'values.prices.0.unitPriceCents',
    ],
    [
      'services',
      {
        name: 'x',
        prices: [
          { currency: 'USD', unitPriceCents: 1 },
          { currency: 'USD', unitPriceCents: 2 },
        ],
      },
      'values.prices.1.currency',
    ],
    ['packages', { name: 'x', lines: [{ kind: 'SERVICE' }] }, 'values.lines.0.serviceId'],
    ['payment-terms', { name: 'x', paymentSchedule: 'DEPOSIT' }, 'values.depositType'],
    ['contracts', { name: 'x', content: 'Dear {{costumer.name}}' }, 'values.content'],
    ['locations', { name: 'x', timeZone: 'Europe/Atlantis' }, 'values.timeZone'],
    ['staff', { firstName: 'x', lastName: 'y', email: 'not-an-address' }, 'values.email'],
    ['contacts', { email: 'not-an-address' }, 'values.email'],
    ['event-types', { name: 'x', id: 'mine' }, 'values'],
  ])('N4: %s with %j are rejected with the field %s', async (path, values, field) => {
    const answer = await call('POST', path, { values })
    expect(answer.status).toBe(400)
    expect(Object.keys((answer.body as { error: { details: object } }).error.details)).toEqual([field])
  })

  it(`N4: a contract can have ${CONTRACT_TEXT_MAX} characters`, async () => {
    const content = 'ä'.repeat(CONTRACT_TEXT_MAX)
    const created = await call('POST', 'contracts', { values: { name: 'Long', content } })
    expect(created.status, created.text).toBe(200)
    expect((created.body as Changed).record['content']).toBe(content)
    const longer = await call('POST', 'contracts', { values: { name: 'Longer', content: `${content}ä` } })
    expect(longer.status).toBe(400)
    expect(longer.body).toMatchObject({ error: { details: { 'values.content': {} } } })
  })

  it('N4: amounts that were read in another currency than the company’s are rejected', async () => {
    const message = 'The currency of the company is now USD. Check the amounts before you save again.'
    const values = { name: 'Late', lines: [{ kind: 'CUSTOM', description: 'Ice', unitPriceCents: 5_000 }] }
    const rejected = await call('POST', 'packages', { values, currency: 'JPY' })
    expect([rejected.status, rejected.body]).toMatchObject([409, { error: { message } }])
    const { record } = await send<Changed>('POST', 'packages', { values, currency: 'USD' })
    const change = { updatedAt: record.updatedAt, values: { lines: [] } }
    const path = `packages/${record.id}`
    expect((await call('PATCH', path, { ...change, currency: 'JPY' })).body).toMatchObject({
      error: { message },
    })
    expect((await find('packages', record.id)).record).toEqual(record)
    expect((await call('PATCH', path, change)).status).toBe(200)
  })

  it('N4: an archived service stays in its packages and cannot be added to others', async () => {
    const lines = [{ kind: 'SERVICE', serviceId: 'srv_old' }]
    const rejected = await call('POST', 'packages', { values: { name: 'x', lines } })
    const message = 'This service is archived. Choose another one.'
    expect(rejected.body).toMatchObject({
      error: { message, details: { 'values.lines.0.serviceId': { _errors: [message] } } },
    })
    await pool.query(
      `UPDATE packages SET lines = '[{"kind": "SERVICE", "serviceId": "srv_old", "quantity": 1}]' WHERE id = 'pkg'`,
    )
    const { record } = await find('packages', 'pkg')
    const kept = await edit('packages', record, { lines: [...lines, { kind: 'CUSTOM', description: 'Ice' }] })
    expect(kept.status, kept.text).toBe(200)
    expect((kept.body as Changed).record['lines']).toHaveLength(2)
  })

  it('N4: a contact needs a name, an email address, a phone number or a company', async () => {
    const message = 'Enter a name, an email address, a phone number or a company.'
    const rejected = await call('POST', 'contacts', { values: { notes: 'x' } })
    expect([rejected.status, rejected.body]).toMatchObject([400, { error: { message } }])
    const created = await create('contacts', { firstName: 'Ada' })
    const emptied = await edit('contacts', created, { firstName: null })
    expect([emptied.status, emptied.body]).toMatchObject([400, { error: { message } }])
    const { record } = await find('contacts', 'lead')
    expect((await edit('contacts', record, { notes: 'Imported without a name' })).status).toBe(200)
  })
})

describe('the audit log of records', () => {
  const audit = async (id: string) => {
    const { rows } = await pool.query<{ details: object }>(
      'SELECT details FROM audit_entries WHERE subject_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1',
      [id],
    )
    return rows[0]?.details
  }

  it('N12: shows old and new values', async () => {
    const service = await create('services', RECORD_EXAMPLES.services.values)
    const prices = [{ currency: 'EUR', unitPriceCents: 9_900 }]
    await edit('services', service, { prices, unit: 'DAY', description: null, name: service['name'] })
    expect(await audit(service.id)).toEqual({
      currency: 'USD',
      members: [
        { name: 'description', before: 'Two baristas', after: null },
        { name: 'prices', before: service['prices'], after: prices },
        { name: 'unit', before: 'HOUR', after: 'DAY' },
      ],
    })
    const admin = await signedIn(server, database, 'c', 'ADMIN')
    const { entries } = (await admin.call('GET', 'activity?kind=catalog')).body as ActivityAnswer
    expect(entries[0]).toMatchObject({ type: 'service.updated', currency: 'USD' })
    expect(entries[0]?.members).toHaveLength(3)
  })

  it('N12: shows amounts with their currency, also for replaced records', async () => {
    const value = { type: 'AMOUNT', amountOff: 500, currency: 'EUR' }
    const discount = await create('discounts', { name: 'Voucher', ...value })
    await pool.query(`UPDATE line_items SET discount_id = $1 WHERE id = 'line_2'`, [discount.id])
    const { record } = (await edit('discounts', discount, { amountOff: 700 })).body as Changed
    expect(await audit(discount.id)).toEqual({
      successorId: record.id,
      currency: 'EUR',
      members: [{ name: 'amountOff', before: 500, after: 700 }],
    })
  })

  it('N12: shows the names of referenced records', async () => {
    const equipment = await create('equipment', RECORD_EXAMPLES.equipment.values)
    const { id } = await create('locations', { ...RECORD_EXAMPLES.locations.values, name: 'Barn' })
    await edit('equipment', equipment, { locationId: id })
    expect(await audit(equipment.id)).toMatchObject({
      members: [{ name: 'locationId', before: equipment['locationName'], after: 'Barn' }],
    })
    const { name } = (await find('services', 'srv')).record
    const created = await create('packages', RECORD_EXAMPLES.packages.values)
    const lines = [{ kind: 'SERVICE', serviceId: 'srv', unitPriceCents: 500, optional: true }]
    await edit('packages', created, { lines })
    expect(await audit(created.id)).toMatchObject({
      members: [
        {
          name: 'lines',
          before: `2 × ${String(name)}; Setup`,
          after: `${String(name)} (5.00 USD, optional, selected)`,
        },
      ],
    })
  })

  it('N12: shows the changed part of a long text', async () => {
    const long = 'x'.repeat(CONTRACT_TEXT_MAX - 10)
    const contract = await create('contracts', { name: 'Long', content: `${long}old` })
    await edit('contracts', contract, { content: `${long}new` })
    const part = 'x'.repeat(50)
    expect(await audit(contract.id)).toMatchObject({
      members: [{ name: 'content', before: `…${part}old`, after: `…${part}new` }],
    })
  })
})

describe('changes of a contact', () => {
  it('N8: are in the change log with the members of the API', async () => {
    const created = await create('contacts', { firstName: 'Ada', notes: 'Private' })
    const { record } = (await edit('contacts', created, { lastName: 'Noor', notes: null })).body as Changed
    await send('POST', `contacts/${created.id}/archive`, { updatedAt: record.updatedAt })
    const [, updated, archived] = await changesOf(created.id)
    expect(updated).toMatchObject({ previous: { name: 'Ada', lastName: null } })
    expect(archived).toMatchObject({ data: { archived: true }, previous: {} })
    expect(JSON.stringify(await changesOf(created.id))).not.toContain('Private')
  })

  it('N8: are in the history and the audit log, but not in the change log, if only the notes change', async () => {
    const created = await create('contacts', { firstName: 'Ada' })
    const { record } = (await edit('contacts', created, { notes: 'Private' })).body as Changed
    expect(record['notes']).toBe('Private')
    await edit('contacts', record, { notes: 'More', phone: '555' })
    expect((await changesOf(created.id)).map(({ type }) => type)).toEqual(['lead.created', 'lead.updated'])
    const query = `object=lead&id=${created.id}`
    const history = (await call('GET', `timeline?${query}`)).body as ActivityAnswer
    expect(history.entries.map(({ type, subject }) => [type, subject.name])).toEqual([
      ['lead.updated', 'Ada'],
      ['lead.notes_changed', 'Ada'],
      ['lead.created', 'Ada'],
    ])
    expect(JSON.stringify(history)).not.toContain('Private')
    const [updated, notes] = history.entries
    for (const [entry, rest] of [
      [updated, ['lead.notes_changed', 'lead.created']],
      [notes, ['lead.created']],
    ] as const) {
      const after = encodeURIComponent(entry?.id ?? '')
      const { entries } = (await call('GET', `timeline?${query}&after=${after}`)).body as ActivityAnswer
      expect(entries.map(({ type }) => type)).toEqual(rest)
    }
    const admin = await signedIn(server, database, 'c', 'ADMIN')
    const audit = (await admin.call('GET', 'activity?kind=contacts')).body as ActivityAnswer
    expect(audit.entries).toContainEqual(notes)
  })
})
