import { describe, expect, it } from 'vitest'
import { bookQuote, markLost, markSent } from './support/quote-actions.ts'
import { plant } from './support/quotes.ts'
import { exportRecords, importValid } from './support/world.ts'
import { CUSTOM, createQuoteEditor, done, expectRoundTrip } from './support/quote-edit.ts'

const { pool, connection, get, plantQuote, find, save } = await createQuoteEditor()

describe('somebody else', () => {
  it('who saved first is not overwritten', async () => {
    const id = await plantQuote()
    const [mine, theirs] = [await find(id), await find(id)]
    const saved = done(await save(theirs, { baseFeeCents: 900 }))
    expect(await save(mine, { travelFeeCents: 100 })).toEqual({ kind: 'conflict' })
    expect(await markSent(pool, 'co_1', id, mine.version, null)).toEqual({ kind: 'conflict' })
    expect(await markLost(pool, 'co_1', id, mine.version, 'PRICE')).toEqual({ kind: 'conflict' })
    expect(await bookQuote(pool, 'co_1', id, mine.version)).toEqual({ kind: 'conflict' })
    expect(await find(id)).toEqual({ ...saved, catalog: (await find(id)).catalog })
  })

  it.each<[what: string, sql: string]>([
    ['changes a line', "UPDATE line_items SET description = 'x' WHERE id = '$ line 1'"],
    ['removes a line', "UPDATE line_items SET deleted_at = now() WHERE id = '$ line 1'"],
    ['sends it', "UPDATE quotes SET sent_at = now() WHERE id = '$'"],
    ['gives it an expiry', "UPDATE quotes SET expires_at = now() WHERE id = '$'"],
    ['loses it', "UPDATE quotes SET lost_at = now() WHERE id = '$'"],
    ['touches it', "UPDATE quotes SET updated_at = now() + interval '1 s' WHERE id = '$'"],
    ['moves a day', "UPDATE service_days SET service_end_time = '2026-06-03T00:00Z' WHERE id = '$ day 1'"],
    ['changes what its tax rate is', "UPDATE tax_rates SET rate = 9 WHERE id = 'tax of $'"],
    ['removes its tax rate', "DELETE FROM tax_rates WHERE id = 'tax of $'"],
  ])('who %s is noticed', async (_, sql) => {
    const id = await plantQuote()
    await plant(pool, 'tax_rates', 'co_1', `tax of ${id}`)
    await pool.query('UPDATE quotes SET tax_rate_id = $1 WHERE id = $2', [`tax of ${id}`, id])
    const quote = await find(id)
    const { rowCount } = await pool.query(sql.replaceAll('$', () => id))
    expect(rowCount).toBe(1)
    expect((await find(id)).version).not.toBe(quote.version)
    expect(await save(quote, { baseFeeCents: 1 })).toEqual({ kind: 'conflict' })
  })

  it('who imports the quote in between is noticed', async () => {
    const id = await plantQuote()
    const quote = await find(id)
    const records = await exportRecords(connection, { object: 'quote', id })
    await importValid(
      connection,
      records.map((record) => ({ ...record, travelFeeCents: 4_200 })),
    )
    expect(await save(quote, { baseFeeCents: 1 })).toEqual({ kind: 'conflict' })
    expect((await find(id)).content).toMatchObject({ baseFeeCents: 0, travelFeeCents: 4_200 })
  })

  it('who saves at the same moment: exactly one of them wins', async () => {
    const id = await plantQuote()
    const quote = await find(id)
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        save(quote, { baseFeeCents: i + 1, lines: [...quote.content.lines, { ...CUSTOM, priceCents: i }] }),
      ),
    )
    const winners = outcomes.flatMap((outcome, i) => (outcome.kind === 'done' ? i : []))
    expect(winners).toHaveLength(1)
    expect(outcomes.filter(({ kind }) => kind === 'conflict')).toHaveLength(7)
    const { content } = await find(id)
    expect(content.baseFeeCents).toBe((winners[0] ?? 0) + 1)
    expect(content.lines).toHaveLength(4)
  })

  it('who imports at the same time is never in the way, nor stopped', async () => {
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

it('the exported world can be imported and stays the same', () => expectRoundTrip(connection))
