import { describe, expect, it } from 'vitest'
import { bookQuote, markLost, markSent } from './support/quote-actions.ts'
import { plant } from './support/quotes.ts'
import { exportRecords, importValid } from './support/world.ts'
import { CUSTOM, createQuoteEditor, done, expectRoundTrip } from './support/quote-edit.ts'

const { pool, connection, plantQuote, find, save } = await createQuoteEditor()

describe('saving a quote after another change', () => {
  it('does not overwrite an earlier save', async () => {
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
    ['changes the percentage of its tax rate', "UPDATE tax_rates SET rate = 9 WHERE id = 'tax of $'"],
    ['removes its tax rate', "DELETE FROM tax_rates WHERE id = 'tax of $'"],
  ])('conflicts with a transaction that %s', async (_, sql) => {
    const id = await plantQuote()
    await plant(pool, 'tax_rates', 'co_1', `tax of ${id}`)
    await pool.query('UPDATE quotes SET tax_rate_id = $1 WHERE id = $2', [`tax of ${id}`, id])
    const quote = await find(id)
    const { rowCount } = await pool.query(sql.replaceAll('$', () => id))
    expect(rowCount).toBe(1)
    expect((await find(id)).version).not.toBe(quote.version)
    expect(await save(quote, { baseFeeCents: 1 })).toEqual({ kind: 'conflict' })
  })

  it('conflicts with an import of the quote', async () => {
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

  it('succeeds once for eight concurrent saves', async () => {
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
})

it('keeps the world unchanged by export and import', () => expectRoundTrip(connection))
