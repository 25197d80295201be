import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findReferenceError, listReferences } from './references.ts'
import type { ReferencedRecord } from './references.ts'

const record = (more: Partial<ReferencedRecord> = {}): ReferencedRecord => ({
  kind: 'discount',
  id: 'd',
  isRetired: false,
  currency: null,
  ...more,
})

describe('listReferences', () => {
  it('finds single, listed and nested references in the order of the input', () => {
    const input = {
      taxRateId: 't',
      leadId: null,
      staffIds: ['a', 'b'],
      guestCount: 4,
      name: 'n',
      serviceDays: [{ lines: [] }, { lines: [{ kind: 'ADDON', addonId: 'i', discountId: 'd' }] }],
      bookingId: 'not a reference that is checked',
    }
    expect(listReferences(input).map(({ param, kind, id }) => `${param} ${kind} ${id}`)).toEqual([
      'taxRateId taxRate t',
      'staffIds[0] staff a',
      'staffIds[1] staff b',
      'serviceDays[1].lines[0].addonId addon i',
      'serviceDays[1].lines[0].discountId discount d',
    ])
  })

  it('omits stored references', () => {
    const stored = { leadId: 'l', staffIds: ['a', 'c'] }
    expect(listReferences({ leadId: 'l', staffIds: ['b', 'c'] }, stored)).toEqual([
      { param: 'staffIds[0]', kind: 'staff', id: 'b' },
    ])
  })
})

describe('findReferenceError', () => {
  const references = listReferences({ discountId: 'd' })

  it.each<[ReferencedRecord[], string | null]>([
    [[], 'discountId is not the id of a discount'],
    [[record({ kind: 'lead' })], 'discountId is not the id of a discount'],
    [[record({ isRetired: true })], 'discountId is archived'],
    [[record({ currency: 'EUR' })], 'discountId is an amount in EUR, but the quote is in USD'],
    [[record({ currency: 'USD' })], null],
    [[record()], null],
  ])('returns for %j the message %j', (records, message) => {
    expect(findReferenceError(references, records, 'USD')?.message ?? null).toBe(message)
  })

  it('has the problem as a text for users', () => {
    expect(findReferenceError(references, [], 'USD')?.problem).toBe('does not exist')
    expect(findReferenceError(references, [record({ isRetired: true })], 'USD')?.problem).toBe('is archived')
  })

  it('reports inactive staff, and ignores currencies without a quote', () => {
    const staff = listReferences({ staffIds: ['s'] })
    const inactive = record({ kind: 'staff', id: 's', isRetired: true })
    expect(findReferenceError(staff, [inactive], null)).toEqual({
      param: 'staffIds[0]',
      kind: 'staff',
      message: 'staffIds[0] is inactive',
      problem: 'is inactive',
    })
    expect(findReferenceError(references, [record({ currency: 'EUR' })], null)).toBeNull()
  })

  it('reports the first missing reference', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 })), fc.array(fc.boolean()), (ids, known) => {
        const records = ids.filter((_, i) => known[i]).map((id) => record({ kind: 'staff', id }))
        const first = ids.findIndex((_, i) => !known[i])
        const error = findReferenceError(listReferences({ staffIds: ids }), records, null)
        expect(error?.param).toBe(first === -1 ? undefined : `staffIds[${first}]`)
      }),
    )
  })
})
