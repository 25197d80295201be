import { describe, expect, it } from 'vitest'
import { findDayChanges, findLineChanges, isSameLine } from './quote-changes.ts'
import { LINE_FIELDS } from './quote-edit.ts'
import type { QuoteLine } from './quote-edit.ts'

const LINE: QuoteLine = {
  id: 'a',
  serviceDayId: 'day_1',
  kind: 'SERVICE',
  serviceId: 's',
  addonId: null,
  description: 'Bar',
  quantity: '2',
  unitPriceCents: 500,
  priceCents: 1_000,
  taxable: true,
  discountId: null,
  optional: false,
  selected: true,
  optionGroup: null,
}

const OTHER: QuoteLine = {
  id: 'a',
  serviceDayId: null,
  kind: 'ADDON',
  serviceId: null,
  addonId: 'x',
  description: null,
  quantity: '3',
  unitPriceCents: null,
  priceCents: 999,
  taxable: false,
  discountId: 'd',
  optional: true,
  selected: false,
  optionGroup: 'Bar',
}

describe('isSameLine', () => {
  it('is true if all fields are equal, with any id', () => {
    expect(isSameLine(LINE, { ...LINE, id: 'b' })).toBe(true)
  })

  it('is false if one field differs', () => {
    const fields = Object.keys(LINE).filter((field) => field !== 'id')
    expect([...LINE_FIELDS].toSorted()).toEqual(fields.toSorted())
    for (const field of LINE_FIELDS) {
      expect([field, isSameLine(LINE, { ...LINE, [field]: OTHER[field] })]).toEqual([field, false])
    }
  })
})

describe('changes of lines', () => {
  const NONE = { added: [], changed: [], removedIds: [], isReordered: false }
  const B = { ...LINE, id: 'b' }

  it('are empty for the same lines', () => {
    expect(findLineChanges([LINE, B], [LINE, B])).toEqual(NONE)
  })

  it('have only the new order for the same lines in another order', () => {
    expect(findLineChanges([LINE, B], [B, LINE])).toEqual({ ...NONE, isReordered: true })
  })

  it('do not include the order if a line is removed', () => {
    const c = { ...LINE, id: 'c' }
    expect(findLineChanges([LINE, B, c], [LINE, c])).toEqual({ ...NONE, removedIds: ['b'] })
  })

  it('are added, changed and removed lines', () => {
    const added = { ...LINE, id: null }
    const changed = { ...OTHER, id: 'b' }
    const before = [LINE, { ...LINE, id: 'b' }, { ...LINE, id: 'c' }]
    expect(findLineChanges(before, [LINE, changed, added])).toEqual({
      added: [added],
      changed: [changed],
      removedIds: ['c'],
      isReordered: true,
    })
  })

  it('ignore a line that the quote does not have', () => {
    expect(findLineChanges([LINE], [LINE, { ...LINE, id: 'x' }])).toEqual({
      added: [],
      changed: [],
      removedIds: [],
      isReordered: false,
    })
  })

  it('never remove a line without an id', () => {
    expect(findLineChanges([{ ...LINE, id: null }], []).removedIds).toEqual([])
  })
})

describe('changes of days', () => {
  const day = (id: string, hour = 10) => ({
    id,
    serviceStartTime: `2026-06-01T${hour}:00:00.000Z`,
    serviceEndTime: '2026-06-01T22:00:00.000Z',
  })

  it('are added, changed and removed days, in any order', () => {
    expect(findDayChanges([day('a'), day('b'), day('c')], [day('new'), day('b', 12), day('a')])).toEqual({
      added: [day('new')],
      changed: [day('b', 12)],
      removedIds: ['c'],
    })
  })
})
