import { describe, expect, it } from 'vitest'
import { createQuoteApi, expandQuery, plant } from './support/quotes.ts'

const { pool, list, get } = await createQuoteApi()

// Each transaction changes both lines, discount, charge and tax. The quote has two consistent states:
// 10000 + 500 with 10 % tax, and 0 + 20500 with 0 % tax. Any mixture has another total.
await plant(pool, 'discounts', 'co_1', 'discount', { percent_off: '50' })
await plant(pool, 'tax_rates', 'co_1', 'tax', { rate: '10' })
await plant(pool, 'service_charges', 'co_1', 'charge', { percentage: '0' })
await plant(pool, 'quotes', 'co_1', 'q_moving', {
  created_at: '2026-02-02T00:00:00Z',
  tax_rate_id: 'tax',
  service_charge_ids: ['charge'],
})
await plant(pool, 'line_items', 'co_1', 'line_a', { quote_id: 'q_moving', price_cents: 10_000 })
await plant(pool, 'line_items', 'co_1', 'line_b', { quote_id: 'q_moving', price_cents: 500 })
// The same transactions change a second quote, which shows whether a page comes from one snapshot.
await plant(pool, 'quotes', 'co_1', 'q_opposite', { created_at: '2026-01-01T00:00:00Z', base_fee_cents: 3 })

const AT_FIRST = Math.round((10_000 + 500) * 1.1)
const LATER = 20_500 / 2 + Math.round((20_500 / 2) * 0.3)
const OPPOSITE = new Map([
  [AT_FIRST, 3],
  [LATER, 7],
])

const MOVES = {
  later: [
    "UPDATE line_items SET price_cents = 0 WHERE company_id = 'co_1' AND id = 'line_a'",
    "UPDATE line_items SET price_cents = 20500 WHERE company_id = 'co_1' AND id = 'line_b'",
    "UPDATE quotes SET base_fee_cents = 7 WHERE company_id = 'co_1' AND id = 'q_opposite'",
    "UPDATE quotes SET discount_id = 'discount' WHERE company_id = 'co_1' AND id = 'q_moving'",
    "UPDATE service_charges SET percentage = 30 WHERE company_id = 'co_1' AND id = 'charge'",
    "UPDATE tax_rates SET rate = 0 WHERE company_id = 'co_1' AND id = 'tax'",
  ],
  back: [
    "UPDATE tax_rates SET rate = 10 WHERE company_id = 'co_1' AND id = 'tax'",
    "UPDATE service_charges SET percentage = 0 WHERE company_id = 'co_1' AND id = 'charge'",
    "UPDATE line_items SET price_cents = 500 WHERE company_id = 'co_1' AND id = 'line_b'",
    "UPDATE quotes SET base_fee_cents = 3 WHERE company_id = 'co_1' AND id = 'q_opposite'",
    "UPDATE line_items SET price_cents = 10000 WHERE company_id = 'co_1' AND id = 'line_a'",
    "UPDATE quotes SET discount_id = NULL WHERE company_id = 'co_1' AND id = 'q_moving'",
  ],
}

/** Switches between both states until `stop`, each time in one transaction. */
async function moveUntil(stop: AbortSignal): Promise<number> {
  const client = await pool.connect()
  let moves = 0
  try {
    while (!stop.aborted) {
      for (const statements of [MOVES.later, MOVES.back]) {
        await client.query('BEGIN')
        for (const statement of statements) await client.query(statement)
        await client.query('COMMIT')
        moves++
      }
    }
  } finally {
    client.release()
  }
  return moves
}

describe('P1: a total comes from one snapshot', () => {
  it('never mixes values from before and after a concurrent change of lines, discount, charge and tax', async () => {
    const stop = new AbortController()
    const moving = moveUntil(stop.signal)
    const paths = ['taxRate', 'discounts', 'serviceCharges', 'booking.events']
    const single: number[] = []
    const pairs: [number, number][] = []
    const readers = Array.from({ length: 6 }, async (_, reader) => {
      for (let i = 0; i < 80; i++) {
        if (reader % 2 === 0) {
          single.push((await get('q_moving', i % 3 === 0 ? expandQuery(paths) : '')).totalPriceCents)
        } else {
          const [moved, opposite] = (await list(i % 3 === 0 ? expandQuery(paths, 'data.') : '')).data
          pairs.push([moved?.totalPriceCents ?? -1, opposite?.totalPriceCents ?? -1])
        }
      }
    })
    await Promise.all(readers).finally(() => stop.abort())
    expect(await moving).toBeGreaterThan(20)

    const totals = [...single, ...pairs.map(([total]) => total)]
    expect([...new Set(totals)].toSorted((a, b) => a - b)).toEqual([AT_FIRST, LATER])
    expect(pairs.filter(([moved, opposite]) => OPPOSITE.get(moved) !== opposite)).toEqual([])
    // Both states were read often, so changes and reads were concurrent.
    for (const total of [AT_FIRST, LATER])
      expect(totals.filter((seen) => seen === total).length).toBeGreaterThan(10)
  })
})
