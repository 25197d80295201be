/** Sends random requests for pages, and compares the responses with the results of plain queries. */
import { openPool } from '../src/db/connect.ts'
import type { Connection } from '../src/db/connect.ts'
import { Random } from '../src/world/demo/random.ts'
import { pathOf, plainPage } from './plain-answers.ts'
import type { PageRequest } from './plain-answers.ts'

/** The same requests in every run */
const SEED = 'answers'

interface Sample {
  id: string
  lead_id: string
  location_id: string
  booking_id: string | null
  event_type_id: string | null
  created_at: string
  updated_at: string
  start_time: string | null
}

/** Counts the responses that differ, and prints the first ones. */
export async function countWrongAnswers(
  connection: Connection,
  companyId: string,
  service: { port: number; key: string },
  requests: number,
): Promise<number> {
  const pool = openPool(connection, 'data', () => undefined)
  try {
    const { rows: samples } = await pool.query<Sample>(
      `SELECT q.id, q.lead_id, q.location_id, q.booking_id, q.event_type_id, q.created_at, q.updated_at,
         (SELECT min(d.service_start_time) FROM service_days d WHERE d.company_id = q.company_id AND d.quote_id = q.id)
           AS start_time
       FROM quotes q WHERE q.company_id = $1 AND q.id LIKE '%7' AND q.id < 'quote_3'`,
      [companyId],
    )
    const random = new Random(SEED)
    let wrong = 0
    for (let i = 0; i < requests; i++) {
      const request = randomRequest(random, samples)
      const path = pathOf(request)
      const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
        headers: { 'x-api-key': service.key },
      })
      const { hasMore, data } = (await response.json()) as {
        hasMore: boolean
        data: { id: string; totalPriceCents: number; updatedAt: string }[]
      }
      const answer = {
        hasMore,
        quotes: data.map(({ id, totalPriceCents, updatedAt }) => ({ id, totalPriceCents, updatedAt })),
      }
      const expected = await plainPage(pool, companyId, request)
      if (JSON.stringify(answer) === JSON.stringify(expected)) continue
      if (wrong++ < 5) console.error(`differs: ${path}`)
    }
    return wrong
  } finally {
    await pool.end()
  }
}

function randomRequest(random: Random, samples: readonly Sample[]): PageRequest {
  const sample = random.pick(samples)
  const other = random.pick(samples)
  const ids: Record<string, string> = {}
  for (const name of ['lead_id', 'location_id', 'booking_id', 'event_type_id'] as const) {
    const id = sample[name]
    if (id !== null && random.chance(0.15)) ids[name] = id
  }
  const bounds: Record<string, string> = {}
  const addBounds = (name: string, first: string | null, second: string | null) => {
    const [from, to] = [first, second].filter((time) => time !== null).toSorted()
    if (from !== undefined && random.chance(0.7))
      bounds[`${name}[${random.chance(0.5) ? 'gt' : 'gte'}]`] = iso(from)
    if (to !== undefined && random.chance(0.6))
      bounds[`${name}[${random.chance(0.5) ? 'lt' : 'lte'}]`] = iso(to)
  }
  if (random.chance(0.5)) addBounds('service_start_time', sample.start_time, other.start_time)
  if (random.chance(0.2)) addBounds('created_at', sample.created_at, other.created_at)
  if (random.chance(0.2)) addBounds('updated_at', sample.updated_at, other.updated_at)
  const limit = random.pick([1, 3, 10, 10, 10, 25])
  return {
    limit,
    ids,
    bounds,
    startingAfter: random.chance(0.4) ? random.pick([sample, other]).id : undefined,
  }
}

function iso(time: string): string {
  return `${time.replace(' ', 'T').replace(/\+00$/, '')}Z`
}
