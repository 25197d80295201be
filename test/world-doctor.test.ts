import { describe, expect, it } from 'vitest'
import { diagnose } from '../src/world/doctor.ts'
import { createDatabase } from './support/database.ts'
import { clearWorld, importValid, MINIMAL, MINIMAL_WORLD } from './support/world.ts'
import type { TestRecord } from './support/world.ts'

const { pool, connection } = await createDatabase()

async function findings(): Promise<string[]> {
  const found: string[] = []
  expect(await diagnose(connection, (finding) => found.push(finding))).toBe(found.length)
  return found
}

/** Records with every reference except owners. All references resolve if `x` is empty, otherwise none does. */
const referring = (x = ''): TestRecord[] => [
  {
    ...MINIMAL.company,
    defaultTaxRateId: `tax${x}`,
    defaultPaymentTermsId: `terms${x}`,
    defaultContractId: `con${x}`,
    defaultServiceChargeIds: [`fee${x}`],
  },
  {
    ...MINIMAL.quote,
    leadId: `lead${x}`,
    locationId: `loc${x}`,
    eventTypeId: `type${x}`,
    bookingId: `book${x}`,
    discountId: `off${x}`,
    taxRateId: `tax${x}`,
    paymentTermsId: `terms${x}`,
    contractId: `con${x}`,
    serviceChargeIds: [`fee${x}`],
  },
  {
    ...MINIMAL.lineItem,
    serviceDayId: `day${x}`,
    kind: 'SERVICE',
    serviceId: `srv${x}`,
    discountId: `off${x}`,
  },
  { ...MINIMAL.lineItem, id: 'line2', kind: 'ADDON', addonId: `add${x}` },
  { ...MINIMAL.booking, quoteId: `q${x}`, leadId: `lead${x}`, eventTypeId: `type${x}` },
  {
    ...MINIMAL.event,
    bookingId: `book${x}`,
    locationId: `loc${x}`,
    serviceIds: [`srv${x}`],
    addonIds: [`add${x}`],
    staffIds: ['staff', `staff${x}1`, `staff${x}2`].slice(0, x === '' ? 1 : 3),
    resourceIds: [`res${x}`],
  },
  { ...MINIMAL.resource, locationId: `loc${x}` },
  {
    ...MINIMAL.package,
    lines: [
      { kind: 'CUSTOM', description: 'Setup' },
      { kind: 'SERVICE', serviceId: `srv${x}` },
      { kind: 'ADDON', addonId: `add${x}` },
    ],
  },
  { ...MINIMAL.invoice, leadId: `lead${x}` },
  { ...MINIMAL.formQuestion, showWhen: { questionId: `ask${x}`, equals: 'Yes' } },
  {
    ...MINIMAL.formResponse,
    formId: `form${x}`,
    bookingId: `book${x}`,
    quoteId: `q${x}`,
    answers: ['ask', `ask${x}`].map((questionId, index) => ({
      id: `${9 - index}`,
      questionId,
      response: 'Yes',
    })),
  },
]

describe('doctor', () => {
  it('finds nothing if every reference resolves, also to archived and deleted records', async () => {
    const archivedAt = '2026-01-01T00:00:00.000Z'
    const { service, addon, discount, contract } = MINIMAL
    await importValid(connection, MINIMAL_WORLD)
    await importValid(connection, referring())
    await importValid(connection, [
      ...[service, addon, discount, contract].map((one) => ({ ...one, archivedAt })),
      { ...MINIMAL.quote, deletedAt: archivedAt },
    ])
    expect(await findings()).toEqual([])
  })

  it('reports each missing reference of every kind in one line, also in arrays', async () => {
    await importValid(connection, referring('-x'))
    const expected = [
      ['company "c": defaultTaxRateId "tax-x"', 'taxRate'],
      ['company "c": defaultPaymentTermsId "terms-x"', 'paymentTerms'],
      ['company "c": defaultContractId "con-x"', 'contract'],
      ['company "c": defaultServiceChargeIds[0] "fee-x"', 'serviceCharge'],
      ['package "pkg": lines[1].serviceId "srv-x"', 'service'],
      ['package "pkg": lines[2].addonId "add-x"', 'addon'],
      ['quote "q": leadId "lead-x"', 'lead'],
      ['quote "q": locationId "loc-x"', 'location'],
      ['quote "q": eventTypeId "type-x"', 'eventType'],
      ['quote "q": bookingId "book-x"', 'booking'],
      ['quote "q": discountId "off-x"', 'discount'],
      ['quote "q": taxRateId "tax-x"', 'taxRate'],
      ['quote "q": paymentTermsId "terms-x"', 'paymentTerms'],
      ['quote "q": contractId "con-x"', 'contract'],
      ['quote "q": serviceChargeIds[0] "fee-x"', 'serviceCharge'],
      ['lineItem "line": serviceDayId "day-x"', 'serviceDay'],
      ['lineItem "line": serviceId "srv-x"', 'service'],
      ['lineItem "line2": addonId "add-x"', 'addon'],
      ['lineItem "line": discountId "off-x"', 'discount'],
      ['booking "book": quoteId "q-x"', 'quote'],
      ['booking "book": leadId "lead-x"', 'lead'],
      ['booking "book": eventTypeId "type-x"', 'eventType'],
      ['event "evt": bookingId "book-x"', 'booking'],
      ['event "evt": locationId "loc-x"', 'location'],
      ['event "evt": serviceIds[0] "srv-x"', 'service'],
      ['event "evt": addonIds[0] "add-x"', 'addon'],
      ['event "evt": staffIds[1] "staff-x1"', 'staff'],
      ['event "evt": staffIds[2] "staff-x2"', 'staff'],
      ['event "evt": resourceIds[0] "res-x"', 'resource'],
      ['resource "res": locationId "loc-x"', 'location'],
      ['invoice "inv": leadId "lead-x"', 'lead'],
      ['formQuestion "ask": showWhen.questionId "ask-x"', 'formQuestion'],
      ['formResponse "resp": formId "form-x"', 'form'],
      ['formResponse "resp": bookingId "book-x"', 'booking'],
      ['formResponse "resp": quoteId "q-x"', 'quote'],
      ['formResponse "resp": answers[1].questionId "ask-x"', 'formQuestion'],
    ]
    expect(await findings()).toEqual(
      expected.map(([reference, kind]) => `company "c", ${reference} resolves to no ${kind}`),
    )
  })

  it('resolves references in the company only', async () => {
    await clearWorld(pool)
    const { company, lead, location, quote } = MINIMAL
    await importValid(connection, [
      company,
      { ...company, id: 'd' },
      lead,
      location,
      ...['q2', 'q\n1'].map((id) => ({ ...quote, id, companyId: 'd' })),
    ])
    expect(await findings()).toEqual([
      'company "d", quote "q\\n1": leadId "lead" resolves to no lead',
      'company "d", quote "q2": leadId "lead" resolves to no lead',
      'company "d", quote "q\\n1": locationId "loc" resolves to no location',
      'company "d", quote "q2": locationId "loc" resolves to no location',
    ])
  })

  it('reports missing owners, which foreign keys normally prevent', async () => {
    await clearWorld(pool)
    await importValid(connection, MINIMAL_WORLD)
    const client = await pool.connect()
    await client.query('SET session_replication_role = replica; DELETE FROM events; DELETE FROM companies')
    client.release(true)
    const found = await findings()
    expect(found).toContain('company "c", task "task": eventId "evt" resolves to no event')
    expect(found.filter((one) => one.endsWith('companyId "c" resolves to no company'))).toHaveLength(28)
    await importValid(connection, [MINIMAL.company, MINIMAL.event])
    expect(await findings()).toEqual([])
  })

  it('reads several batches', async () => {
    await clearWorld(pool)
    const resources = Array.from({ length: 2_500 }, (_, index) => ({ ...MINIMAL.resource, id: `r${index}` }))
    await importValid(connection, [MINIMAL.company, ...resources])
    expect(await findings()).toHaveLength(2_500)
  })
})
