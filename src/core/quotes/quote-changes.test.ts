import { describe, expect, it } from 'vitest'
import { LINE_FIELDS, findLineChanges, isSameLine } from './quote-changes.ts'
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
}

describe('lines are the same', () => {
  it('if all fields are, whatever the id', () => {
    expect(isSameLine(LINE, { ...LINE, id: 'b' })).toBe(true)
  })

  it('only if every field is', () => {
    const fields = Object.keys(LINE).filter((field) => field !== 'id')
    expect([...LINE_FIELDS].toSorted()).toEqual(fields.toSorted())
    for (const field of LINE_FIELDS) {
      expect([field, isSameLine(LINE, { ...LINE, [field]: OTHER[field] })]).toEqual([field, false])
    }
  })
})

describe('changes of lines', () => {
  it('are none for the same lines in another order', () => {
    const b = { ...LINE, id: 'b' }
    expect(findLineChanges([LINE, b], [b, LINE])).toEqual({ added: [], changed: [], removedIds: [] })
  })

  it('are added, changed and removed lines', () => {
    const added = { ...LINE, id: null }
    const changed = { ...OTHER, id: 'b' }
    const before = [LINE, { ...LINE, id: 'b' }, { ...LINE, id: 'c' }]
    expect(findLineChanges(before, [LINE, changed, added])).toEqual({
      added: [added],
      changed: [changed],
      removedIds: ['c'],
    })
  })

  it('ignore a line that the quote does not have', () => {
    expect(findLineChanges([LINE], [LINE, { ...LINE, id: 'x' }])).toEqual({
      added: [],
      changed: [],
      removedIds: [],
    })
  })

  it('never remove a line without an id', () => {
    expect(findLineChanges([{ ...LINE, id: null }], []).removedIds).toEqual([])
  })
})
