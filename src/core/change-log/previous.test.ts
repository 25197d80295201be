import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CHANGE_TYPES, changeId, inRecordedOrder, parseChangeId } from './change-types.ts'
import { previousOf, splitPrevious } from './previous.ts'

const members = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'list', 'updatedAt'), fc.jsonValue())

describe('previousOf', () => {
  it.each([
    ['created', null, { a: 1 }, {}],
    ['deleted', { a: 1, updatedAt: 'x' }, null, { a: 1, updatedAt: 'x' }],
    ['unchanged', { a: 1, list: [1, { b: null }] }, { a: 1, list: [1, { b: null }] }, {}],
    ['changed', { a: 1, b: null, list: [1] }, { a: 2, b: null, list: [1, 2] }, { a: 1, list: [1] }],
    ['touched', { a: 1, updatedAt: 'x' }, { a: 1, updatedAt: 'y' }, {}],
  ])('F6: returns the old values of an object that was %s', (_, before, after, previous) => {
    expect(previousOf(before, after)).toEqual(previous)
  })

  it('F6: restores the old object from the new one, except updatedAt', () => {
    fc.assert(
      fc.property(members, members, (before, after) => {
        const known = Object.fromEntries(Object.keys(before).map((name) => [name, after[name] ?? null]))
        const restored = { ...known, ...previousOf(before, known), updatedAt: 0 }
        expect(restored).toEqual({ ...before, updatedAt: 0 })
      }),
    )
  })
})

describe('splitPrevious', () => {
  it('puts each member into exactly one of two parts', () => {
    fc.assert(
      fc.property(members, fc.subarray(['a', 'b', 'c']), (previous, names) => {
        const { named, rest } = splitPrevious(previous, names)
        expect({ ...named, ...rest }).toEqual(previous)
        expect(Object.keys(named).every((name) => names.includes(name))).toBe(true)
        expect(Object.keys(rest).some((name) => names.includes(name))).toBe(false)
      }),
    )
  })
})

describe('inRecordedOrder', () => {
  it('F8: sorts by type and keeps the order within a type', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...CHANGE_TYPES)), (types) => {
        const sorted = inRecordedOrder(types.map((type, i) => ({ type, i })))
        const ranks = sorted.map(({ type, i }) => CHANGE_TYPES.indexOf(type) * 1_000 + i)
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
      }),
    )
  })
})

describe('parseChangeId', () => {
  it('F2: reads the ids of changes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }), (sequence) => {
        expect(parseChangeId(changeId(sequence))).toBe(String(sequence))
      }),
    )
  })

  it.each(['', 'chg_', 'chg_0', 'chg_01', 'chg_-1', 'chg_1 ', 'CHG_1', 'chg_1e3', `chg_${'9'.repeat(19)}`])(
    'F4: %j is not the id of a change',
    (id) => {
      expect(parseChangeId(id)).toBeNull()
    },
  )
})
