import { describe, expect, it } from 'vitest'
import { LOST_REASONS } from '../../core/enumerations.ts'
import { ANCHOR } from './times.ts'
import { BY_KEY, MAIN, find, keyOf, main } from '../../../test/support/demo-world.ts'
import type { Kind } from '../../../test/support/demo-world.ts'

const DAY = 86_400_000

function isArchived(kind: Kind, id: string | undefined): boolean {
  const record = BY_KEY.get(keyOf(MAIN, kind, id ?? ''))
  return record !== undefined && 'archivedAt' in record
}

describe('quotes of the demo world', () => {
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
    // Open at the anchor and at any later time.
    expect(
      open.filter(({ expiresAt }) => expiresAt !== undefined && expiresAt > anchor).length,
    ).toBeGreaterThan(5)
    expect(open.filter(({ expiresAt }) => expiresAt === undefined).length).toBeGreaterThan(3)
  })

  it.each(LOST_REASONS)('are lost for the reason %s', (reason) => {
    expect(quotes.filter(({ lostReason }) => lostReason === reason).length).toBeGreaterThan(3)
  })

  it('have one day or several, were created over a year, and take place before and after the anchor', () => {
    const perQuote = new Map<string, number>()
    for (const { quoteId } of days) perQuote.set(quoteId, (perQuote.get(quoteId) ?? 0) + 1)
    const counts = [...perQuote.values()]
    expect(counts.filter((count) => count === 1).length).toBeGreaterThan(100)
    expect(counts.filter((count) => count > 2).length).toBeGreaterThan(20)
    const created = quotes.map(({ createdAt }) => Date.parse(createdAt))
    expect(Math.max(...created) - Math.min(...created)).toBeGreaterThan(350 * DAY)
    expect(days.some(({ serviceStartTime }) => Date.parse(serviceStartTime) > ANCHOR + 60 * DAY)).toBe(true)
  })

  it('begin at a plausible local time in summer and winter', () => {
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

  it('are in three currencies, most in that of the company', () => {
    const count = (code: string) => quotes.filter(({ currency }) => currency === code).length
    expect(new Set(quotes.map(({ currency }) => currency))).toEqual(new Set(['USD', 'EUR', 'JPY']))
    expect(count('USD')).toBeGreaterThan(150)
    expect(Math.min(count('EUR'), count('JPY'))).toBeGreaterThan(25)
  })

  it('have lines of all kinds, some deleted, not taxable, discounted or with a saved price', () => {
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

  it('have service charges by percent and amount, taxable or not, and fractional tax rates', () => {
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

  it('refer to archived definitions of every kind', () => {
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

  it('have other texts than their neighbors', () => {
    const texts = quotes.map(({ eventDescription, eventAddress }) => `${eventDescription} ${eventAddress}`)
    for (const [index, text] of texts.entries()) expect(text).not.toBe(texts[index + 1])
    expect(new Set(texts).size).toBeGreaterThan(280)
  })

  it('have some equal creation times, like resources', () => {
    for (const records of [quotes, main('resource')]) {
      const times = new Set(records.map(({ createdAt }) => createdAt))
      expect(records.length - times.size).toBeGreaterThan(3)
      expect(times.size).toBeGreaterThan(records.length * 0.7)
    }
  })
})
