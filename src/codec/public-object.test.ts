import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isoFromPostgres } from '../core/schedule/datetime.ts'
import { jsonBytes } from './json.ts'
import { Column, defineColumns } from './column.ts'
import type { PublicOf, RowOf } from './column.ts'
import {
  boolean,
  computed,
  currency,
  filledText,
  id,
  integer,
  money,
  percentage,
  text as textColumn,
  time as timeColumn,
} from './column-types.ts'
import { defineFields } from './fields.ts'
import { publicObject } from './public-object.ts'

const COLUMNS = defineColumns('thing', 'things', {
  id: id('thing'),
  secret: filledText().internal(),
  title: computed(z.string()),
  note: textColumn().nullable(),
  createdAt: timeColumn('When.'),
  sentAt: timeColumn('When.').nullable(),
  guestCount: integer(),
  priceCents: money('Price.'),
  feeCents: money('Fee.').nullable(),
  isOpen: boolean(),
  currency: currency(),
  rate: percentage(),
})

const FIELDS = defineFields(COLUMNS.columns)

type Row = RowOf<typeof COLUMNS.columns>
type Thing = { object: 'thing' } & PublicOf<typeof COLUMNS.members>

const THING = publicObject(COLUMNS, FIELDS, {
  title: (row, { now }) => `${row.get('id')} at ${now}`,
})

const presentation = { now: 'noon', invoiceUrl: () => '', quoteUrl: () => '' }

const text = fc
  .oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))
  .map((any) => any.replaceAll('\0', ''))
const time = fc.constantFrom(
  '2026-01-02 03:04:05+00',
  '2026-01-02 03:04:05.6+00',
  '2026-01-02 03:04:05.678+00',
)
const rows = fc.record({
  id: text,
  secret: text,
  note: fc.option(text),
  createdAt: time,
  sentAt: fc.option(time),
  guestCount: fc.integer(),
  priceCents: fc.maxSafeInteger(),
  feeCents: fc.option(fc.maxSafeInteger()),
  isOpen: fc.boolean(),
  currency: fc.constantFrom('USD', 'JPY'),
  rate: fc.constantFrom('8.8750', '0', '100.000'),
})

function expectedOf(row: Row): Thing {
  return {
    object: 'thing',
    id: row.id,
    title: `${row.id} at noon`,
    note: row.note,
    createdAt: isoFromPostgres(row.createdAt),
    sentAt: row.sentAt === null ? null : isoFromPostgres(row.sentAt),
    guestCount: row.guestCount,
    priceCents: row.priceCents,
    feeCents: row.feeCents,
    isOpen: row.isOpen,
    currency: { isoCode: row.currency },
    rate: Number(row.rate),
  }
}

function rowOf(row: Row) {
  const values = FIELDS.names.map((name) => row[name as keyof Row])
  const printed = values.map((value) => (typeof value === 'boolean' ? (value ? 't' : 'f') : value))
  return FIELDS.rowOf(
    printed.map((value) => (value === null ? null : String(value))),
    undefined,
  )
}

describe('a public object', () => {
  it('is written like JSON.stringify, in the order of its schema, with any texts', () => {
    fc.assert(
      fc.property(rows, (row) => {
        const written = jsonBytes(THING.write(rowOf(row), presentation)).toString()
        expect(written).toBe(JSON.stringify(expectedOf(row)))
        expect(THING.present(rowOf(row), presentation)).toEqual(THING.schema.parse(expectedOf(row)))
      }),
    )
  })

  it('can have any length', () => {
    const row = fc.sample(rows, { numRuns: 1, seed: 1 })[0]
    if (row === undefined) throw new Error('no row')
    for (const long of ['\u0001'.repeat(200_000), '\u{1F3AA}'.repeat(50_000), 'é"'.repeat(60_000)]) {
      for (const longer of [
        { ...row, note: long },
        { ...row, id: long },
      ]) {
        expect(THING.present(rowOf(longer), presentation)).toEqual(expectedOf(longer))
      }
    }
  })

  it('fits at any length close to that of the buffer', () => {
    const row = fc.sample(rows, { numRuns: 1, seed: 2 })[0]
    if (row === undefined) throw new Error('no row')
    for (let length = 10_600; length < 10_950; length++) {
      const longer = { ...row, note: '\u0001'.repeat(length) }
      expect(THING.present(rowOf(longer), presentation)).toEqual(expectedOf(longer))
    }
  })

  it('requires a source for each member that JSON can represent', () => {
    const some = defineFields({ id: COLUMNS.columns.id })
    // @ts-expect-error: the other public columns are not read
    expect(() => publicObject(COLUMNS, some, { title: () => '' })).toThrow('note is not read')
    const LISTS = defineColumns('list', 'lists', { tags: new Column({ type: 'idList' }) })
    expect(() => publicObject(LISTS, defineFields(LISTS.columns), {})).toThrow('the API cannot show')
  })
})
