import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isCurrencyCode } from '../../core/pricing/currencies.ts'
import { parseDateTime } from '../../core/schedule/datetime.ts'
import { isPossibleId, isStorableText } from '../../core/ids.ts'
import type { CompanyPlan, WorldOptions } from './plan.ts'
import type { WorldRecord } from './records.ts'
import { ANCHOR } from './times.ts'
import { DEMO_WORLD, generateWorld } from './demo-world.ts'
import { BY_KEY, MAIN, WORLD, companyIdOf, isKind } from '../../../test/support/demo-world.ts'
import type { Kind } from '../../../test/support/demo-world.ts'

function hashOf(options: WorldOptions): string {
  const hash = createHash('sha256')
  for (const record of generateWorld(options)) hash.update(`${JSON.stringify(record)}\n`)
  return hash.digest('hex')
}

function company(change: Partial<CompanyPlan>): CompanyPlan {
  return { id: 'co_x', name: 'X', plan: 'PREMIUM', currency: 'USD', keys: [], quotes: 40, ...change }
}

function worldOf(change: Partial<CompanyPlan>): WorldRecord[] {
  return [...generateWorld({ seed: 5, companies: [company(change)] })]
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

const PERCENTAGES = new Set(['rate', 'percentOff', 'percentage', 'depositPercentage'])

function isValidText(field: string, text: string): boolean {
  if (text.trim() === '' || !isStorableText(text)) return false
  if (/(At|Time)$|^dueDate$/.test(field)) {
    return parseDateTime(text) !== null && new Date(text).toISOString() === text
  }
  if (/^id$|Id$/.test(field)) return isPossibleId(text)
  if (field === 'currency') return isCurrencyCode(text)
  return field !== 'timeZone' || Intl.supportedValuesOf('timeZone').includes(text)
}

function isValidNumber(field: string, value: number): boolean {
  if (PERCENTAGES.has(field)) return value >= 0 && value <= 100 && Number(value.toFixed(6)) === value
  if (field === 'quantity') return value >= 0 && value <= 1e6 && Number(value.toFixed(4)) === value
  const most = /Cents$|^amountOff$/.test(field) ? 100_000_000_000 : 2 ** 31 - 1
  return Number.isInteger(value) && value >= 0 && value <= most
}

/** Fields with an invalid value, at any depth. */
function misfits(field: string, value: unknown): string[] {
  if (typeof value === 'boolean') return []
  if (typeof value === 'string') return isValidText(field, value) ? [] : [`${field}: ${value}`]
  if (typeof value === 'number') return isValidNumber(field, value) ? [] : [`${field}: ${value}`]
  if (Array.isArray(value)) {
    const isIds = field.endsWith('Ids')
    const twice = isIds && new Set(value).size < value.length ? [`${field}: duplicate entry`] : []
    return [...twice, ...value.flatMap((entry) => misfits(isIds ? 'id' : 'entry', entry))]
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, inner]) => misfits(name, inner))
  }
  return [`${field}: ${String(value)}`]
}

function average(records: readonly WorldRecord[], kind: Kind, quotes: number): number {
  return records.filter(({ object }) => object === kind).length / quotes
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('the demo world', () => {
  it('has the same bytes at every run and time', () => {
    vi.spyOn(Math, 'random').mockImplementation(() => {
      throw new Error('the world depends on Math.random')
    })
    vi.useFakeTimers({ now: Date.UTC(1999, 0, 1) })
    const once = hashOf(DEMO_WORLD)
    vi.setSystemTime(Date.UTC(2041, 6, 1))
    expect(hashOf(DEMO_WORLD)).toBe(once)
  })

  it('has other bytes for another seed', () => {
    expect(hashOf({ ...DEMO_WORLD, seed: DEMO_WORLD.seed + 1 })).not.toBe(hashOf(DEMO_WORLD))
  })

  it('has the same records of a company with any other companies', () => {
    const first = company({ id: 'co_a' })
    const second = company({ id: 'co_b' })
    const alone = hashOf({ seed: 5, companies: [second] })
    const both = [...generateWorld({ seed: 5, companies: [first, second] })]
    const hash = createHash('sha256')
    for (const record of both) if (companyIdOf(record) === 'co_b') hash.update(`${JSON.stringify(record)}\n`)
    expect(hash.digest('hex')).toBe(alone)
  })
})

describe('the world format', () => {
  /** Required fields, then optional ones, besides object, id, companyId, createdAt and updatedAt. */
  const FIELDS: Record<Kind, [required: string, optional: string]> = {
    company: [
      'name plan currency',
      `allowedIps legalName streetAddress city state zip country email phone taxNumber website timeZone locale accentColor
      logo quoteValidDays quotePrefix nextQuoteNumber invoicePrefix nextInvoiceNumber footer howToPay defaultTaxRateId
      defaultPaymentTermsId defaultContractId defaultServiceChargeIds`,
    ],
    apiKey: ['name key', 'revokedAt'],
    user: ['email name role passwordHash', ''],
    lead: ['', 'firstName lastName email phone companyName notes archivedAt'],
    location: ['name timeZone', 'streetAddress city state zip'],
    eventType: ['name', ''],
    service: ['name', 'description imageUrl prices unit taxable archivedAt'],
    addon: ['name', 'description imageUrl prices unit taxable archivedAt'],
    package: ['name', 'description lines archivedAt'],
    discount: ['name type', 'percentOff amountOff currency archivedAt'],
    taxRate: ['name rate', 'archivedAt'],
    paymentTerms: [
      'name paymentSchedule',
      'depositType depositPercentage depositAmountCents invoiceDueDays archivedAt',
    ],
    serviceCharge: ['name type', 'percentage amountCents currency taxable archivedAt'],
    contract: ['name', 'description content archivedAt'],
    quote: [
      'leadId locationId eventAddress currency',
      `eventTypeId bookingId discountId taxRateId paymentTermsId contractId serviceChargeIds numberOfStaff
      numberOfResources guestCount eventDescription siteContactName siteContactPhone entityToInvoice baseFeeCents
      travelFeeCents baseFeeTaxable travelFeeTaxable sentAt expiresAt bookedAt lostAt lostReason deletedAt number`,
    ],
    serviceDay: ['quoteId serviceStartTime serviceEndTime', ''],
    lineItem: [
      'quoteId kind priceCents',
      'serviceDayId serviceId addonId description quantity unitPriceCents taxable discountId deletedAt optional selected optionGroup position',
    ],
    booking: [
      'currency totalPriceCents',
      `quoteId leadId eventTypeId fullName email phone entityToInvoice paymentMethod billingNotes cardOnFile
      gratuityAmountCents canceledAt`,
    ],
    event: [
      'serviceStartTime serviceEndTime',
      `bookingId locationId name clientName clientEmail clientPhone siteContactName siteContactPhone eventDescription
      eventAddress additionalLocationInfo specialNotes parkingLoadingInfo staffDressCode shiftStartTime shiftEndTime
      staffNumber resourceNumber guestCount multiDay outdoors tipJarAllowed serviceIds addonIds staffIds resourceIds`,
    ],
    resource: ['name locationId', 'description imageUrl category status'],
    staff: ['firstName lastName email', 'phone role status'],
    invoice: [
      'bookingId invoiceNumber currency totalCents',
      'leadId description notes poNumber taxCents discountCents deductedCents amountPaidCents issuedAt dueDate voidedAt lines',
    ],
    form: ['name', 'slug purpose publishedAt'],
    formQuestion: [
      'formId title type position',
      'subtitle systemRequired userRequired linkedSystemField options showWhen',
    ],
    formResponse: ['formId', 'bookingId quoteId answers'],
    task: ['eventId description', 'dueDate completedAt'],
  }

  const kinds = Object.entries(FIELDS).map(([kind, [required, optional]]) => ({ kind, required, optional }))

  it.each(kinds)('has all required and no unknown fields on every $kind', ({ kind, required, optional }) => {
    const owner = kind === 'company' ? [] : ['companyId']
    const needed = ['object', 'id', ...owner, ...words(required), 'createdAt', 'updatedAt']
    const allowed = new Set([...needed, ...words(optional)])
    const records = WORLD.filter(({ object }) => object === kind)
    expect(records.length).toBeGreaterThan(0)
    const problems = records.flatMap((record) => [
      ...needed.filter((field) => !(field in record)).map((field) => `${record.id} lacks ${field}`),
      ...Object.keys(record).filter((field) => !allowed.has(field)),
    ])
    expect(problems).toEqual([])
  })

  it('has only values of the right format and range, without null and undefined', () => {
    expect(WORLD.flatMap((record) => misfits('record', record))).toEqual([])
  })

  it('has exactly the fields that a type requires', () => {
    for (const discount of WORLD.filter(isKind('discount'))) {
      expect(discount.percentOff !== undefined).toBe(discount.type === 'PERCENT')
      expect(discount.amountOff !== undefined).toBe(discount.type === 'AMOUNT')
      expect(discount.currency !== undefined).toBe(discount.type === 'AMOUNT')
    }
    for (const charge of WORLD.filter(isKind('serviceCharge'))) {
      expect(charge.percentage !== undefined).toBe(charge.type === 'PERCENT')
      expect(charge.amountCents !== undefined).toBe(charge.type === 'AMOUNT')
      expect(charge.currency !== undefined).toBe(charge.type === 'AMOUNT')
    }
    for (const terms of WORLD.filter(isKind('paymentTerms'))) {
      expect(terms.depositType !== undefined).toBe(terms.paymentSchedule === 'DEPOSIT')
      expect(terms.depositPercentage !== undefined).toBe(terms.depositType === 'PERCENT')
      expect(terms.depositAmountCents !== undefined).toBe(terms.depositType === 'AMOUNT')
    }
    for (const line of WORLD.filter(isKind('lineItem'))) {
      expect(line.serviceId !== undefined).toBe(line.kind === 'SERVICE')
      expect(line.addonId !== undefined).toBe(line.kind === 'ADDON')
    }
    for (const quote of WORLD.filter(isKind('quote'))) {
      expect(quote.lostReason !== undefined).toBe(quote.lostAt !== undefined)
      expect(quote.serviceChargeIds?.length ?? 0).toBeLessThanOrEqual(20)
    }
  })

  it('has ids that are unique per company and kind', () => {
    expect(BY_KEY.size).toBe(WORLD.length)
  })

  it('has times of every record and answer, with updatedAt not before createdAt', () => {
    const answers = WORLD.filter(isKind('formResponse')).flatMap((response) => response.answers)
    expect(answers.length).toBeGreaterThan(100)
    const dated = [...WORLD, ...answers, ...worldOf({ quotes: 1500 })]
    expect(dated.filter(({ createdAt, updatedAt }) => createdAt > updatedAt)).toEqual([])
    expect(dated.filter(({ updatedAt }) => Date.parse(updatedAt) >= ANCHOR)).toEqual([])
  })

  it('has at most 1,000 lines in a quote', () => {
    const counts = new Map<string, number>()
    for (const line of worldOf({ quotes: 6, linesPerQuote: 3000 }).filter(isKind('lineItem'))) {
      counts.set(line.quoteId, (counts.get(line.quoteId) ?? 0) + 1)
    }
    expect(Math.max(...counts.values())).toBe(1000)
  })
})

describe('a world of another size', () => {
  it('has the requested number of quotes, days and lines', () => {
    for (const [daysPerQuote, linesPerQuote] of [
      [1, 1],
      [5, 12],
      [2.5, 30],
    ] as const) {
      const quotes = 1500
      const records = worldOf({ quotes, daysPerQuote, linesPerQuote })
      expect(average(records, 'quote', quotes)).toBe(1)
      expect(average(records, 'serviceDay', quotes)).toBeGreaterThan(daysPerQuote * 0.92)
      expect(average(records, 'serviceDay', quotes)).toBeLessThan(daysPerQuote * 1.08)
      expect(average(records, 'lineItem', quotes)).toBeGreaterThan(linesPerQuote * 0.92)
      expect(average(records, 'lineItem', quotes)).toBeLessThan(linesPerQuote * 1.08)
    }
  })

  it('has the requested number of resources and staff, which can be 0', () => {
    const records = worldOf({ resources: 70, staff: 0 })
    expect(records.filter(isKind('resource'))).toHaveLength(70)
    expect(records.filter(isKind('staff'))).toHaveLength(0)
    expect(worldOf({ resources: 0 }).filter(isKind('event')).length).toBeGreaterThan(0)
    expect(worldOf({ quotes: 0 }).filter(isKind('quote'))).toEqual([])
  })

  it('is generated record by record, so that its size does not matter', () => {
    const world = generateWorld({ seed: 1, companies: [company({ quotes: 2_000_000_000 })] })
    const kinds = new Set<string>()
    for (let count = 0; count < 1000; count++) kinds.add(world.next().value?.object ?? 'nothing')
    expect(kinds).toContain('lead')
    expect(kinds).not.toContain('nothing')
  })

  it('is ordered: company, keys, users, catalog, leads, then each quote with its parts', () => {
    const order = WORLD.filter((record) => companyIdOf(record) === MAIN).map(({ object }) => object)
    expect(order.slice(0, 5)).toEqual(['company', 'apiKey', 'apiKey', 'user', 'user'])
    const firstQuote = order.indexOf('quote')
    expect(order.lastIndexOf('lead')).toBe(firstQuote - 1)
    expect(order.slice(0, firstQuote)).not.toContain('serviceDay')
    const strays: string[] = []
    let current = ''
    for (const record of WORLD) {
      if (record.object === 'quote') current = `${record.companyId} ${record.id}`
      const isPart =
        record.object === 'serviceDay' || record.object === 'lineItem' || record.object === 'booking'
      if (isPart && `${record.companyId} ${record.quoteId}` !== current) strays.push(record.id)
    }
    expect(strays).toEqual([])
  })
})
