import { describe, expect, it } from 'vitest'
import { hashApiKey } from '../src/core/security/api-key.ts'
import {
  clearWorld,
  exportRecords,
  exportText,
  importRecords,
  importValid,
  MINIMAL,
  MINIMAL_WORLD,
} from './support/world.ts'
import type { TestRecord } from './support/world.ts'
import { answer, createImportDatabase } from './support/world-import.ts'

const { pool, connection } = await createImportDatabase()

describe('an existing record', () => {
  const OLD = '2020-01-01T00:00:00.000Z'
  const NEW = '2024-01-01T00:00:00.000Z'

  it('is replaced, with absent fields null or at their defaults', async () => {
    await importValid(connection, [
      MINIMAL.company,
      { ...MINIMAL.quote, discountId: 'd', guestCount: 7, baseFeeTaxable: false, serviceChargeIds: ['a'] },
    ])
    await importValid(connection, [{ ...MINIMAL.quote, eventAddress: 'Pier 5' }])
    const [quote] = await exportRecords(connection, { object: 'quote', id: 'q' })
    expect(quote).toEqual({
      ...MINIMAL.quote,
      eventAddress: 'Pier 5',
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
    })
  })

  it('is not replaced by a record with the same id in another company or kind', async () => {
    const { company, lead } = MINIMAL
    await importValid(connection, [company, { ...company, id: 'c2' }, { ...lead, email: 'c' }])
    await importValid(connection, [
      { ...lead, companyId: 'c2', email: 'c2' },
      { ...MINIMAL.eventType, id: 'lead' },
    ])
    const leads = await exportRecords(connection, { object: 'lead', id: 'lead' })
    expect(leads.filter((one) => one['email'] === one['companyId'])).toHaveLength(2)
  })

  it('does not change if it is imported again', async () => {
    await importValid(connection, MINIMAL_WORLD)
    const once = await exportText(connection)
    await importValid(connection, MINIMAL_WORLD)
    expect(await exportText(connection)).toBe(once)
  })

  it('keeps its times unless the file has others', async () => {
    const { lead } = MINIMAL
    await importValid(connection, [{ ...lead, id: 'times', createdAt: OLD, updatedAt: OLD }])
    await importValid(connection, [{ ...lead, id: 'times', email: 'new', updatedAt: NEW }])
    expect(await exportRecords(connection, { id: 'times' })).toMatchObject([
      { email: 'new', createdAt: OLD, updatedAt: NEW },
    ])
    await importValid(connection, [{ ...lead, id: 'times', createdAt: null }])
    expect(await exportRecords(connection, { id: 'times' })).toMatchObject([
      { createdAt: OLD, updatedAt: NEW },
    ])
  })

  it('gets the answers of the file, which keep their times by id', async () => {
    const { formResponse } = MINIMAL
    const times = { createdAt: OLD, updatedAt: OLD }
    const first = [answer('1', 'one', times), answer('2', 'two', times), answer('3', 'three', times)]
    await importValid(connection, [{ ...formResponse, answers: first }])
    const second = [
      answer('4', 'four', { createdAt: NEW, updatedAt: NEW }),
      answer('3', 'drei'),
      answer('1', 'one', { updatedAt: NEW }),
    ]
    await importValid(connection, [{ ...formResponse, answers: second }])
    const [replaced] = await exportRecords(connection, { object: 'formResponse', id: 'resp' })
    expect(replaced?.['answers']).toEqual([
      answer('4', 'four', { createdAt: NEW, updatedAt: NEW }),
      answer('3', 'drei', times),
      answer('1', 'one', { createdAt: OLD, updatedAt: NEW }),
    ])
    await importValid(connection, [formResponse])
    expect((await exportRecords(connection, { id: 'resp' }))[0]).not.toHaveProperty('answers')
    expect((await pool.query('SELECT FROM form_answers')).rowCount).toBe(0)
  })
})

describe('stored values', () => {
  it('are the defaults of the format, with one time for all missing times', async () => {
    await clearWorld(pool)
    const before = Date.now()
    const answers = [{ id: 'a', questionId: 'ask', response: 'Yes' }]
    await importValid(connection, [...MINIMAL_WORLD, { ...MINIMAL.formResponse, id: 'answered', answers }])
    const moments = new Set<unknown>()
    for (const record of await exportRecords(connection)) {
      moments.add(record['createdAt']).add(record['updatedAt'])
      for (const one of (record['answers'] ?? []) as TestRecord[]) {
        moments.add(one['createdAt']).add(one['updatedAt'])
      }
    }
    expect(moments.size).toBe(1)
    const moment = Date.parse(String([...moments][0]))
    expect(moment).toBeGreaterThanOrEqual(before - 1)
    expect(moment).toBeLessThanOrEqual(Date.now() + 1)
    const { rows } = await pool.query(`
      SELECT q.guest_count, q.base_fee_cents, q.travel_fee_taxable, q.service_charge_ids, l.quantity, l.taxable,
        e.tip_jar_allowed, e.guest_count AS event_guests, e.staff_ids, r.status, s.status AS staff_status, i.lines,
        t.invoice_due_days, b.card_on_file
      FROM quotes q, line_items l, events e, resources r, staff s, invoices i, payment_terms t, bookings b`)
    expect(rows).toEqual([
      {
        guest_count: 0,
        base_fee_cents: '0',
        travel_fee_taxable: true,
        service_charge_ids: [],
        quantity: '1.0000',
        taxable: true,
        tip_jar_allowed: false,
        event_guests: null,
        staff_ids: [],
        status: 'Active',
        staff_status: 'active',
        lines: [],
        invoice_due_days: 0,
        card_on_file: false,
      },
    ])
  })

  it.each([
    ['2026-03-01T09:30Z', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01T09:30:15.9999999Z', '2026-03-01T09:30:15.999Z'],
    ['2026-03-01T00:30:00+02:00', '2026-02-28T22:30:00.000Z'],
    ['2024-02-29T23:59:59.1Z', '2024-02-29T23:59:59.100Z'],
    ['2026-01-31T00:00:00.000Z', '2026-01-31T00:00:00.000Z'],
    ['0001-01-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999Z'],
  ])('the time %s is stored as %s', async (given, stored) => {
    const { event, company, task } = MINIMAL
    await importValid(connection, [company, event, { ...task, dueDate: given, createdAt: given }])
    expect(await exportRecords(connection, { object: 'task', id: 'task' })).toMatchObject([
      { dueDate: stored, createdAt: stored },
    ])
  })

  it('a key is stored as its hash', async () => {
    await importValid(connection, [MINIMAL.company, MINIMAL.apiKey])
    const text = await exportText(connection)
    expect(text).toContain(`"keyHash":"${hashApiKey(MINIMAL.apiKey.key)}"`)
    expect(text).not.toContain(MINIMAL.apiKey.key)
  })

  it('quantities of invoice lines are stored as numbers', async () => {
    const lines = [
      { description: 'A', quantity: '2.50', amountCents: 1e11 },
      { description: 'B', amountCents: 0 },
    ]
    await importValid(connection, [MINIMAL.booking, { ...MINIMAL.invoice, lines }])
    const { rows } = await pool.query(`SELECT lines FROM invoices WHERE id = 'inv'`)
    expect(rows).toEqual([
      {
        lines: [
          { description: 'A', quantity: 2.5, unitPriceCents: null, amountCents: 1e11 },
          { description: 'B', quantity: 1, unitPriceCents: null, amountCents: 0 },
        ],
      },
    ])
  })
})

describe('the hash of a key', () => {
  const { company, apiKey } = MINIMAL
  const key = (id: string, plain: string, companyId = 'c') => ({ ...apiKey, id, companyId, key: plain })

  it('is unique in the file across all companies, as a key or as a hash', async () => {
    const { errors } = await importRecords(connection, [
      { ...company, id: 'c2' },
      key('1', 'the-same-key'),
      key('2', 'the-same-key', 'c2'),
      { ...apiKey, id: '3', key: null, keyHash: hashApiKey('the-same-key') },
    ])
    expect(errors).toEqual([
      { line: 3, field: 'key', reason: 'is the same as on line 2' },
      { line: 4, field: 'key', reason: 'is the same as on line 2' },
    ])
  })

  it('is unique in the database', async () => {
    await importValid(connection, [company, { ...company, id: 'c2' }, key('1', 'stored-key-1')])
    const { errors } = await importRecords(connection, [key('1', 'stored-key-1', 'c2')])
    expect(errors).toEqual([{ line: 1, field: 'key', reason: 'belongs to another record in the database' }])
    await importValid(connection, [key('1', 'stored-key-1')])
  })

  it('can move to another record, and two records can swap theirs', async () => {
    await importValid(connection, [company, key('1', 'stored-key-1'), key('2', 'stored-key-2')])
    await importValid(connection, [key('1', 'stored-key-2'), key('2', 'stored-key-1')])
    await importValid(connection, [key('3', 'stored-key-2'), key('1', 'stored-key-3')])
    const keys = await exportRecords(connection, { object: 'apiKey', companyId: 'c' })
    const hashes = Object.fromEntries(keys.map((one) => [one['id'], one['keyHash']]))
    expect(hashes).toMatchObject({
      1: hashApiKey('stored-key-3'),
      2: hashApiKey('stored-key-1'),
      3: hashApiKey('stored-key-2'),
    })
  })
})

describe('the prefix of a key', () => {
  const { company, apiKey } = MINIMAL
  const prefixes = async () =>
    (
      await pool.query<{ prefix: string | null }>(
        `SELECT prefix FROM api_keys WHERE company_id = 'c' ORDER BY id`,
      )
    ).rows

  it('stays with the key, and is cleared with another key', async () => {
    await clearWorld(pool)
    const keys = ['1', '2'].map((id) => ({ ...apiKey, id, key: `stored-key-${id}` }))
    await importValid(connection, [company, ...keys])
    await pool.query(`UPDATE api_keys SET prefix = 'eqs_abcd'`)
    await importValid(connection, [keys[0] ?? {}, { ...keys[1], key: 'another-key' }])
    expect(await prefixes()).toEqual([{ prefix: 'eqs_abcd' }, { prefix: null }])
  })
})

describe('the line items of a quote', () => {
  const { company, quote, lineItem } = MINIMAL
  const items = (count: number, quoteId: string, from = 0) =>
    Array.from({ length: count }, (_, index) => ({ ...lineItem, id: `item${from + index}`, quoteId }))

  it('are at most 1,000 in the file, with one error at the first line above the limit', async () => {
    await clearWorld(pool)
    const tooMany = [company, { ...quote, id: 'full' }, ...items(1_003, 'full')]
    expect(await importRecords(connection, tooMany)).toEqual({
      records: 0,
      errorCount: 1,
      errors: [
        {
          line: 1_003,
          field: 'quoteId',
          reason: 'quote "full" would have more than 1000 records of kind lineItem',
        },
      ],
    })
    await importValid(connection, tooMany.slice(0, -3))
  })

  it('count together with stored ones, each once', async () => {
    // Replaces all stored ones.
    await importValid(connection, items(1_000, 'full'))
    const { errors } = await importRecords(connection, [...items(2, 'full'), ...items(2, 'full', 5_000)])
    expect(errors).toMatchObject([{ line: 3, field: 'quoteId' }])
    // Two of them move to another quote, so that two others fit.
    await importValid(connection, [
      { ...quote, id: 'empty' },
      ...items(2, 'empty'),
      ...items(2, 'full', 5_000),
    ])
  })
})

describe('prices of services and add-ons', () => {
  it('have one price per currency', async () => {
    await clearWorld(pool)
    const prices = [
      { currency: 'USD', unitPriceCents: 24_500 },
      { currency: 'EUR', unitPriceCents: 22_000 },
    ]
    const service = { ...MINIMAL.service, prices, unit: 'HOUR', taxable: false }
    await importValid(connection, [MINIMAL.company, service])
    expect(await exportRecords(connection)).toContainEqual(expect.objectContaining(service))
    const twice = { ...MINIMAL.addon, prices: [...prices, { currency: 'USD', unitPriceCents: 1 }] }
    expect((await importRecords(connection, [twice])).errors).toEqual([
      { line: 1, field: 'prices[2].currency', reason: 'is the same as in prices[0]' },
    ])
  })
})

describe('webhook endpoints', () => {
  const { company, webhookEndpoint } = MINIMAL

  it('receive changes after the import, and are at most 20', async () => {
    await clearWorld(pool)
    await importValid(connection, [company, webhookEndpoint])
    const { rows } = await pool.query('SELECT has_webhooks FROM change_counters')
    expect(rows).toEqual([{ has_webhooks: true }])
    const many = Array.from({ length: 20 }, (_, i) => ({ ...webhookEndpoint, id: `hook${i}` }))
    expect((await importRecords(connection, many)).errors).toEqual([
      {
        line: 20,
        field: 'companyId',
        reason: 'company "c" would have more than 20 records of kind webhookEndpoint',
      },
    ])
  })

  it('have a URL and types that the API accepts', async () => {
    const wrong = { ...webhookEndpoint, url: 'ftp://example.com', types: ['quote.eaten'] }
    const { errors } = await importRecords(connection, [wrong])
    expect(errors.map(({ field }) => field)).toEqual(['url', 'types[0]'])
  })
})
