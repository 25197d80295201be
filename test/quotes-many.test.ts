/** Filters on more quotes than are looked at one by one: other ways of reading a page begin there. */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createQuoteApi, idsOf, plantMany } from './support/quotes.ts'

const { pool, list } = await createQuoteApi()

const COUNT = 1_300
const MINUTE = 60_000
const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)
const iso = (time: number) => new Date(time).toISOString()

/** Newest first, as the list has them. Some share the moment of their creation; updates and days are out of order. */
const quotes = Array.from({ length: COUNT }, (_, i) => {
  const number = COUNT - i
  return {
    id: `q_${String(number).padStart(5, '0')}`,
    createdAt: START + Math.floor(number / 3) * MINUTE,
    updatedAt: START + ((number * 7_919) % COUNT) * MINUTE,
    locationId: `loc_${number % 3}`,
    days: Array.from(
      { length: number % 4 },
      (__, day) => START + ((number * 31 + day * 13) % 700) * (DAY / 2),
    ),
  }
})

await plantMany(
  pool,
  'quotes',
  'co_1',
  quotes.map(({ id, createdAt, updatedAt, locationId }) => ({
    id,
    created_at: iso(createdAt),
    updated_at: iso(updatedAt),
    location_id: locationId,
  })),
)
await plantMany(
  pool,
  'service_days',
  'co_1',
  quotes.flatMap(({ id, days }) =>
    days.map((start, i) => ({ id: `${id}_${i}`, quote_id: id, service_start_time: iso(start) })),
  ),
)

const range = (unit: number, most: number) =>
  fc
    .tuple(fc.integer({ min: -1, max: most }), fc.integer({ min: 0, max: most }))
    .map(([from, length]) => ({ from: START + from * unit, before: START + (from + length) * unit }))

const requests = fc.record({
  created: fc.option(range(MINUTE, 434), { freq: 3 }),
  updated: fc.option(range(MINUTE, COUNT)),
  served: fc.option(range(DAY / 2, 700)),
  location: fc.option(fc.integer({ min: 0, max: 2 }), { freq: 2 }),
  cursor: fc.option(fc.integer({ min: 0, max: COUNT - 1 })),
  limit: fc.constantFrom(1, 10, 100),
})

it('every combination of filters gives exactly its page', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async ({ created, updated, served, location, cursor, limit }) => {
      const isInside = (time: number, bounds: { from: number; before: number } | null) =>
        bounds === null || (time >= bounds.from && time < bounds.before)
      const matching = quotes.filter(
        (quote) =>
          isInside(quote.createdAt, created) &&
          isInside(quote.updatedAt, updated) &&
          (served === null || quote.days.some((day) => isInside(day, served))) &&
          (location === null || quote.locationId === `loc_${location}`),
      )
      const after = cursor === null ? null : (quotes[cursor]?.id ?? '')
      const start = after === null ? 0 : matching.findIndex(({ id }) => id === after) + 1
      const rest = after !== null && start === 0 ? [] : matching.slice(start)
      const query = new URLSearchParams({ limit: String(limit) })
      for (const [name, bounds] of Object.entries({
        created_at: created,
        updated_at: updated,
        service_start_time: served,
      })) {
        if (bounds === null) continue
        query.set(`${name}[gte]`, iso(bounds.from))
        query.set(`${name}[lt]`, iso(bounds.before))
      }
      if (location !== null) query.set('location_id', `loc_${location}`)
      if (after !== null) query.set('starting_after', after)
      const page = await list(query.toString())
      expect(idsOf(page)).toEqual(rest.slice(0, limit).map(({ id }) => id))
      expect(page.hasMore).toBe(rest.length > limit)
    }),
    { numRuns: 150 },
  )
})
