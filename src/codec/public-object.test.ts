import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isoFromPostgres } from '../core/schedule/datetime.ts'
import { jsonBytes } from './json.ts'
import { defineFields } from './fields.ts'
import { Currency, cents, id, optionalCents, optionalText, optionalTimestamp, timestamp } from './schemas.ts'
import { publicObject } from './public-object.ts'

interface Row {
  id: string
  secret: string
  note: string | null
  createdAt: string
  sentAt: string | null
  guestCount: number
  priceCents: string
  feeCents: string | null
  isOpen: boolean
  currency: string
  rate: string
}

const FIELDS = defineFields<Row>(
  'id secret note? createdAt:time sentAt?:time guestCount:number priceCents:amount feeCents?:amount isOpen:boolean currency:amount rate:amount',
)

const Thing = z.strictObject({
  object: z.literal('thing'),
  id: id('thing'),
  title: z.string(),
  note: optionalText(),
  createdAt: timestamp('When.'),
  sentAt: optionalTimestamp('When.'),
  guestCount: z.int(),
  priceCents: cents('Price.'),
  feeCents: optionalCents('Fee.'),
  isOpen: z.boolean(),
  currency: Currency,
  rate: z.number(),
})

const THING = publicObject(Thing, FIELDS, {
  title: (row, { now }) => `${row.id} at ${now}`,
  rate: ({ rate }) => Number(rate),
})

const presentation = { now: 'noon', invoiceUrl: () => '' }

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
  priceCents: fc.maxSafeInteger().map(String),
  feeCents: fc.option(fc.maxSafeInteger().map(String)),
  isOpen: fc.boolean(),
  currency: fc.constantFrom('USD', 'JPY'),
  rate: fc.constantFrom('8.8750', '0', '100.000'),
})

function expectedOf(row: Row): z.output<typeof Thing> {
  return {
    object: 'thing',
    id: row.id,
    title: `${row.id} at noon`,
    note: row.note,
    createdAt: isoFromPostgres(row.createdAt),
    sentAt: row.sentAt === null ? null : isoFromPostgres(row.sentAt),
    guestCount: row.guestCount,
    priceCents: Number(row.priceCents),
    feeCents: row.feeCents === null ? null : Number(row.feeCents),
    isOpen: row.isOpen,
    currency: { isoCode: row.currency },
    rate: Number(row.rate),
  }
}

function rowOf(row: Row) {
  const values = FIELDS.read.map(({ name }) => row[name as keyof Row])
  const printed = values.map((value) => (typeof value === 'boolean' ? (value ? 't' : 'f') : value))
  return FIELDS.rowOf(
    printed.map((value) => (value === null ? null : String(value))),
    undefined,
  )
}

describe('a public object', () => {
  it('is written as JSON.stringify would, in the order of its schema, whatever its texts hold', () => {
    fc.assert(
      fc.property(rows, (row) => {
        const written = jsonBytes(THING.write(rowOf(row), presentation)).toString()
        expect(written).toBe(JSON.stringify(expectedOf(row)))
        expect(THING.present(rowOf(row), presentation)).toEqual(Thing.parse(expectedOf(row)))
      }),
    )
  })

  it('may be of any length', () => {
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

  it('fits, at any length around that of the buffer it is written into', () => {
    const row = fc.sample(rows, { numRuns: 1, seed: 2 })[0]
    if (row === undefined) throw new Error('no row')
    for (let length = 10_600; length < 10_950; length++) {
      const longer = { ...row, note: '\u0001'.repeat(length) }
      expect(THING.present(rowOf(longer), presentation)).toEqual(expectedOf(longer))
    }
  })

  it('has a source for each member, of which JSON can be made', () => {
    const none = {} as never
    expect(() => publicObject(z.strictObject({ other: z.string() }), FIELDS, none)).toThrow(
      'other must be derived',
    )
    expect(() => publicObject(z.strictObject({ rate: z.number() }), FIELDS, none)).toThrow(
      'rate must be derived',
    )
    expect(() => publicObject(z.strictObject({ note: z.string() }), FIELDS, none)).toThrow(
      'note is null here, but not there',
    )
    expect(() => publicObject(z.strictObject({ id: z.int() }), FIELDS, none)).toThrow('id must be derived')
    const LISTS = defineFields<{ tags: string[] }>('tags:list')
    expect(() => publicObject(z.strictObject({ tags: z.array(z.string()) }), LISTS, none)).toThrow(
      'tags must be derived',
    )
  })
})
