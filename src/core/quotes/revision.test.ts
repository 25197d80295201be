import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { REVISION, REVISION_PARTS, REVISION_TEXT } from '../../../test/support/revision.ts'
import { canonicalJson } from './canonical-json.ts'
import { findIncompleteGroup, parseChoices } from './customer-choices.ts'
import { offerOf } from './offer.ts'
import { composeRevision, contractText, readRevision, writeRevision } from './revision.ts'
import { hashRevision } from './revision-hash.ts'

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, shuffled(member)]),
  )
}

describe('canonical JSON', () => {
  it('V2: has the same bytes for equal values, in any order of members', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value)
        expect(canonicalJson(shuffled(value))).toBe(text)
        expect(canonicalJson(JSON.parse(text))).toBe(text)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1n, Symbol('a'), () => 1])('rejects %s', (value) => {
    expect(() => canonicalJson([value])).toThrow(TypeError)
  })
})

describe('a revision', () => {
  it('V2: has the same bytes for the same quote', () => {
    expect(writeRevision(composeRevision(structuredClone(REVISION_PARTS)))).toBe(REVISION_TEXT)
    expect(hashRevision(REVISION_TEXT)).toMatch(/^[0-9a-f]{64}$/)
  })

  it('V2: survives writing and reading', () => {
    expect(readRevision(REVISION_TEXT)).toEqual(REVISION)
  })

  it.each<[name: string, text: string]>([
    ['another spelling', JSON.stringify(REVISION, null, 1)],
    [
      'a total that does not match the lines',
      REVISION_TEXT.replace('"totalCents":14300', '"totalCents":14301'),
    ],
    ['an unknown member', canonicalJson({ ...REVISION, more: 1 })],
    ['invalid JSON', '{'],
    ['a time zone that does not exist', REVISION_TEXT.replace('America/New_York', 'America/Atlantis')],
  ])('V2: rejects %s', (_, text) => {
    expect(text).not.toBe(REVISION_TEXT)
    expect(readRevision(text)).toBeNull()
  })

  it('V3: stores every amount, and only the records that it refers to', () => {
    expect(REVISION.price).toMatchObject({ totalCents: 14_300, taxCents: 1_300, subtotalCents: 13_000 })
    const catalog = {
      ...REVISION_PARTS.catalog,
      services: [{ id: 'unused', name: 'Unused', internal: 'secret' }],
    }
    expect(composeRevision({ ...REVISION_PARTS, catalog })).toEqual(REVISION)
  })

  it('V4: has a contract with the chosen total', () => {
    expect(contractText(REVISION, '$1.00')).toBe('Ada Noor pays $1.00 to Harbor Events Inc..')
  })
})

describe('the offer of a revision', () => {
  it('V8: has the total of the chosen options', () => {
    expect(offerOf(REVISION).totalCents).toBe(14_300)
    expect(offerOf(REVISION, [1, 3]).totalCents).toBe(18_700)
    expect(offerOf(REVISION, [1, 3]).incompleteGroup).toBeNull()
  })

  it('V8: is incomplete unless exactly one alternative of each group is chosen', () => {
    expect(offerOf(REVISION, []).incompleteGroup).toBe('Drinks')
    expect(offerOf(REVISION, [2, 3]).incompleteGroup).toBe('Drinks')
    expect(findIncompleteGroup([])).toBeNull()
  })

  it('V8: accepts only positions of choices', () => {
    const { lines } = REVISION.content
    expect(parseChoices('1,3', lines)).toEqual([1, 3])
    expect(parseChoices('', lines)).toEqual([])
    for (const text of ['0', '4', '1,1', '01', '-1', 'x', '1,', '1e0', '99999']) {
      expect([text, parseChoices(text, lines)]).toEqual([text, null])
    }
  })

  it('V7: adds up', () => {
    const { figures } = offerOf(REVISION, [1, 3])
    expect(figures.map(({ key, cents }) => [key, cents])).toEqual([
      ['subtotal', 17_000],
      ['tax', 1_700],
      ['total', 18_700],
    ])
  })
})
