/** TypeScript and SQL each derive the state of a quote. These tests compare them. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { QUOTE_STATES, quoteState } from '../src/core/quotes/quote-state.ts'
import type { QuoteState, QuoteTimes } from '../src/core/quotes/quote-state.ts'
import { listQuotes } from '../src/records/quote/queries.ts'
import { createDatabase } from './support/database.ts'
import { plantMany } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'

const { pool } = await createDatabase()
const NOW = '2026-05-01T12:00:00.000Z'
const BEFORE = '2026-05-01T11:59:59.999Z'
const AFTER = '2026-05-01T12:00:00.001Z'

const TIMES: (string | null)[] = [null, BEFORE, NOW, AFTER]
const all: (QuoteTimes & { id: string })[] = TIMES.flatMap((sentAt, s) =>
  TIMES.flatMap((expiresAt, e) =>
    TIMES.flatMap((bookedAt, b) =>
      TIMES.map((lostAt, l) => ({ id: `q_${s}${e}${b}${l}`, sentAt, expiresAt, bookedAt, lostAt })),
    ),
  ),
)
for (const companyId of ['co_1', 'co_2']) {
  await insertCompany(pool, companyId)
  await plantMany(
    pool,
    'quotes',
    companyId,
    all.map(({ id, sentAt, expiresAt, bookedAt, lostAt }) => ({
      id: companyId === 'co_1' ? id : `other_${id}`,
      sent_at: sentAt,
      expires_at: expiresAt,
      booked_at: bookedAt,
      lost_at: lostAt,
      created_at: NOW,
    })),
  )
}

/** All quotes of a state, page by page. */
async function idsOf(is: QuoteState, now: string, limit: number): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const filters = { ids: {}, createdAt: null, updatedAt: null, serviceStartTime: null, state: { is, now } }
    const { rows, hasMore } = await listQuotes(pool, 'co_1', filters, { limit, startingAfter: ids.at(-1) })
    ids.push(...rows.map((row) => row.get('id')))
    if (!hasMore) return ids
  }
}

describe('quoteState and quote_state() of the database', () => {
  it.each(QUOTE_STATES)('the list of state %s has exactly these quotes, in order', async (state) => {
    for (const now of [BEFORE, NOW, AFTER]) {
      const expected = all.filter((times) => quoteState(times, now) === state).map(({ id }) => id)
      expect(await idsOf(state, now, 100)).toEqual(expected.toSorted().toReversed())
      expect(await idsOf(state, now, 25)).toEqual(expected.toSorted().toReversed())
    }
  })

  it('agree for any times', async () => {
    const time = fc
      .date({
        min: new Date('0001-01-01T00:00:00Z'),
        max: new Date('9999-12-31T23:59:59Z'),
        noInvalidDate: true,
      })
      .map((date) => date.toISOString())
    const near = fc.constantFrom(BEFORE, NOW, AFTER)
    const maybe = fc.option(fc.oneof(time, near), { nil: null })
    const times = fc.record({ sentAt: maybe, expiresAt: maybe, bookedAt: maybe, lostAt: maybe })
    await fc.assert(
      fc.asyncProperty(
        fc.array(times, { minLength: 50, maxLength: 200 }),
        fc.oneof(time, near),
        async (many, now) => {
          const { rows } = await pool.query<{ state: string }>(
            `SELECT CASE WHEN state = 'sent' AND "expiresAt" <= $2 THEN 'expired' ELSE state END AS state
           FROM ROWS FROM (json_to_recordset($1) AS
             ("sentAt" timestamptz, "expiresAt" timestamptz, "bookedAt" timestamptz, "lostAt" timestamptz)
           ) WITH ORDINALITY AS t ("sentAt", "expiresAt", "bookedAt", "lostAt", n),
             LATERAL quote_state("sentAt", "bookedAt", "lostAt") AS state
           ORDER BY n`,
            [JSON.stringify(many), now],
          )
          expect(rows.map(({ state }) => state)).toEqual(many.map((one) => quoteState(one, now)))
        },
      ),
      { numRuns: 20 },
    )
  })
})
