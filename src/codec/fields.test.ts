import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defineFields } from './fields.ts'

interface Row {
  id: string
  note: string | null
  sentAt: string | null
  count: number
  isOpen: boolean
  tags: string[]
  extra: object
}

const extra = { given: 'beside' }
const fields = defineFields<Row, object>(
  'id note? sentAt?:time count:number isOpen:boolean tags:list extra:given',
  { tags: 'other.tags' },
)

const texts = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))
const rows = fc.record({
  id: texts.filter((text) => text !== ''),
  note: fc.option(texts),
  sentAt: fc.option(fc.constant('2026-01-02 03:04:05+00')),
  count: fc.integer(),
  isOpen: fc.boolean(),
  tags: fc.array(texts),
})

/** As PostgreSQL prints a text[]. */
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

/** As the database puts it together. */
function pack(stored: readonly Stored[]): string {
  const parts = stored.flatMap((row) => {
    const [id, note, ...others] = columnsOf(row)
    return [id, note === null ? '' : `=${note}`, ...others.map((text) => text ?? '')]
  })
  return [String(stored.length), ...parts].join('\x1F')
}

/** Field by field, as whoever gets a row reads it. */
function objectFrom({ id, note, sentAt, count, isOpen, tags, extra: given }: Row): Row {
  return { id, note, sentAt, count, isOpen, tags, extra: given }
}

describe('rows as text', () => {
  it('come back as they were, or are known to be unreadable', () => {
    fc.assert(
      fc.property(fc.array(rows, { maxLength: 4 }), (stored) => {
        const list = pack(stored)
        const holdsSeparator = stored.some((row) => columnsOf(row).join('').includes('\x1F'))
        const expected = holdsSeparator ? undefined : stored.map((row) => ({ ...row, extra }))
        expect(fields.unpack(list, extra)).toEqual(expected)
        expect(fields.unpackRows(list, extra)?.map(objectFrom)).toEqual(expected)
      }),
    )
  })

  it('with a separator in a text are never taken for others, not even where all of it looks like a row', () => {
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
        expect(fields.unpack(pack(list), extra)).toBeUndefined()
        expect(fields.unpackRows(pack(list), extra)).toBeUndefined()
      }
      expect(fields.objectOf(columnsOf(row), extra)).toEqual({ ...row, extra })
      expect(objectFrom(fields.rowOf(columnsOf(row), extra))).toEqual({ ...row, extra })
    }
  })

  it('are read from columns, whatever they hold', () => {
    fc.assert(
      fc.property(rows, (stored) => {
        expect(fields.objectOf(columnsOf(stored), extra)).toEqual({ ...stored, extra })
        expect(objectFrom(fields.rowOf(columnsOf(stored), extra))).toEqual({ ...stored, extra })
      }),
    )
  })

  it('are none where there is none, and unknown where the list was too long', () => {
    expect(fields.unpack('0', extra)).toEqual([])
    expect(fields.unpackRows('0', extra)).toEqual([])
    expect(fields.unpack(undefined, extra)).toBeUndefined()
    expect(fields.unpackRows(undefined, extra)).toBeUndefined()
  })
})

it('a row is never an answer by itself: all of its list would be', () => {
  const [row] = fields.unpackRows('1\x1Fa\x1F\x1F\x1F1\x1Ft\x1F{}', extra) ?? []
  expect(row?.id).toBe('a')
  expect(() => JSON.stringify({ row })).toThrow('a row is no answer')
})

describe('the select list', () => {
  it('names columns after fields, or uses their expressions', () => {
    expect(fields.columns).toBe(
      't.id AS "id", t.note AS "note", t.sent_at AS "sentAt", t.count AS "count", t.is_open AS "isOpen", other.tags AS "tags"',
    )
  })

  it('tells what is absent from what is empty', () => {
    expect(fields.packed).toBe(
      String.raw`concat_ws(E'\x1F', t.id, coalesce('=' || t.note, ''), coalesce(t.sent_at::text, ''), t.count, t.is_open, other.tags)`,
    )
  })

  it('refuses what is no field', () => {
    expect(() => defineFields('id name:string')).toThrow('not a field: name:string')
  })
})
