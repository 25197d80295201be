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
function pack(stored: Stored): string {
  const [id, note, ...others] = columnsOf(stored)
  return [id, note === null ? '' : `=${note}`, ...others.map((text) => text ?? '')].join('\x1F')
}

describe('rows as text', () => {
  it('come back as they were, or are known to be unreadable', () => {
    fc.assert(
      fc.property(fc.array(rows, { minLength: 1, maxLength: 4 }), (stored) => {
        const unpacked = fields.unpack(stored.map(pack), extra)
        const holdsSeparator = stored.some((row) => columnsOf(row).join('').includes('\x1F'))
        expect(unpacked).toEqual(holdsSeparator ? undefined : stored.map((row) => ({ ...row, extra })))
      }),
    )
  })

  it('with a separator in a text are never taken for others', () => {
    const stored = { id: 'a', note: 'b', sentAt: null, count: 1, isOpen: true, tags: [] }
    for (const row of [
      { ...stored, id: 'a\x1Fb' },
      { ...stored, note: '\x1F' },
      { ...stored, tags: ['x\x1F'] },
    ]) {
      expect(fields.unpack([pack(stored), pack(row)], extra)).toBeUndefined()
      expect(fields.read(columnsOf(row), extra)).toEqual({ ...row, extra })
    }
  })

  it('are read from columns, whatever they hold', () => {
    fc.assert(
      fc.property(rows, (stored) => {
        expect(fields.read(columnsOf(stored), extra)).toEqual({ ...stored, extra })
      }),
    )
  })

  it('are none where there is none', () => {
    expect(fields.unpack([], extra)).toEqual([])
  })
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
