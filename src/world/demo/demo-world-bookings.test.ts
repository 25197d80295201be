import { describe, expect, it } from 'vitest'
import { priceQuote } from '../../core/pricing/price-quote.ts'
import type { PricingInput } from '../../core/pricing/price-total.ts'
import { DEMO_HOLES } from './holes.ts'
import type { RecordOf, WorldRecord } from './records.ts'
import {
  BY_KEY,
  MAIN,
  WORLD,
  companyIdOf,
  find,
  isKind,
  keyOf,
  main,
} from '../../../test/support/demo-world.ts'
import type { Kind } from '../../../test/support/demo-world.ts'

function discountInput(companyId: string, id: string | undefined): PricingInput['discount'] {
  if (id === undefined) return null
  const discount = find(companyId, 'discount', id)
  if (discount === undefined) return { id, found: false }
  const { type, percentOff, amountOff = null, currency = null } = discount
  return { id, found: true, type, percentOff: percentOff?.toString() ?? null, amountOff, currency }
}

/** Derived from the records only. */
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
    if (target === undefined) throw new Error(`No target for the reference ${field}`)
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

describe('bookings, events and invoices', () => {
  const bookings = WORLD.filter(isKind('booking'))
  const invoices = WORLD.filter(isKind('invoice'))
  const events = WORLD.filter(isKind('event'))

  it('have a booking for every booked quote, with the total of the quote', () => {
    const linesByQuote = new Map<string, RecordOf<'lineItem'>[]>()
    for (const line of WORLD.filter(isKind('lineItem'))) {
      const key = `${line.companyId} ${line.quoteId}`
      linesByQuote.set(key, [...(linesByQuote.get(key) ?? []), line])
    }
    const booked = WORLD.filter(isKind('quote')).filter(({ bookedAt }) => bookedAt !== undefined)
    // One booking was canceled and its quote booked again.
    expect(bookings).toHaveLength(booked.length + 1)
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

  it('include a booking with a follow-up quote of the same contact that is not booked', () => {
    const quotes = main('quote').filter(({ bookingId }) => bookingId === 'book_0241')
    expect(quotes).toMatchObject([{ id: 'quote_0241' }, { id: 'quote_0242' }])
    expect(quotes.map(({ bookedAt }) => bookedAt !== undefined)).toEqual([true, false])
    expect(new Set(quotes.map(({ leadId, locationId }) => `${leadId} ${locationId}`)).size).toBe(1)
  })

  it('include bookings that are canceled, with a gratuity, or with a card on file', () => {
    const ours = main('booking')
    expect(ours.filter(({ canceledAt }) => canceledAt !== undefined).length).toBeGreaterThan(3)
    expect(
      ours.filter(({ gratuityAmountCents }) => gratuityAmountCents !== undefined).length,
    ).toBeGreaterThan(10)
    expect(ours.some(({ cardOnFile }) => cardOnFile)).toBe(true)
    expect(ours.some(({ cardOnFile }) => !cardOnFile)).toBe(true)
  })

  it('include an event for every day of a booked quote, and a few without a booking', () => {
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

  it('include events with staff, resources, services and add-ons', () => {
    for (const field of ['staffIds', 'resourceIds', 'serviceIds', 'addonIds'] as const) {
      expect(main('event').filter((event) => event[field].length > 0).length).toBeGreaterThan(50)
    }
    const staff = main('event').flatMap(({ staffIds }) =>
      staffIds.map((id) => find(MAIN, 'staff', id)?.status),
    )
    expect(staff).toContain('inactive')
    expect(main('event').some(({ multiDay }) => multiDay)).toBe(true)
  })

  it('include invoices with lines that add up to the total', () => {
    for (const { lines, totalCents } of invoices) {
      expect(lines.length).toBeGreaterThan(0)
      expect(lines.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(totalCents)
    }
    expect(invoices.some(({ lines }) => lines.length > 5)).toBe(true)
  })

  it('include invoices with texts for the customer only', () => {
    const notes = new Set(invoices.flatMap(({ notes: text }) => text ?? []))
    expect(notes.size).toBeGreaterThan(2)
    const billed = bookings.flatMap(({ entityToInvoice }) => entityToInvoice ?? [])
    const texts = invoices.flatMap(({ description = '', lines }) => [
      description,
      ...lines.map((line) => line.description),
    ])
    for (const text of new Set([...notes, ...billed, ...texts])) {
      // No internal remarks, no ids, and no machine formats of dates and percentages.
      expect(text).not.toMatch(/\b(they|them|their|client|customer|lead|half each|promise)/i)
      expect(text).not.toMatch(/\w_\d|\d{4}-\d\d-\d\d|%.*%|^\w+: \w+ on /)
    }
    for (const text of notes) expect(text).toMatch(/^[A-Z].*\.$/)
  })

  it('include invoices that add up to the total of the booking and its gratuity', () => {
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
    'include invoices of every status at %s',
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

  it('include completed and open tasks, with and without a due date', () => {
    const tasks = main('task')
    expect(tasks.filter(({ completedAt }) => completedAt !== undefined).length).toBeGreaterThan(20)
    expect(tasks.filter(({ completedAt }) => completedAt === undefined).length).toBeGreaterThan(20)
    expect(tasks.some(({ dueDate }) => dueDate === undefined)).toBe(true)
    expect(tasks.some(({ dueDate }) => dueDate !== undefined)).toBe(true)
  })
})

describe('references', () => {
  const found = WORLD.flatMap(dangling)

  it('are missing exactly as listed in DEMO_HOLES', () => {
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

  it('to owners are never missing', () => {
    const owners = new Set(['companyId', 'quoteId', 'formId', 'eventId', 'bookingId'])
    const ownerless = found.filter(({ field }) => owners.has(field))
    expect(ownerless).toEqual([])
  })

  it('of lines are to days of their quote, and of events to its location', () => {
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

  it('of quotes are to contacts that were created earlier', () => {
    const tooLate = WORLD.filter(isKind('quote')).filter(
      ({ companyId, leadId, createdAt }) => (find(companyId, 'lead', leadId)?.createdAt ?? '') >= createdAt,
    )
    expect(tooLate).toEqual([])
  })
})
