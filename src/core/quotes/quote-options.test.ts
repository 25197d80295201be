import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findNewOptionErrors,
  findOptionErrors,
  newGroupName,
  withValidChanges,
  withValidOptions,
} from './quote-options.ts'
import type { Option } from './quote-options.ts'

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 1000)

const lines = fc.array(
  fc.record<Option>({
    optional: fc.boolean(),
    selected: fc.boolean(),
    optionGroup: fc.constantFrom(null, 'Bar', 'Tent'),
  }),
  { maxLength: 8 },
)

describe('options of a quote', () => {
  it('P27: any lines become valid, and valid lines do not change', () => {
    fc.assert(
      fc.property(lines, (some) => {
        const valid = withValidOptions(some)
        expect(findOptionErrors(valid)).toEqual([])
        expect(withValidOptions(valid)).toEqual(valid)
        expect(findOptionErrors(some).length === 0).toBe(JSON.stringify(valid) === JSON.stringify(some))
      }),
      { numRuns },
    )
  })

  it('P27: keeps the first selected line of a group', () => {
    const line = { optional: false, optionGroup: 'Bar' }
    const selected = (all: boolean[]) =>
      withValidOptions(all.map((one) => ({ ...line, selected: one }))).map((one) => one.selected)
    expect(selected([false, true, true])).toEqual([false, true, false])
    expect(selected([false, false])).toEqual([true, false])
  })

  it('P27: only changed options become valid, other lines stay invalid', () => {
    const keyed = lines.map((some) => some.map((line, i) => ({ ...line, key: String(i) })))
    const keyOf = ({ key }: { key: string }) => key
    fc.assert(
      fc.property(keyed, fc.nat(7), (before, at) => {
        expect(withValidChanges(before, before, keyOf)).toEqual(before)
        expect(findNewOptionErrors(before, before.toReversed(), keyOf)).toEqual([])
        const toggled = before.map((line, i) => (i === at ? { ...line, selected: !line.selected } : line))
        const group = before[at]?.optionGroup ?? null
        const after = withValidChanges(before, toggled, keyOf)
        expect(findNewOptionErrors(before, after, keyOf)).toEqual([])
        const others = (all: typeof before) =>
          all.filter(({ optionGroup }, i) => i !== at && (group === null || optionGroup !== group))
        expect(others(after)).toEqual(others(before))
      }),
      { numRuns },
    )
    const line = { optional: false, selected: false, optionGroup: null, key: 'a' }
    expect(findNewOptionErrors([], [line], keyOf)).toMatchObject([{ index: 0 }])
    const pair = ['a', 'b'].map((key) => ({ ...line, optionGroup: 'Bar', selected: true, key }))
    expect(findNewOptionErrors(pair.slice(1), pair, keyOf)).toMatchObject([{ index: 1 }])
  })

  it('gives a new group a unique name', () => {
    const line = { optional: false, selected: true }
    const existing = ['Bar', 'Bar 2'].map((optionGroup) => ({ ...line, optionGroup }))
    expect(newGroupName('Bar', existing)).toBe('Bar 3')
    expect(newGroupName('Tent', existing)).toBe('Tent')
  })
})
