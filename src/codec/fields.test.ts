import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RowOf } from './column.ts'
import { sql } from '../db/sql.ts'
import { boolean, filledText, idList, integer, text as textColumn, time } from './column-types.ts'
import { defineFields } from './fields.ts'
import type { Packed } from './packed-row.ts'

const shared = { of: 'all rows' }
const COLUMNS = {
  id: filledText(),
  note: textColumn().nullable(),
  sentAt: time().nullable(),
  count: integer(),
  isOpen: boolean(),
  tags: idList().sql(sql`other.tags`),
}
type Row = RowOf<typeof COLUMNS>
const fields = defineFields<typeof COLUMNS, object>(COLUMNS)

const texts = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))
const rows = fc.record({
  id: texts.filter((text) => text !== ''),
  note: fc.option(texts),
  sentAt: fc.option(fc.constant('2026-01-02 03:04:05+00')),
  count: fc.integer(),
  isOpen: fc.boolean(),
  tags: fc.array(texts),
})

/** Prints a text[] like PostgreSQL. */
function printList(tags: readonly string[]): string {
  const needsQuotes = /^$|^null$|["\\{},\s]/i
  const print = (tag: string) =>
    needsQuotes.test(tag) ? `"${tag.replaceAll(/["\\]/g, String.raw`\$&`)}"` : tag
  return `{${tags.map(print).join(',')}}`
}

type Stored = typeof rows extends fc.Arbitrary<infer Value> ? Value : never

function columnsOf({ id, note, sentAt, count, isOpen, tags }: Stored): (string | null)[] {
  return [id, note, sentAt, String(count), isOpen ? 't' : 'f', printList(tags)]
}

/** Packs rows like the database. */
function pack(stored: readonly Stored[]): string {
  const parts = stored.flatMap((row) => {
    const [id, note, ...others] = columnsOf(row)
    return [id, note === null ? '' : `=${note}`, ...others.map((text) => text ?? '')]
  })
  return [String(stored.length), ...parts].join('\x1F')
}

/** Reads a row field by field and as an object. */
function objectFrom(row: Packed<Row, object>): Row {
  const object = {
    id: row.get('id'),
    note: row.get('note'),
    sentAt: row.get('sentAt'),
    count: row.get('count'),
    isOpen: row.get('isOpen'),
    tags: row.get('tags'),
  }
  expect(row.toObject()).toEqual(object)
  expect(row.shared).toBe(shared)
  return object
}

describe('rows as text', () => {
  it('are read as they were written, or reported as unreadable', () => {
    fc.assert(
      fc.property(fc.array(rows, { maxLength: 4 }), (stored) => {
        const list = pack(stored)
        const holdsSeparator = stored.some((row) => columnsOf(row).join('').includes('\x1F'))
        const expected = holdsSeparator ? undefined : stored
        expect(fields.unpack(list)).toEqual(expected)
        expect(fields.unpackRows(list, shared)?.map(objectFrom)).toEqual(expected)
      }),
    )
  })

  it('with a separator in a text are never read as other rows, even if the text looks like a row', () => {
    const stored = { id: 'a', note: 'b', sentAt: null, count: 1, isOpen: true, tags: [] }
    const forged = pack([stored]).slice(1)
    for (const row of [
      { ...stored, id: 'a\x1Fb' },
      { ...stored, note: '\x1F' },
      { ...stored, tags: ['x\x1F'] },
      { ...stored, id: `a${forged}` },
    ]) {
      for (const list of [
        [stored, row],
        [row, stored],
      ]) {
        expect(fields.unpack(pack(list))).toBeUndefined()
        expect(fields.unpackRows(pack(list), shared)).toBeUndefined()
      }
      expect(fields.objectOf(columnsOf(row))).toEqual(row)
      expect(objectFrom(fields.rowOf(columnsOf(row), shared))).toEqual(row)
    }
  })

  it('are read from columns with any values', () => {
    fc.assert(
      fc.property(rows, (stored) => {
        expect(fields.objectOf(columnsOf(stored))).toEqual(stored)
        expect(objectFrom(fields.rowOf(columnsOf(stored), shared))).toEqual(stored)
      }),
    )
  })

  it('are empty for an empty list, and undefined for a list that is too long', () => {
    expect(fields.unpack('0')).toEqual([])
    expect(fields.unpackRows('0', shared)).toEqual([])
    expect(fields.unpack(undefined)).toBeUndefined()
    expect(fields.unpackRows(undefined, shared)).toBeUndefined()
  })
})

describe('a packed row', () => {
  const [row] = fields.unpackRows('1\x1Fa\x1F\x1F\x1F1\x1Ft\x1F{}', shared) ?? []

  it('cannot be serialized, because it contains its whole list', () => {
    expect(row?.get('id')).toBe('a')
    expect(() => JSON.stringify({ row })).toThrow('a row is not a response')
  })

  it('has a type without columns if it is copied', () => {
    // @ts-expect-error: the columns are not properties. The linter rejects the copy, too.
    // oxlint-disable-next-line typescript/no-misused-spread
    expect({ ...row }.id).toBeUndefined()
    expect({ ...row?.toObject() }.id).toBe('a')
  })
})

describe('the select list', () => {
  it('names columns after fields, or uses their expressions', () => {
    expect(fields.selectList.render(1).text).toBe(
      '"t"."id" AS "id", "t"."note" AS "note", "t"."sent_at" AS "sentAt", "t"."count" AS "count", "t"."is_open" AS "isOpen", other.tags AS "tags"',
    )
  })

  it('distinguishes null from an empty text', () => {
    expect(fields.packed.render(1).text).toBe(
      String.raw`concat_ws(E'\x1F', "t"."id", coalesce('=' || "t"."note", ''), coalesce("t"."sent_at"::text, ''), "t"."count", "t"."is_open", other.tags)`,
    )
  })

  it('rejects a boolean that can be null', () => {
    expect(() => defineFields({ isOpen: boolean().nullable() })).toThrow('a boolean column cannot be null')
  })
})
