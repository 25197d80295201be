/** Saving a quote while an import or another transaction holds its rows. */
import { describe, expect, it } from 'vitest'
import { createQuoteEditor } from '../../test/support/quote-edit.ts'
import { exportRecords, importValid } from '../../test/support/world.ts'

const { pool, connection, get, plantQuote, find, save } = await createQuoteEditor()

describe('saving a quote', () => {
  it('does not block imports of the quote, and is not blocked by them', async () => {
    const id = await plantQuote()
    const records = await exportRecords(connection)
    const own = records.filter((record) => record['id'] === id || record['quoteId'] === id)
    const progress = { isOver: false }
    const importing = (async () => {
      for (let i = 0; i < 12; i++) {
        const lines = own.map((record) => ({
          ...record,
          ...(record['object'] === 'lineItem' ? { priceCents: i, deletedAt: null } : {}),
          ...(record['object'] === 'serviceDay' ? { serviceEndTime: `2026-06-03T00:00:${10 + i}Z` } : {}),
        }))
        await importValid(connection, i % 2 === 0 ? lines : lines.toReversed())
      }
    })().finally(() => (progress.isOver = true))
    const kinds = new Set<string>()
    while (!progress.isOver) {
      const quote = await find(id)
      const lines = quote.content.lines.map((line) => ({ ...line, priceCents: 500 }))
      kinds.add((await save(quote, { lines: kinds.size % 2 === 0 ? lines : lines.toReversed() })).kind)
    }
    await importing
    expect(['done', 'conflict', 'busy']).toEqual(expect.arrayContaining([...kinds]))
    expect(kinds).toContain('done')
    expect((await find(id)).price.totalCents).toBe((await get(id)).totalPriceCents)
  })

  it('reports busy while another transaction holds the quote', async () => {
    const id = await plantQuote()
    const quote = await find(id)
    const client = await pool.connect()
    try {
      await client.query('BEGIN')
      await client.query('UPDATE quotes SET guest_count = 5 WHERE id = $1', [id])
      expect(await save(quote, { baseFeeCents: 1 })).toEqual({ kind: 'busy' })
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
    expect((await save(quote, { baseFeeCents: 1 })).kind).toBe('done')
  })
})
