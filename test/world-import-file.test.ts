import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { importWorld } from '../src/world/import.ts'
import {
  clearWorld,
  exportRecords,
  exportText,
  importRecords,
  importValid,
  inChunks,
  MINIMAL,
  MINIMAL_WORLD,
  toLines,
} from './support/world.ts'
import type { TestRecord } from './support/world.ts'
import { createImportDatabase } from './support/world-import.ts'

const { pool, connection } = await createImportDatabase()

function manyLeads(count: number): TestRecord[] {
  return Array.from({ length: count }, (_, index) => ({ ...MINIMAL.lead, id: `many${index}` }))
}

/** A record without times, which depend on the import. */
function withoutTimes(record: TestRecord): TestRecord {
  return { ...record, createdAt: null, updatedAt: null }
}

async function* asText(text: string): AsyncGenerator<string> {
  yield text
}

async function* failingAfter(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
  throw new Error('the disk is gone')
}

describe('docs/world-format.md', () => {
  it('has an example that can be imported', async () => {
    const document = readFileSync(new URL('../docs/world-format.md', import.meta.url), 'utf8')
    const [, example = ''] = /```json\n([^`]+)```/.exec(document) ?? []
    await clearWorld(pool)
    expect(await importWorld(connection, inChunks(example, 65_536))).toMatchObject({
      records: 3,
      errorCount: 0,
    })
    const exported = await exportRecords(connection)
    expect(exported.map(({ object, id }) => [object, id])).toEqual([
      ['company', 'co_1'],
      ['location', 'loc_1'],
      ['resource', 'res_1'],
    ])
  })
})

describe('import files', () => {
  it('can have their lines in any order', async () => {
    await clearWorld(pool)
    await importValid(connection, MINIMAL_WORLD)
    const inOrder = await exportRecords(connection)
    await clearWorld(pool)
    await importValid(connection, MINIMAL_WORLD.toReversed())
    expect((await exportRecords(connection)).map(withoutTimes)).toEqual(inOrder.map(withoutTimes))
  })

  it('can have empty lines, a byte order mark, CRLF, and no final line break', async () => {
    const text = `\uFEFF${toLines([{ ...MINIMAL.lead, id: 'bom' }, '', ' \t', '{']).replaceAll('\n', '\r\n')}\r\n{}`
    const { errors } = await importWorld(connection, inChunks(text, 1))
    expect(errors).toEqual([
      { line: 4, field: null, reason: expect.stringContaining('JSON') as string },
      { line: 6, field: 'object', reason: 'is required' },
    ])
  })

  it('can be empty', async () => {
    expect(await importRecords(connection, [])).toEqual({ records: 0, errorCount: 0, errors: [] })
    expect(await importRecords(connection, ['', '\r'])).toEqual({ records: 0, errorCount: 0, errors: [] })
  })

  it('can be split into chunks anywhere, also inside a character, and can be text', async () => {
    await clearWorld(pool)
    const lines = toLines([...MINIMAL_WORLD, { ...MINIMAL.lead, id: '𝔘ü', firstName: 'Zoë 🎈' }])
    await importWorld(connection, inChunks(lines, 1))
    const byBytes = await exportText(connection)
    await importWorld(connection, inChunks(lines, 7))
    expect(await exportText(connection)).toBe(byBytes)
    await importWorld(connection, asText(lines))
    expect(await exportText(connection)).toBe(byBytes)
    expect(byBytes).toContain('"firstName":"Zoë 🎈"')
  })

  it('are rejected for invalid UTF-8, with the line number', async () => {
    const good = Buffer.from(toLines([MINIMAL.lead]))
    const bad = Buffer.from('{"object":"lead","id":"x","companyId":"c","email":"\xff"}\n', 'latin1')
    const surrogate = Buffer.from(
      '{"object":"lead","id":"x","companyId":"c","email":"\xed\xa0\x80"}',
      'latin1',
    )
    for (const size of [3, 65_536]) {
      const file = inChunks(Buffer.concat([good, bad, good, surrogate]), size)
      const { errors } = await importWorld(connection, file)
      expect(errors.slice(0, 1)).toEqual([{ line: 2, field: null, reason: 'is not valid UTF-8' }])
      expect(errors.at(-1)).toEqual({ line: 4, field: null, reason: 'is not valid UTF-8' })
    }
  })

  it('are rejected for an unpaired surrogate in a chunk of text', async () => {
    const text = '{"object":"lead","id":"x","companyId":"c","email":"\ud83c"}\n'
    const { errors } = await importWorld(connection, asText(text))
    expect(errors).toMatchObject([
      { line: 1, field: null, reason: expect.stringContaining('JSON') as string },
    ])
  })

  it('are rejected for each line longer than 16 MiB', async () => {
    const long = `{"object":"lead","id":"x","companyId":"c","email":"${'x'.repeat(17 * 1024 * 1024)}"}`
    const file = toLines([MINIMAL.lead, long, '{'])
    for (const size of [65_536, 64 * 1024 * 1024]) {
      const { errors, errorCount } = await importWorld(connection, inChunks(file, size))
      expect(errorCount).toBe(2)
      expect(errors).toMatchObject([
        { line: 2, field: null, reason: 'is longer than 16 MiB' },
        { line: 3, field: null },
      ])
    }
  })

  it('are rejected for a duplicate id in a kind and company, at the later line, with the number of the first', async () => {
    const { lead, company } = MINIMAL
    const other = { ...company, id: 'other' }
    const fine = [company, other, lead, { ...lead, companyId: 'other' }, { ...lead, id: 'LEAD' }]
    expect(await importRecords(connection, [...fine, { ...MINIMAL.staff, id: 'lead' }])).toMatchObject({
      errorCount: 0,
    })
    const result = await importRecords(connection, [...fine, lead, other, lead])
    expect(result).toEqual({
      records: 0,
      errorCount: 3,
      errors: [
        { line: 6, field: 'id', reason: 'is the id of another lead, on line 3' },
        { line: 7, field: 'id', reason: 'is the id of another company, on line 2' },
        { line: 8, field: 'id', reason: 'is the id of another lead, on line 3' },
      ],
    })
  })

  it('are imported completely or not at all', async () => {
    const before = await exportText(connection)
    const { records } = await importRecords(connection, [
      { ...MINIMAL.company, name: 'Renamed' },
      ...manyLeads(3),
      { ...MINIMAL.task, dueDate: 'soon' },
    ])
    expect(records).toBe(0)
    expect(await exportText(connection)).toBe(before)
  })

  it('lead to the first 20 errors of all types by line, and their number', async () => {
    const wrong = Array.from({ length: 15 }, (_, index) => [
      { ...MINIMAL.lead, id: `w${index}`, email: index },
      { ...MINIMAL.lead, id: `w${index}`, companyId: index % 2 === 0 ? 'nobody' : 'c' },
    ]).flat()
    const { errors, errorCount } = await importRecords(connection, wrong)
    // Odd lines have a wrong field. Of the even ones, line 2 has no company, line 4 the id of line 3, and so on.
    expect(errorCount).toBe(30)
    expect(errors.map(({ line, field }) => [line, field])).toEqual(
      Array.from({ length: 20 }, (_, index) => [index + 1, ['email', 'companyId', 'email', 'id'][index % 4]]),
    )
  })

  it('are checked against owners that have an error too', async () => {
    const { errors } = await importRecords(connection, [
      { ...MINIMAL.quote, id: 'bad', currency: 'dollars' },
      { ...MINIMAL.serviceDay, id: 'fine', quoteId: 'bad' },
    ])
    expect(errors.map((error) => error.line)).toEqual([1])
  })

  it('are imported with progress reports', async () => {
    const seen: { lines: number; bytes: number }[] = []
    const text = toLines(manyLeads(10))
    await importWorld(connection, inChunks(text, 100), { onProgress: (progress) => seen.push(progress) })
    expect(seen.at(-1)).toEqual({ lines: 10, bytes: text.length })
    expect(seen.length).toBeGreaterThan(5)
  })

  it('that end with an error change nothing', async () => {
    const before = await exportText(connection)
    await expect(importWorld(connection, failingAfter(toLines(manyLeads(3))))).rejects.toThrow(
      'the disk is gone',
    )
    expect(await exportText(connection)).toBe(before)
  })

  it('lead to an error if the connection is lost', async () => {
    async function* losing() {
      yield toLines(manyLeads(3))
      await pool.query(`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'`)
      // Enough for a batch whose company does not exist.
      yield toLines(manyLeads(20_000))
    }
    await expect(importWorld(connection, losing())).rejects.toThrow(/terminat|connection|EPIPE|ECONNRESET/i)
  })

  it('that the database rejects change nothing, and lead to one line without SQL', async () => {
    await pool.query(`ALTER TABLE tasks ADD CONSTRAINT no_slips CHECK (description <> E'Slip\\nped')`)
    const before = await exportText(connection)
    const records = [
      { ...MINIMAL.lead, id: 'gone' },
      MINIMAL.event,
      { ...MINIMAL.task, description: 'Slip\nped' },
    ]
    await expect(importRecords(connection, records)).rejects.toThrow(
      /^the database refused the data, nothing was imported: .*"no_slips"$/,
    )
    await pool.query('ALTER TABLE tasks DROP CONSTRAINT no_slips')
    expect(await exportText(connection)).toBe(before)
  })
})

describe('an import file that the database rejects during reading', () => {
  it('changes nothing, and leads to one line without SQL', async () => {
    await pool.query(`ALTER DOMAIN required_text ADD CONSTRAINT no_slips CHECK (VALUE <> 'Slip')`)
    const before = await exportText(connection)
    const types = Array.from({ length: 30_000 }, (_, index) => {
      return { ...MINIMAL.eventType, id: `type${index}`, name: index === 7 ? 'Slip' : 'x'.repeat(100) }
    })
    await expect(importRecords(connection, types)).rejects.toThrow(
      /^the database refused the data, nothing was imported: .*"no_slips"$/,
    )
    await pool.query('ALTER DOMAIN required_text DROP CONSTRAINT no_slips')
    expect(await exportText(connection)).toBe(before)
  })
})
