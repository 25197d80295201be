import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { columnName, defineColumns, referenceOf } from './column.ts'
import type { PublicOf, RowOf } from './column.ts'
import { computed, currency, id, idList, integer, money, oneOf, percentage } from './column-types.ts'

const TABLE = defineColumns('thing', 'things', {
  id: id('thing'),
  leadId: id('lead').nullable(),
  type: oneOf(['PERCENT', 'AMOUNT']).default('AMOUNT'),
  rate: percentage().onlyWith('type', 'PERCENT'),
  price: money().default(0).internal(),
  currency: currency(),
  staffIds: idList().default([]),
  total: computed(z.int()),
})

describe('a column table', () => {
  it('defines the types of rows and public objects', () => {
    expectTypeOf<RowOf<typeof TABLE.columns>>().toEqualTypeOf<{
      id: string
      leadId: string | null
      type: 'PERCENT' | 'AMOUNT'
      rate: string | null
      price: number
      currency: string
      staffIds: string[]
    }>()
    expectTypeOf<PublicOf<typeof TABLE.members>>().toEqualTypeOf<{
      readonly id: string
      readonly leadId: string | null
      readonly type: 'PERCENT' | 'AMOUNT'
      readonly rate: number | null
      readonly currency: { isoCode: string }
      readonly total: number
    }>()
  })

  it('separates stored columns from computed members', () => {
    expect(Object.keys(TABLE.members)).toContain('total')
    expect(Object.keys(TABLE.columns)).not.toContain('total')
  })

  it('rejects defaults of another type', () => {
    // @ts-expect-error: not a number
    integer().default('0')
    // @ts-expect-error: not one of the values
    oneOf(['PERCENT', 'AMOUNT']).default('OTHER')
    // @ts-expect-error: a list can only be empty
    idList().default(['a'])
  })

  it('rejects a condition that is never true', () => {
    const type = oneOf(['PERCENT', 'AMOUNT'])
    const define = (field: string, value: string) => () =>
      defineColumns('thing', 'things', { type, rate: percentage().onlyWith(field, value) })
    expect(define('type', 'PERCENT')).not.toThrow()
    expect(define('type', 'OTHER')).toThrow('rate depends on type, which is never OTHER')
    expect(define('kind', 'PERCENT')).toThrow('rate depends on kind, which is never PERCENT')
  })
})

describe('names', () => {
  it('are in snake case in SQL', () => {
    expect(columnName('imageUrl')).toBe('image_url')
  })

  it.each([
    ['leadId', 'lead'],
    ['staffIds', 'staff'],
    ['id', undefined],
    ['name', undefined],
  ])('%s refers to %s', (name, recordType) => {
    expect(referenceOf(name, id('x'))).toBe(recordType)
  })

  it('can be overridden', () => {
    expect(referenceOf('questionId', id('x').references('formQuestion'))).toBe('formQuestion')
  })
})
