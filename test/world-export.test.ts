import { PassThrough, Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { hashApiKey } from '../src/core/security/api-key.ts'
import { DUMMY_HASH } from '../src/core/security/password.ts'
import { exportWorld } from '../src/world/export.ts'
import { createDatabase } from './support/database.ts'
import {
  clearWorld,
  exportRecords,
  exportText,
  importValid,
  MINIMAL,
  MINIMAL_WORLD,
  toLines,
} from './support/world.ts'
import type { TestRecord } from './support/world.ts'

const { pool, connection } = await createDatabase()

const T = { createdAt: '2026-01-02T03:04:05.678Z', updatedAt: '2026-01-03T03:04:05.600Z' }
const at = (object: string, id: string) => ({ object, id, companyId: 'a' })

/** Every kind with every field in the order of the format, as an export writes it. */
const FULL_WORLD: TestRecord[] = [
  {
    object: 'company',
    id: 'a',
    name: 'Zoë & Søn 🎈',
    plan: 'LEGACY_PRO',
    currency: 'JPY',
    allowedIps: ['203.0.113.0/24', '2001:db8::/32', '10.0.0.1'],
    ...T,
  },
  { ...at('apiKey', 'k1'), name: 'Site', keyHash: hashApiKey('plain-key-1'), ...T },
  { ...at('apiKey', 'k2'), name: 'Old', keyHash: hashApiKey('plain-key-2'), revokedAt: T.createdAt, ...T },
  {
    ...at('user', 'u'),
    email: 'Ada@example.com',
    name: 'Ada',
    role: 'MEMBER',
    passwordHash: DUMMY_HASH,
    disabledAt: T.createdAt,
    ...T,
  },
  {
    ...at('lead', 'l'),
    firstName: '',
    lastName: 'O\\N"eil\t\n\r',
    email: 'e@example.com',
    phone: '1',
    companyName: '会社\u2028\u0001',
    ...T,
  },
  {
    ...at('location', 'loc'),
    name: 'Quay',
    streetAddress: '1 Quay',
    city: 'Nice',
    state: 'PACA',
    zip: '06000',
    timeZone: 'Europe/Paris',
    ...T,
  },
  { ...at('eventType', 'type'), name: 'Wedding', ...T },
  {
    ...at('service', 's'),
    name: 'Bar',
    description: 'Open',
    imageUrl: 'https://example.com/a.png',
    archivedAt: T.createdAt,
    ...T,
  },
  {
    ...at('addon', 'x'),
    name: 'Ice',
    description: 'Cold',
    imageUrl: 'https://example.com/b.png',
    archivedAt: T.createdAt,
    ...T,
  },
  {
    ...at('discount', 'd1'),
    name: 'Five',
    type: 'PERCENT',
    percentOff: 0.000001,
    archivedAt: T.createdAt,
    ...T,
  },
  { ...at('discount', 'd2'), name: 'Ten', type: 'AMOUNT', amountOff: 1e11, currency: 'JPY', ...T },
  { ...at('taxRate', 'tax'), name: 'Tax', rate: 8.875, archivedAt: T.createdAt, ...T },
  {
    ...at('paymentTerms', 'p1'),
    name: 'Half',
    paymentSchedule: 'DEPOSIT',
    depositType: 'PERCENT',
    depositPercentage: 50,
    invoiceDueDays: 30,
    archivedAt: T.createdAt,
    ...T,
  },
  {
    ...at('paymentTerms', 'p2'),
    name: 'Some',
    paymentSchedule: 'DEPOSIT',
    depositType: 'AMOUNT',
    depositAmountCents: 100,
    ...T,
  },
  {
    ...at('serviceCharge', 'c1'),
    name: 'Fee',
    type: 'PERCENT',
    percentage: 99.999999,
    taxable: false,
    archivedAt: T.createdAt,
    ...T,
  },
  { ...at('serviceCharge', 'c2'), name: 'Fee', type: 'AMOUNT', amountCents: 0, currency: 'USD', ...T },
  {
    ...at('contract', 'con'),
    name: 'Terms',
    description: 'All',
    content: 'Long '.repeat(1000),
    archivedAt: T.createdAt,
    ...T,
  },
  {
    ...at('quote', 'q'),
    sentAt: '0001-01-01T00:00:00.000Z',
    expiresAt: '9999-12-31T23:59:59.999Z',
    bookedAt: T.createdAt,
    lostAt: T.updatedAt,
    lostReason: 'OTHER',
    leadId: 'l',
    locationId: 'loc',
    eventTypeId: 'type',
    bookingId: 'b',
    discountId: 'd1',
    taxRateId: 'tax',
    paymentTermsId: 'p1',
    contractId: 'con',
    numberOfStaff: 1,
    numberOfResources: 2,
    guestCount: 2147483647,
    eventAddress: 'Pier',
    eventDescription: 'Party',
    siteContactName: 'A',
    siteContactPhone: '2',
    entityToInvoice: 'B',
    currency: 'KWD',
    serviceChargeIds: ['c2', 'none', 'c1'],
    baseFeeCents: 1,
    baseFeeTaxable: false,
    travelFeeCents: 1e11,
    travelFeeTaxable: false,
    deletedAt: T.updatedAt,
    ...T,
  },
  {
    ...at('serviceDay', 'day'),
    quoteId: 'q',
    serviceStartTime: '2026-06-01T10:00:00.100Z',
    serviceEndTime: '2026-06-01T18:00:00.010Z',
    ...T,
  },
  {
    ...at('lineItem', 'i1'),
    quoteId: 'q',
    serviceDayId: 'day',
    kind: 'SERVICE',
    serviceId: 's',
    description: 'Bar',
    quantity: 2.5,
    unitPriceCents: 40,
    priceCents: 100,
    taxable: false,
    discountId: 'd2',
    deletedAt: T.updatedAt,
    ...T,
  },
  {
    ...at('lineItem', 'i2'),
    quoteId: 'q',
    kind: 'ADDON',
    addonId: 'x',
    quantity: 0.0001,
    priceCents: 0,
    ...T,
  },
  { ...at('lineItem', 'i3'), quoteId: 'q', kind: 'CUSTOM', quantity: 1000000, priceCents: 1, ...T },
  {
    ...at('booking', 'b'),
    quoteId: 'q',
    leadId: 'l',
    eventTypeId: 'type',
    fullName: 'A',
    email: 'a@b',
    phone: '3',
    entityToInvoice: 'C',
    paymentMethod: 'Card',
    billingNotes: 'None',
    cardOnFile: true,
    currency: 'EUR',
    totalPriceCents: 1e11,
    gratuityAmountCents: 0,
    canceledAt: T.createdAt,
    ...T,
  },
  {
    ...at('event', 'e'),
    bookingId: 'b',
    locationId: 'loc',
    name: 'Gala',
    clientName: 'A',
    clientEmail: 'a@b',
    clientPhone: '4',
    siteContactName: 'B',
    siteContactPhone: '5',
    eventDescription: 'Fun',
    eventAddress: 'Pier',
    additionalLocationInfo: 'Gate 2',
    specialNotes: '!',
    parkingLoadingInfo: 'Rear',
    staffDressCode: 'Black',
    serviceStartTime: '2026-06-01T10:00:00.000Z',
    serviceEndTime: '2026-06-01T18:00:00.000Z',
    shiftStartTime: '2026-06-01T09:00:00.000Z',
    shiftEndTime: '2026-06-01T19:00:00.000Z',
    staffNumber: 3,
    resourceNumber: 4,
    guestCount: 0,
    multiDay: true,
    outdoors: true,
    tipJarAllowed: true,
    serviceIds: ['s'],
    addonIds: ['x'],
    staffIds: ['z', 'a', '"{,}\\', 'NULL'],
    resourceIds: ['r'],
    ...T,
  },
  {
    ...at('resource', 'r'),
    name: 'Van',
    description: 'Big',
    imageUrl: 'https://example.com/c.png',
    category: 'Cars',
    status: 'Inactive',
    locationId: 'loc',
    ...T,
  },
  {
    ...at('staff', 'a'),
    firstName: 'Ada',
    lastName: 'Noor',
    email: 'ada@example.com',
    phone: '6',
    role: 'Chef',
    status: 'inactive',
    ...T,
  },
  {
    ...at('invoice', 'inv'),
    bookingId: 'b',
    leadId: 'l',
    invoiceNumber: '1',
    description: 'All',
    notes: 'None',
    poNumber: '9',
    currency: 'EUR',
    totalCents: 100,
    amountPaidCents: 50,
    issuedAt: T.createdAt,
    dueDate: T.updatedAt,
    voidedAt: T.updatedAt,
    lines: [
      { description: 'Bar\t\\', quantity: 1.5, amountCents: 1e11 },
      { description: 'Ice', amountCents: 0 },
    ],
    ...T,
  },
  {
    ...at('form', 'f'),
    name: 'Details',
    slug: 'event-details',
    purpose: 'QUOTE',
    publishedAt: T.createdAt,
    allowedOrigins: ['https://example.com', 'http://localhost:3000'],
    archivedAt: T.updatedAt,
    ...T,
  },
  {
    ...at('formQuestion', 'ask'),
    formId: 'f',
    title: 'Where?',
    type: 'STAFFING_CALCULATOR',
    subtitle: 'Exactly',
    position: 7,
    systemRequired: true,
    userRequired: true,
    linkedSystemField: 'address',
    options: ['Here', 'There, "\\'],
    showWhen: { questionId: 'ask', equals: '' },
    archivedAt: T.updatedAt,
    ...T,
  },
  {
    ...at('formResponse', 'resp'),
    formId: 'f',
    bookingId: 'b',
    quoteId: 'q',
    answers: [
      { id: '2', questionId: 'ask', response: 'Здесь "\\', ...T },
      { id: '1', questionId: 'gone', response: ' ', createdAt: T.updatedAt, updatedAt: T.createdAt },
    ],
    ...T,
  },
  {
    ...at('task', 't'),
    eventId: 'e',
    description: 'Call',
    dueDate: T.createdAt,
    completedAt: T.updatedAt,
    ...T,
  },
]

describe('exports', () => {
  it('have every field of every kind in the order of the format', async () => {
    await importValid(connection, FULL_WORLD.toReversed())
    expect(await exportText(connection)).toBe(toLines(FULL_WORLD))
  })

  it('have the same bytes after an import into an empty database', async () => {
    await importValid(connection, [...FULL_WORLD, ...MINIMAL_WORLD])
    const first = await exportText(connection)
    await clearWorld(pool)
    await importValid(connection, first.trimEnd().split('\n'))
    expect(await exportText(connection)).toBe(first)
    expect(first.split('\n')).toHaveLength(FULL_WORLD.length + MINIMAL_WORLD.length + 1)
  })

  it('omit null fields and defaults, including imported ones', async () => {
    await clearWorld(pool)
    const { quote, lineItem, event, paymentTerms, invoice, formResponse, company } = MINIMAL
    await importValid(connection, MINIMAL_WORLD)
    const bare = await exportText(connection)
    await importValid(connection, [
      { ...company, allowedIps: [] },
      {
        ...quote,
        guestCount: 0,
        baseFeeCents: 0,
        baseFeeTaxable: true,
        serviceChargeIds: [],
        discountId: null,
      },
      { ...lineItem, quantity: '1.0000', taxable: true, deletedAt: null },
      { ...event, staffNumber: 0, multiDay: false, staffIds: [], guestCount: null },
      { ...paymentTerms, invoiceDueDays: 0, depositType: null },
      { ...invoice, lines: [], amountPaidCents: 0 },
      { ...formResponse, answers: [] },
      { ...MINIMAL.resource, status: 'Active' },
      { ...MINIMAL.staff, status: 'active' },
    ])
    expect(await exportText(connection)).toBe(bare)
    const [exported] = await exportRecords(connection, { object: 'quote' })
    expect(Object.keys(exported ?? {}).join(' ')).toBe(
      'object id companyId leadId locationId eventAddress currency createdAt updatedAt',
    )
  })

  it('are ordered by company, kind and id, by bytes', async () => {
    await clearWorld(pool)
    // U+FF61 comes before U+1D518 in bytes, but after it in UTF-16.
    const ids = ['10', '9', 'B', 'a', 'é', '｡', '𝔘']
    const { company, lead, task, event } = MINIMAL
    const records = ids.flatMap((companyId) => [
      { ...company, id: companyId },
      ...ids.map((id) => ({ ...lead, companyId, id })),
      { ...event, companyId },
      { ...task, companyId },
    ])
    await importValid(connection, records.toReversed())
    const keys = (await exportRecords(connection)).map((one) => [one['object'], one['companyId'], one['id']])
    expect(keys).toEqual(
      ids.flatMap((companyId) => [
        ['company', undefined, companyId],
        ...ids.map((id) => ['lead', companyId, id]),
        ['event', companyId, 'evt'],
        ['task', companyId, 'task'],
      ]),
    )
  })

  it('include tasks that were created over the API', async () => {
    await pool.query(
      `INSERT INTO tasks (company_id, id, event_id, description) VALUES ('a', 'made', 'evt', 'Call')`,
    )
    expect(await exportRecords(connection, { object: 'task', id: 'made' })).toMatchObject([
      { companyId: 'a', eventId: 'evt', description: 'Call', createdAt: expect.any(String) as string },
    ])
  })

  it('of an empty database are empty', async () => {
    await clearWorld(pool)
    expect(await exportText(connection)).toBe('')
  })
})

describe('the output of an export', () => {
  const leads = Array.from({ length: 4_000 }, (_, index) => {
    return { ...MINIMAL.lead, id: `l${index}`, firstName: 'x'.repeat(300) }
  })

  it('waits for a slow reader, and comes from one snapshot', async () => {
    await importValid(connection, [MINIMAL.company, ...leads])
    let lines = 0
    let written = 0
    const output = new Writable({
      highWaterMark: 1,
      write: (chunk: Buffer, _, done) => {
        written++
        lines += chunk.toString().split('\n').length - 1
        expect(output.writableLength).toBe(chunk.length)
        // Leads come before resources, so this adds a row to a table that is read later.
        const sql = `INSERT INTO resources (company_id, id, name, location_id) VALUES ('c', $1, 'Late', 'loc')`
        pool.query(sql, [`made${written}`], done)
      },
    })
    expect(await exportWorld(connection, output)).toBe(leads.length + 1)
    expect(lines).toBe(leads.length + 1)
    expect(written).toBeGreaterThan(3)
  })

  it('ends the export with its error if it fails, without an open session', async () => {
    const broken = new Writable({
      write: (_, __, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
    })
    await expect(exportWorld(connection, broken)).rejects.toMatchObject({ code: 'EPIPE' })
    await expect(exportWorld(connection, broken)).rejects.toThrow(/destroyed/)
    const { rows } = await pool.query(`
      SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`)
    expect(rows).toEqual([])
  })

  it('ends the export if it is closed early', async () => {
    const closing = new PassThrough()
    closing.once('data', () => closing.destroy())
    await expect(exportWorld(connection, closing)).rejects.toThrow(/closed|destroyed|premature/i)
    // Is closed during the first write.
    const stuck: Writable = new Writable({ write: () => setImmediate(() => stuck.destroy()) })
    await expect(exportWorld(connection, stuck)).rejects.toThrow(/closed/)
  })
})
