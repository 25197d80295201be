import { describe, expect, it } from 'vitest'
import { createDatabase } from './support/database.ts'
import { exportText, importRecords, importValid, MINIMAL_WORLD } from './support/world.ts'
import type { TestRecord } from './support/world.ts'

/** Records of every kind, with the same ids as in the other companies. */
function worldOf(companyId: string): TestRecord[] {
  return MINIMAL_WORLD.map((record) => {
    if (record['object'] === 'company') return { ...record, id: companyId, name: `Company ${companyId}` }
    const own = { ...record, companyId }
    return record['object'] === 'apiKey' ? { ...own, key: `a-plain-key-of-${companyId}` } : own
  })
}

/** One is a prefix of another, and one must be escaped in SQL. */
const COMPANIES = ['c', 'c1', "o'\\neil"]

const source = await createDatabase()
await importValid(source.connection, COMPANIES.flatMap(worldOf))
const world = await exportText(source.connection)

describe('export of one company', () => {
  it('has exactly the lines of the company in the complete export', async () => {
    const parts: string[] = []
    for (const companyId of COMPANIES) {
      const text = await exportText(source.connection, companyId)
      const records = text.split('\n').filter((line) => line !== '')
      expect(records).toHaveLength(MINIMAL_WORLD.length)
      const owners = records.map((line) => {
        const { object, id, companyId: owner } = JSON.parse(line) as TestRecord
        return object === 'company' ? id : owner
      })
      expect(new Set(owners)).toEqual(new Set([companyId]))
      parts.push(text)
    }
    expect(parts.join('')).toBe(world)
  })

  it('has the same bytes after an import into an empty installation', async () => {
    for (const companyId of COMPANIES) {
      const text = await exportText(source.connection, companyId)
      const target = await createDatabase()
      expect(await importRecords(target.connection, [text.trimEnd()])).toMatchObject({ errorCount: 0 })
      expect(await exportText(target.connection)).toBe(text)
      expect(await exportText(target.connection, companyId)).toBe(text)
    }
  })

  it('fails for an unknown company', async () => {
    await expect(exportText(source.connection, 'c2')).rejects.toThrow('there is no company c2')
  })
})
