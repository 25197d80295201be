import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isCurrencyCode } from '../../core/pricing/currencies.ts'
import { parseDateTime } from '../../core/schedule/datetime.ts'
import { isPossibleId, isStorableText } from '../../core/ids.ts'
import { PLANS } from '../../core/enumerations.ts'
import { verifyPassword } from '../../core/security/password.ts'
import { priceQuote } from '../../core/pricing/price-quote.ts'
import type { PricingInput } from '../../core/pricing/price-total.ts'
import { DEMO_HOLES } from './holes.ts'
import type { CompanyPlan, WorldOptions } from './plan.ts'
import { LOST_REASONS, QUESTION_TYPES } from '../../core/enumerations.ts'
import type { RecordOf, WorldRecord } from './records.ts'
import { ANCHOR } from './times.ts'
import { DEMO_KEYS, DEMO_WORLD, generateWorld } from './demo-world.ts'
import { DEMO_PASSWORD, DEMO_PASSWORD_HASH, DEMO_USERS } from './users.ts'

type Kind = WorldRecord['object']

const MAIN = 'co_harborlight'
const DAY = 86_400_000

const WORLD = [...generateWorld(DEMO_WORLD)]

function isKind<K extends Kind>(kind: K) {
  return (record: WorldRecord): record is RecordOf<K> => record.object === kind
}

function companyIdOf(record: WorldRecord): string {
  return record.object === 'company' ? record.id : record.companyId
}

/** The records of one kind in the main company. */
function main<K extends Kind>(kind: K): RecordOf<K>[] {
  return WORLD.filter(isKind(kind)).filter((record) => companyIdOf(record) === MAIN)
}

function keyOf(companyId: string, kind: Kind, id: string): string {
  return `${companyId} ${kind} ${id}`
}

const BY_KEY = new Map(WORLD.map((record) => [keyOf(companyIdOf(record), record.object, record.id), record]))

function find<K extends Kind>(companyId: string, kind: K, id: string): RecordOf<K> | undefined {
  const record = BY_KEY.get(keyOf(companyId, kind, id))
  return record !== undefined && isKind(kind)(record) ? record : undefined
}

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

function isGoodText(field: string, text: string): boolean {
  if (text.trim() === '' || !isStorableText(text)) return false
  if (/(At|Time)$|^dueDate$/.test(field)) {
    return parseDateTime(text) !== null && new Date(text).toISOString() === text
  }
  if (/^id$|Id$/.test(field)) return isPossibleId(text)
  if (field === 'currency') return isCurrencyCode(text)
  return field !== 'timeZone' || Intl.supportedValuesOf('timeZone').includes(text)
}

function isGoodNumber(field: string, value: number): boolean {
  if (PERCENTAGES.has(field)) return value >= 0 && value <= 100 && Number(value.toFixed(6)) === value
  if (field === 'quantity') return value >= 0 && value <= 1e6 && Number(value.toFixed(4)) === value
  const most = /Cents$|^amountOff$/.test(field) ? 100_000_000_000 : 2 ** 31 - 1
  return Number.isInteger(value) && value >= 0 && value <= most
}

/** Fields whose value does not fit, at any depth. */
function misfits(field: string, value: unknown): string[] {
  if (typeof value === 'boolean') return []
  if (typeof value === 'string') return isGoodText(field, value) ? [] : [`${field}: ${value}`]
  if (typeof value === 'number') return isGoodNumber(field, value) ? [] : [`${field}: ${value}`]
  if (Array.isArray(value)) {
    const isIds = field.endsWith('Ids')
    const twice = isIds && new Set(value).size < value.length ? [`${field}: twice the same`] : []
    return [...twice, ...value.flatMap((entry) => misfits(isIds ? 'id' : 'entry', entry))]
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, inner]) => misfits(name, inner))
  }
  return [`${field}: ${String(value)}`]
}

function isArchived(kind: Kind, id: string | undefined): boolean {
  const record = BY_KEY.get(keyOf(MAIN, kind, id ?? ''))
  return record !== undefined && 'archivedAt' in record
}

function discountInput(companyId: string, id: string | undefined): PricingInput['discount'] {
  if (id === undefined) return null
  const discount = find(companyId, 'discount', id)
  if (discount === undefined) return { id, found: false }
  const { type, percentOff, amountOff = null, currency = null } = discount
  return { id, found: true, type, percentOff: percentOff?.toString() ?? null, amountOff, currency }
}

/** From the records alone, as a reader of the world would do it. */
function pricingInput(quote: RecordOf<'quote'>, lines: readonly RecordOf<'lineItem'>[]): PricingInput {
  const { companyId } = quote
  const taxRate = quote.taxRateId === undefined ? undefined : find(companyId, 'taxRate', quote.taxRateId)
  return {
    currency: quote.currency,
    baseFeeCents: quote.baseFeeCents ?? 0,
    baseFeeTaxable: quote.baseFeeTaxable ?? true,
    travelFeeCents: quote.travelFeeCents ?? 0,
    travelFeeTaxable: quote.travelFeeTaxable ?? true,
    discount: discountInput(companyId, quote.discountId),
    lines: lines.map(({ id, kind, serviceId, addonId, priceCents, taxable, deletedAt, discountId }) => {
      const item =
        kind === 'SERVICE'
          ? find(companyId, 'service', serviceId ?? '')
          : find(companyId, 'addon', addonId ?? '')
      return {
        id,
        kind,
        itemFound: kind === 'CUSTOM' ? null : item !== undefined,
        priceCents,
        taxable,
        deleted: deletedAt !== undefined,
        discount: discountInput(companyId, discountId),
      }
    }),
    serviceCharges: (quote.serviceChargeIds ?? []).map((id) => {
      const charge = find(companyId, 'serviceCharge', id)
      if (charge === undefined) return { id, found: false }
      const { type, percentage, amountCents = null, currency = null, taxable } = charge
      return {
        id,
        found: true,
        type,
        percentage: percentage?.toString() ?? null,
        amountCents,
        currency,
        taxable,
      }
    }),
    taxRate: taxRate === undefined ? null : { id: taxRate.id, found: true, rate: String(taxRate.rate) },
  }
}

const TARGETS: Record<string, Kind> = {
  companyId: 'company',
  leadId: 'lead',
  locationId: 'location',
  eventTypeId: 'eventType',
  bookingId: 'booking',
  discountId: 'discount',
  taxRateId: 'taxRate',
  paymentTermsId: 'paymentTerms',
  contractId: 'contract',
  serviceChargeIds: 'serviceCharge',
  quoteId: 'quote',
  serviceDayId: 'serviceDay',
  serviceId: 'service',
  serviceIds: 'service',
  addonId: 'addon',
  addonIds: 'addon',
  staffIds: 'staff',
  resourceIds: 'resource',
  formId: 'form',
  questionId: 'formQuestion',
  eventId: 'event',
}

interface Reference {
  companyId: string
  object: Kind
  id: string
  field: string
  missing: string
}

function dangling(record: WorldRecord): Reference[] {
  const companyId = companyIdOf(record)
  const { object, id } = record
  const answers =
    record.object === 'formResponse' ? record.answers.map(({ questionId }) => ['questionId', questionId]) : []
  return [...Object.entries(record), ...answers].flatMap(([field, value]) => {
    if (!/Ids?$/.test(field)) return []
    const target = TARGETS[field]
    if (target === undefined) throw new Error(`A reference to what? ${field}`)
    const ids = (Array.isArray(value) ? value : [value]).map(String)
    return ids
      .filter((wanted) => !BY_KEY.has(keyOf(target === 'company' ? wanted : companyId, target, wanted)))
      .map((missing) => ({
        companyId,
        object,
        id,
        field: field === 'questionId' ? 'answers' : field,
        missing,
      }))
  })
}

function referenceText(reference: Reference): string {
  return Object.values(reference).join(' ')
}

function average(records: readonly WorldRecord[], kind: Kind, quotes: number): number {
  return records.filter(({ object }) => object === kind).length / quotes
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('the same world for everybody', () => {
  it('gives the same bytes at every run, whatever the clock says', () => {
    vi.spyOn(Math, 'random').mockImplementation(() => {
      throw new Error('the world depends on Math.random')
    })
    vi.useFakeTimers({ now: Date.UTC(1999, 0, 1) })
    const once = hashOf(DEMO_WORLD)
    vi.setSystemTime(Date.UTC(2041, 6, 1))
    expect(hashOf(DEMO_WORLD)).toBe(once)
  })

  it('gives other bytes for another seed', () => {
    expect(hashOf({ ...DEMO_WORLD, seed: DEMO_WORLD.seed + 1 })).not.toBe(hashOf(DEMO_WORLD))
  })

  it('gives a company the same records whatever other companies there are', () => {
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
    company: ['name plan currency', 'allowedIps'],
    apiKey: ['name key', 'revokedAt'],
    user: ['email name role passwordHash', ''],
    lead: ['', 'firstName lastName email phone companyName'],
    location: ['name timeZone', 'streetAddress city state zip'],
    eventType: ['name', ''],
    service: ['name', 'description imageUrl archivedAt'],
    addon: ['name', 'description imageUrl archivedAt'],
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
      travelFeeCents baseFeeTaxable travelFeeTaxable sentAt expiresAt bookedAt lostAt lostReason deletedAt`,
    ],
    serviceDay: ['quoteId serviceStartTime serviceEndTime', ''],
    lineItem: [
      'quoteId kind priceCents',
      'serviceDayId serviceId addonId description quantity unitPriceCents taxable discountId deletedAt',
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
      'leadId description notes poNumber amountPaidCents issuedAt dueDate voidedAt lines',
    ],
    form: ['name', ''],
    formQuestion: ['formId title type position', 'subtitle systemRequired userRequired linkedSystemField'],
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

  it('has values of the right form and range only, and none that is null or undefined', () => {
    expect(WORLD.flatMap((record) => misfits('record', record))).toEqual([])
  })

  it('has the fields that go with a type, and only those', () => {
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

  it('dates every record and every answer, the update never before the creation', () => {
    const answers = WORLD.filter(isKind('formResponse')).flatMap((response) => response.answers)
    expect(answers.length).toBeGreaterThan(100)
    const dated = [...WORLD, ...answers, ...worldOf({ quotes: 1500 })]
    expect(dated.filter(({ createdAt, updatedAt }) => createdAt > updatedAt)).toEqual([])
    expect(dated.filter(({ updatedAt }) => Date.parse(updatedAt) >= ANCHOR)).toEqual([])
  })

  it('keeps to 1,000 lines a quote', () => {
    const counts = new Map<string, number>()
    for (const line of worldOf({ quotes: 6, linesPerQuote: 3000 }).filter(isKind('lineItem'))) {
      counts.set(line.quoteId, (counts.get(line.quoteId) ?? 0) + 1)
    }
    expect(Math.max(...counts.values())).toBe(1000)
  })
})

describe('the companies', () => {
  const companies = WORLD.filter(isKind('company'))

  it('are on different plans, and one allows calls from elsewhere only', () => {
    expect(PLANS.filter((plan) => !companies.some((record) => record.plan === plan))).toEqual(['PRO'])
    expect(companies.filter(({ plan }) => plan === 'PREMIUM')).toHaveLength(3)
    const closed = companies.filter(({ allowedIps }) => allowedIps !== undefined)
    expect(closed).toHaveLength(1)
    expect(closed[0]).toMatchObject({ plan: 'PREMIUM' })
    expect(closed[0]?.allowedIps?.some((block) => /^(127\.|::1|0\.0\.0\.0|::\/)/.test(block))).toBe(false)
  })

  it('have the number of quotes and the currencies that were promised', () => {
    const quotes = WORLD.filter(isKind('quote'))
    expect(quotes.filter(({ companyId }) => companyId === MAIN)).toHaveLength(300)
    const rivage = quotes.filter(({ companyId }) => companyId === 'co_maison_rivage')
    expect(rivage).toHaveLength(40)
    expect(new Set(rivage.map(({ currency }) => currency))).toEqual(new Set(['EUR']))
  })

  it('have the keys of the table, and no others', () => {
    const records = WORLD.filter(isKind('apiKey')).map(({ name, key, companyId, revokedAt }) => ({
      name,
      key,
      companyId,
      revokedAt,
    }))
    const table = DEMO_KEYS.map(({ name, key, company: companyId, revokedAt }) => ({
      name,
      key,
      companyId,
      revokedAt,
    }))
    expect(records).toEqual(expect.arrayContaining(table))
    expect(records).toHaveLength(table.length)
    expect(new Set(table.map(({ key }) => key)).size).toBe(table.length)
    for (const { key } of table) expect(key).toMatch(/^eqs_demo_[!-~]{1,190}$/)
    for (const { id } of companies) expect(table.some(({ companyId }) => companyId === id)).toBe(true)
  })

  it('have an admin each, the main one a member too, all with the one password that is told', async () => {
    const users = WORLD.filter(isKind('user'))
    expect(users.map(({ companyId, email, role }) => [companyId, email, role])).toEqual(
      DEMO_USERS.map(({ company: companyId, email, role }) => [companyId, email, role]),
    )
    const admins = users.filter(({ role }) => role === 'ADMIN').map(({ companyId }) => companyId)
    expect(admins.toSorted()).toEqual(companies.map(({ id }) => id).toSorted())
    expect(DEMO_USERS[0]).toMatchObject({ company: MAIN, role: 'ADMIN', email: 'admin@harborlight.example' })
    expect(users.filter(({ role }) => role === 'MEMBER')).toMatchObject([
      { companyId: MAIN, email: 'member@harborlight.example' },
    ])
    expect(new Set(users.map(({ passwordHash }) => passwordHash))).toEqual(new Set([DEMO_PASSWORD_HASH]))
    expect(DEMO_PASSWORD).toBe('harborlight-demo')
    expect(await verifyPassword(DEMO_PASSWORD, DEMO_PASSWORD_HASH)).toBe(true)
  })

  it('put a working key of the main company first, and have a revoked one', () => {
    expect(DEMO_KEYS[0]).toMatchObject({ company: MAIN })
    expect(DEMO_KEYS[0].revokedAt).toBeUndefined()
    expect(
      DEMO_KEYS.filter(({ company: id, revokedAt }) => id === MAIN && revokedAt !== undefined),
    ).toHaveLength(1)
  })

  it('share some ids, with different content, in the main and the second company only', () => {
    const shared = WORLD.filter(
      (record) =>
        companyIdOf(record) === MAIN && BY_KEY.has(keyOf('co_maison_rivage', record.object, record.id)),
    )
    const kinds = new Set(shared.map(({ object }) => object))
    expect([...kinds]).toEqual(
      expect.arrayContaining(['quote', 'lead', 'resource', 'staff', 'booking', 'event']),
    )
    const contents = shared.map((record) => {
      const other = BY_KEY.get(keyOf('co_maison_rivage', record.object, record.id))
      return [
        { ...record, companyId: '' },
        { ...other, companyId: '' },
      ]
    })
    for (const [here, there] of contents) expect(here).not.toEqual(there)
    for (const number of ['0001', '0002', '0003']) {
      const of = (companyId: string) => [
        find(companyId, 'quote', `quote_${number}`)?.eventAddress,
        find(companyId, 'resource', `res_${number}`)?.name,
        find(companyId, 'staff', `staff_${number}`)?.email,
      ]
      expect(of(MAIN)).not.toContain(undefined)
      for (const [index, text] of of('co_maison_rivage').entries()) expect(text).not.toBe(of(MAIN)[index])
    }
    for (const record of WORLD) {
      if (companyIdOf(record) === MAIN || record.object === 'company') continue
      const isElsewhere = BY_KEY.has(keyOf(MAIN, record.object, record.id))
      expect(isElsewhere && companyIdOf(record) !== 'co_maison_rivage').toBe(false)
    }
  })
})

describe('the quotes', () => {
  const quotes = main('quote')
  const days = main('serviceDay')
  const lines = main('lineItem')

  it('are in every state', () => {
    const current = quotes.filter(({ deletedAt }) => deletedAt === undefined)
    const anchor = new Date(ANCHOR).toISOString()
    const open = current.filter(({ sentAt, bookedAt, lostAt }) => sentAt && !bookedAt && !lostAt)
    expect(quotes.length - current.length).toBeGreaterThan(5)
    expect(current.filter(({ sentAt }) => sentAt === undefined).length).toBeGreaterThan(10)
    expect(current.filter(({ bookedAt }) => bookedAt !== undefined).length).toBeGreaterThan(100)
    expect(
      open.filter(({ expiresAt }) => expiresAt !== undefined && expiresAt < anchor).length,
    ).toBeGreaterThan(20)
    // Open now, and open whenever somebody looks.
    expect(
      open.filter(({ expiresAt }) => expiresAt !== undefined && expiresAt > anchor).length,
    ).toBeGreaterThan(5)
    expect(open.filter(({ expiresAt }) => expiresAt === undefined).length).toBeGreaterThan(3)
  })

  it.each(LOST_REASONS)('are lost for the reason %s', (reason) => {
    expect(quotes.filter(({ lostReason }) => lostReason === reason).length).toBeGreaterThan(3)
  })

  it('take one day or several, come in over a year and lie in the months after it, too', () => {
    const perQuote = new Map<string, number>()
    for (const { quoteId } of days) perQuote.set(quoteId, (perQuote.get(quoteId) ?? 0) + 1)
    const counts = [...perQuote.values()]
    expect(counts.filter((count) => count === 1).length).toBeGreaterThan(100)
    expect(counts.filter((count) => count > 2).length).toBeGreaterThan(20)
    const created = quotes.map(({ createdAt }) => Date.parse(createdAt))
    expect(Math.max(...created) - Math.min(...created)).toBeGreaterThan(350 * DAY)
    expect(days.some(({ serviceStartTime }) => Date.parse(serviceStartTime) > ANCHOR + 60 * DAY)).toBe(true)
  })

  it('begin at a plausible hour of the local clock, in summer and winter', () => {
    const quoteById = new Map(quotes.map((quote) => [quote.id, quote]))
    const hours = days.map(({ quoteId, serviceStartTime, serviceEndTime }) => {
      expect(serviceStartTime < serviceEndTime).toBe(true)
      const location = find(MAIN, 'location', quoteById.get(quoteId)?.locationId ?? '')
      const clock = new Intl.DateTimeFormat('en-GB', {
        timeZone: location?.timeZone ?? 'UTC',
        hour: '2-digit',
        minute: '2-digit',
      })
      return clock.format(new Date(serviceStartTime))
    })
    expect(hours.filter((time) => !/^(08|09|1\d|20):(00|30)$/.test(time))).toEqual([])
    expect(new Set(main('location').map(({ timeZone }) => timeZone)).size).toBeGreaterThan(4)
  })

  it('are in three currencies, most in the company’s own', () => {
    const count = (code: string) => quotes.filter(({ currency }) => currency === code).length
    expect(new Set(quotes.map(({ currency }) => currency))).toEqual(new Set(['USD', 'EUR', 'JPY']))
    expect(count('USD')).toBeGreaterThan(150)
    expect(Math.min(count('EUR'), count('JPY'))).toBeGreaterThan(25)
  })

  it('have lines of all kinds, some deleted, exempt, discounted or at a saved price of their own', () => {
    for (const kind of ['SERVICE', 'ADDON', 'CUSTOM']) {
      expect(lines.filter((line) => line.kind === kind).length).toBeGreaterThan(100)
    }
    expect(lines.some(({ deletedAt }) => deletedAt !== undefined)).toBe(true)
    expect(lines.some(({ taxable }) => !taxable)).toBe(true)
    expect(lines.some(({ quantity }) => !Number.isInteger(quantity))).toBe(true)
    expect(
      lines.some((line) => line.priceCents !== Math.round(line.quantity * (line.unitPriceCents ?? 0))),
    ).toBe(true)
    expect(lines.some(({ serviceDayId }) => serviceDayId === undefined)).toBe(true)
    const withLines = new Set(lines.map(({ quoteId }) => quoteId))
    expect(quotes.some(({ id }) => !withLines.has(id))).toBe(true)
  })

  it('have discounts by percent and amount, on lines and on quotes', () => {
    for (const type of ['PERCENT', 'AMOUNT']) {
      expect(quotes.some(({ discountId }) => find(MAIN, 'discount', discountId ?? '')?.type === type)).toBe(
        true,
      )
      expect(lines.some(({ discountId }) => find(MAIN, 'discount', discountId ?? '')?.type === type)).toBe(
        true,
      )
    }
  })

  it('have charges by percent and amount, taxable or not, and odd tax rates', () => {
    const attached = quotes
      .flatMap(({ serviceChargeIds }) => serviceChargeIds ?? [])
      .map((id) => find(MAIN, 'serviceCharge', id))
    for (const type of ['PERCENT', 'AMOUNT']) {
      for (const taxable of [true, false]) {
        expect(attached.some((charge) => charge?.type === type && charge.taxable === taxable)).toBe(true)
      }
    }
    const rates = quotes.map(({ taxRateId }) => find(MAIN, 'taxRate', taxRateId ?? '')?.rate)
    expect(rates).toEqual(expect.arrayContaining([8.875, 8.625, undefined]))
    expect(quotes.some(({ baseFeeTaxable }) => baseFeeTaxable === false)).toBe(true)
    expect(quotes.some(({ travelFeeTaxable }) => travelFeeTaxable === false)).toBe(true)
  })

  it('have payment terms of every schedule, deposits of both types, and contracts', () => {
    const terms = quotes.map(({ paymentTermsId }) => find(MAIN, 'paymentTerms', paymentTermsId ?? ''))
    for (const schedule of ['DEPOSIT', 'FULL', 'CARD_ON_FILE', 'INVOICE_ONLY']) {
      expect(terms.some((entry) => entry?.paymentSchedule === schedule)).toBe(true)
    }
    for (const type of ['PERCENT', 'AMOUNT']) {
      expect(terms.some((entry) => entry?.depositType === type)).toBe(true)
    }
    expect(quotes.some(({ contractId }) => contractId !== undefined)).toBe(true)
    expect(quotes.some(({ contractId }) => contractId === undefined)).toBe(true)
  })

  it('refer to archived definitions of every kind here and there', () => {
    expect(lines.some(({ serviceId }) => isArchived('service', serviceId))).toBe(true)
    expect(lines.some(({ addonId }) => isArchived('addon', addonId))).toBe(true)
    expect(quotes.some(({ discountId }) => isArchived('discount', discountId))).toBe(true)
    expect(quotes.some(({ taxRateId }) => isArchived('taxRate', taxRateId))).toBe(true)
    expect(quotes.some(({ paymentTermsId }) => isArchived('paymentTerms', paymentTermsId))).toBe(true)
    expect(quotes.some(({ contractId }) => isArchived('contract', contractId))).toBe(true)
    expect(
      quotes.some(({ serviceChargeIds }) => serviceChargeIds?.some((id) => isArchived('serviceCharge', id))),
    ).toBe(true)
  })

  it('do not read like their neighbours', () => {
    const texts = quotes.map(({ eventDescription, eventAddress }) => `${eventDescription} ${eventAddress}`)
    for (const [index, text] of texts.entries()) expect(text).not.toBe(texts[index + 1])
    expect(new Set(texts).size).toBeGreaterThan(280)
  })

  it('include exact ties of the time of creation, as do the resources', () => {
    for (const records of [quotes, main('resource')]) {
      const times = new Set(records.map(({ createdAt }) => createdAt))
      expect(records.length - times.size).toBeGreaterThan(3)
      expect(times.size).toBeGreaterThan(records.length * 0.7)
    }
  })
})

describe('people and things', () => {
  it('has leads that are persons or companies, some with parts missing', () => {
    const leads = main('lead')
    const has = (...fields: ('firstName' | 'lastName' | 'email' | 'phone' | 'companyName')[]) =>
      leads.filter((lead) => fields.every((field) => lead[field] !== undefined))
    expect(has('firstName', 'lastName', 'email', 'phone').length).toBeGreaterThan(50)
    expect(has('firstName', 'companyName').length).toBeGreaterThan(10)
    expect(has('companyName').some(({ firstName }) => firstName === undefined)).toBe(true)
    expect(has('firstName', 'lastName').some(({ phone }) => phone === undefined)).toBe(true)
    expect(has('firstName', 'lastName').some(({ email }) => email === undefined)).toBe(true)
    expect(has('firstName').some(({ lastName }) => lastName === undefined)).toBe(true)
    expect(has('email').some((lead) => !lead.firstName && !lead.companyName)).toBe(true)
    expect(has('phone').some((lead) => !lead.firstName && !lead.companyName && !lead.email)).toBe(true)
    const asked = main('quote').map(({ leadId }) => leadId)
    expect(new Set(asked).size).toBeLessThan(asked.length)
  })

  it('has resources for several pages and places, some inactive or without the optional fields', () => {
    const resources = main('resource')
    expect(resources).toHaveLength(40)
    for (const { id } of main('location')) {
      expect(resources.filter(({ locationId }) => locationId === id).length).toBeGreaterThan(3)
    }
    expect(resources.some(({ status }) => status === 'Inactive')).toBe(true)
    expect(resources.some(({ description, imageUrl, category }) => description && imageUrl && category)).toBe(
      true,
    )
    expect(
      resources.some(({ description, imageUrl, category }) => !description && !imageUrl && !category),
    ).toBe(true)
    expect(resources.some(({ description }) => description === undefined)).toBe(true)
  })

  it('has staff, some inactive, without a phone or without a role', () => {
    const staff = main('staff')
    expect(staff).toHaveLength(25)
    expect(new Set(staff.map(({ email }) => email)).size).toBe(25)
    expect(staff.filter(({ status }) => status === 'inactive').length).toBeGreaterThan(2)
    expect(staff.some(({ phone }) => phone === undefined)).toBe(true)
    expect(staff.some(({ role }) => role === undefined)).toBe(true)
    expect(staff.some(({ phone, role, status }) => phone && role && status === 'active')).toBe(true)
  })

  it.each(['service', 'addon', 'discount', 'taxRate', 'paymentTerms', 'serviceCharge', 'contract'] as const)(
    'has every %s that is in use, and an archived one',
    (kind) => {
      const archived = main(kind).filter(({ archivedAt }) => archivedAt !== undefined)
      expect(archived.length).toBeGreaterThan(0)
      expect(archived.length).toBeLessThan(main(kind).length)
    },
  )

  it('uses only names and numbers that nobody has', () => {
    const texts = WORLD.flatMap((record) => Object.entries(record))
    const of = (pattern: RegExp) =>
      texts.filter(([field]) => pattern.test(field)).map(([, value]) => String(value))
    const reserved = /^[a-z.]+@(([a-z-]+\.)?example\.(com|org|net)|[a-z-]+\.example)$/
    expect(of(/email$/i).filter((mail) => !reserved.test(mail))).toEqual([])
    expect(of(/phone$/i).filter((phone) => !/555-01\d\d$/.test(phone))).toEqual([])
    expect(of(/^imageUrl$/).filter((url) => !url.startsWith('https://images.example.com/'))).toEqual([])
    expect(texts.some(([, value]) => typeof value === 'string' && /[^\u0020-\u007e]/.test(value))).toBe(true)
  })
})

describe('bookings, events and invoices', () => {
  const bookings = WORLD.filter(isKind('booking'))
  const invoices = WORLD.filter(isKind('invoice'))
  const events = WORLD.filter(isKind('event'))

  it('has a booking for every booked quote, at the price of the quote', () => {
    const linesByQuote = new Map<string, RecordOf<'lineItem'>[]>()
    for (const line of WORLD.filter(isKind('lineItem'))) {
      const key = `${line.companyId} ${line.quoteId}`
      linesByQuote.set(key, [...(linesByQuote.get(key) ?? []), line])
    }
    const booked = WORLD.filter(isKind('quote')).filter(({ bookedAt }) => bookedAt !== undefined)
    expect(bookings).toHaveLength(booked.length)
    for (const quote of booked) {
      const booking = find(quote.companyId, 'booking', quote.bookingId ?? '')
      const input = pricingInput(quote, linesByQuote.get(`${quote.companyId} ${quote.id}`) ?? [])
      const price = priceQuote(input)
      expect(price.excluded).toEqual([])
      expect(booking).toMatchObject({
        quoteId: quote.id,
        currency: quote.currency,
        totalPriceCents: price.totalCents,
        createdAt: quote.bookedAt,
      })
      expect(price.totalCents).toBeGreaterThan(0)
    }
  })

  it('has a booking with a follow-up quote of the same lead, which is not booked itself', () => {
    const quotes = main('quote').filter(({ bookingId }) => bookingId === 'book_0241')
    expect(quotes).toMatchObject([{ id: 'quote_0241' }, { id: 'quote_0242' }])
    expect(quotes.map(({ bookedAt }) => bookedAt !== undefined)).toEqual([true, false])
    expect(new Set(quotes.map(({ leadId, locationId }) => `${leadId} ${locationId}`)).size).toBe(1)
  })

  it('has bookings that are canceled, with a gratuity, with a card on file', () => {
    const ours = main('booking')
    expect(ours.filter(({ canceledAt }) => canceledAt !== undefined).length).toBeGreaterThan(3)
    expect(
      ours.filter(({ gratuityAmountCents }) => gratuityAmountCents !== undefined).length,
    ).toBeGreaterThan(10)
    expect(ours.some(({ cardOnFile }) => cardOnFile)).toBe(true)
    expect(ours.some(({ cardOnFile }) => !cardOnFile)).toBe(true)
  })

  it('has one event for every service day of a booked quote, and a few without a booking', () => {
    const eventTimes = events
      .filter(({ bookingId }) => bookingId !== undefined)
      .map(({ companyId, bookingId, serviceStartTime }) => `${companyId} ${bookingId} ${serviceStartTime}`)
    const dayTimes = WORLD.filter(isKind('serviceDay')).flatMap(
      ({ companyId, quoteId, serviceStartTime }) => {
        const { bookedAt, bookingId } = find(companyId, 'quote', quoteId) ?? {}
        return bookedAt === undefined ? [] : [`${companyId} ${bookingId} ${serviceStartTime}`]
      },
    )
    expect(eventTimes.toSorted()).toEqual(dayTimes.toSorted())
    const own = main('event').filter(({ bookingId }) => bookingId === undefined)
    expect(own.length).toBeGreaterThan(1)
    expect(own.length).toBeLessThan(10)
  })

  it('has events with staff, resources, services and add-ons', () => {
    for (const field of ['staffIds', 'resourceIds', 'serviceIds', 'addonIds'] as const) {
      expect(main('event').filter((event) => event[field].length > 0).length).toBeGreaterThan(50)
    }
    const staff = main('event').flatMap(({ staffIds }) =>
      staffIds.map((id) => find(MAIN, 'staff', id)?.status),
    )
    expect(staff).toContain('inactive')
    expect(main('event').some(({ multiDay }) => multiDay)).toBe(true)
  })

  it('has invoices whose lines add up to the total', () => {
    for (const { lines, totalCents } of invoices) {
      expect(lines.length).toBeGreaterThan(0)
      expect(lines.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(totalCents)
    }
    expect(invoices.some(({ lines }) => lines.length > 5)).toBe(true)
  })

  it('has invoices on which every text is written for the customer', () => {
    const notes = new Set(invoices.flatMap(({ notes: text }) => text ?? []))
    expect(notes.size).toBeGreaterThan(2)
    const billed = bookings.flatMap(({ entityToInvoice }) => entityToInvoice ?? [])
    const texts = invoices.flatMap(({ description = '', lines }) => [
      description,
      ...lines.map((line) => line.description),
    ])
    for (const text of new Set([...notes, ...billed, ...texts])) {
      // No talk about the customer, no ids, no dates or percentages as programs write them.
      expect(text).not.toMatch(/\b(they|them|their|client|customer|lead|half each|promise)/i)
      expect(text).not.toMatch(/\w_\d|\d{4}-\d\d-\d\d|%.*%|^\w+: \w+ on /)
    }
    for (const text of notes) expect(text).toMatch(/^[A-Z].*\.$/)
  })

  it('has invoices that add up to the price of the booking and its gratuity', () => {
    for (const booking of bookings) {
      const own = invoices.filter(
        ({ companyId, bookingId }) => companyId === booking.companyId && bookingId === booking.id,
      )
      const valid = own.filter(({ voidedAt }) => voidedAt === undefined)
      const { canceledAt, totalPriceCents, gratuityAmountCents = 0 } = booking
      expect(own.length).toBeGreaterThan(0)
      expect(own.every(({ currency }) => currency === booking.currency)).toBe(true)
      expect(valid.reduce((sum, { totalCents }) => sum + totalCents, 0)).toBe(
        canceledAt === undefined ? totalPriceCents + gratuityAmountCents : 0,
      )
    }
    expect(
      new Set(invoices.map(({ companyId, invoiceNumber }) => `${companyId} ${invoiceNumber}`)).size,
    ).toBe(invoices.length)
  })

  it.each(['2026-11-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])(
    'has invoices of every status at %s',
    (now) => {
      const statusOf = (invoice: RecordOf<'invoice'>) => {
        if (invoice.voidedAt !== undefined) return 'Void'
        if (invoice.issuedAt === undefined) return 'Draft'
        if (invoice.amountPaidCents >= invoice.totalCents) return 'Paid'
        if (invoice.dueDate !== undefined && invoice.dueDate < now) return 'Overdue'
        return invoice.amountPaidCents > 0 ? 'PartiallyPaid' : 'Open'
      }
      const counts = new Map<string, number>()
      for (const status of main('invoice').map(statusOf)) counts.set(status, (counts.get(status) ?? 0) + 1)
      expect([...counts.keys()].toSorted()).toEqual([
        'Draft',
        'Open',
        'Overdue',
        'Paid',
        'PartiallyPaid',
        'Void',
      ])
      expect(Math.min(...counts.values())).toBeGreaterThan(2)
    },
  )

  it('has tasks that are done and tasks that are open, with and without a due date', () => {
    const tasks = main('task')
    expect(tasks.filter(({ completedAt }) => completedAt !== undefined).length).toBeGreaterThan(20)
    expect(tasks.filter(({ completedAt }) => completedAt === undefined).length).toBeGreaterThan(20)
    expect(tasks.some(({ dueDate }) => dueDate === undefined)).toBe(true)
    expect(tasks.some(({ dueDate }) => dueDate !== undefined)).toBe(true)
  })
})

describe('forms', () => {
  const questions = main('formQuestion')
  const responses = main('formResponse')

  it('ask questions of all 14 types, in positions of their own', () => {
    expect(new Set(questions.map(({ type }) => type))).toEqual(new Set(QUESTION_TYPES))
    expect(QUESTION_TYPES).toHaveLength(14)
    const places = questions.map(({ formId, position }) => `${formId} ${position}`)
    expect(new Set(places).size).toBe(places.length)
    const titles = questions.map(({ formId, title }) => `${formId} ${title}`)
    expect(titles.length - new Set(titles).size).toBe(1)
    expect(questions.some(({ systemRequired }) => systemRequired)).toBe(true)
    expect(questions.some(({ userRequired }) => userRequired)).toBe(true)
    expect(questions.some(({ linkedSystemField }) => linkedSystemField !== undefined)).toBe(true)
  })

  it('are answered, whatever can be answered, for quotes, bookings or both', () => {
    const types = new Set(
      responses.flatMap(({ answers }) =>
        answers.map(({ questionId }) => find(MAIN, 'formQuestion', questionId)?.type),
      ),
    )
    const unanswered = QUESTION_TYPES.filter((type) => !types.has(type))
    expect(unanswered).toEqual(['DISPLAYTEXT'])
    expect(responses.some(({ quoteId, bookingId }) => quoteId && bookingId)).toBe(true)
    expect(responses.some(({ quoteId, bookingId }) => quoteId && !bookingId)).toBe(true)
    expect(responses.some(({ quoteId, bookingId }) => !quoteId && bookingId)).toBe(true)
    const ids = responses.flatMap(({ answers }) => answers.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('references', () => {
  const found = WORLD.flatMap(dangling)

  it('lead nowhere exactly where the list of holes says so', () => {
    const listed = DEMO_HOLES.map(({ object, id, field, missing }) => ({
      companyId: MAIN,
      object,
      id,
      field,
      missing,
    }))
    expect(listed.length).toBeGreaterThan(4)
    expect(found.map(referenceText).toSorted()).toEqual(listed.map(referenceText).toSorted())
  })

  it('always lead to the owner', () => {
    const owners = new Set(['companyId', 'quoteId', 'formId', 'eventId', 'bookingId'])
    const ownerless = found.filter(({ field }) => owners.has(field))
    expect(ownerless).toEqual([])
  })

  it('tie lines to the days of their quote, and events to its place', () => {
    const strayLines = WORLD.filter(isKind('lineItem')).filter(
      ({ companyId, quoteId, serviceDayId }) =>
        serviceDayId !== undefined && find(companyId, 'serviceDay', serviceDayId)?.quoteId !== quoteId,
    )
    const strayEvents = WORLD.filter(isKind('event')).filter(({ companyId, bookingId, locationId }) => {
      const quoteId = find(companyId, 'booking', bookingId ?? '')?.quoteId
      return quoteId !== undefined && find(companyId, 'quote', quoteId)?.locationId !== locationId
    })
    expect([...strayLines, ...strayEvents]).toEqual([])
  })

  it('name nothing that came later: a lead is older than its quotes', () => {
    const tooLate = WORLD.filter(isKind('quote')).filter(
      ({ companyId, leadId, createdAt }) => (find(companyId, 'lead', leadId)?.createdAt ?? '') >= createdAt,
    )
    expect(tooLate).toEqual([])
  })
})

describe('a world of another size', () => {
  it('has as many quotes, days and lines as asked for', () => {
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

  it('has as many resources and staff as asked for, and can do without any', () => {
    const records = worldOf({ resources: 70, staff: 0 })
    expect(records.filter(isKind('resource'))).toHaveLength(70)
    expect(records.filter(isKind('staff'))).toHaveLength(0)
    expect(worldOf({ resources: 0 }).filter(isKind('event')).length).toBeGreaterThan(0)
    expect(worldOf({ quotes: 0 }).filter(isKind('quote'))).toEqual([])
  })

  it('comes record by record, so its size does not matter', () => {
    const world = generateWorld({ seed: 1, companies: [company({ quotes: 2_000_000_000 })] })
    const kinds = new Set<string>()
    for (let count = 0; count < 1000; count++) kinds.add(world.next().value?.object ?? 'nothing')
    expect(kinds).toContain('lead')
    expect(kinds).not.toContain('nothing')
  })

  it('comes in reading order: company, keys, users, catalogue, leads, then quote by quote', () => {
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
