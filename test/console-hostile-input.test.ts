/** Arbitrary input of a signed-in user gets a response in our error shape, and never a server error. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CONSOLE_REQUESTS } from './support/console-requests.ts'
import { signedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { LINK_REQUESTS } from './support/links.ts'
import { RUNS } from './support/property-runs.ts'
import { startServer } from './support/server.ts'
import { MINIMAL_WORLD, importValid } from './support/world.ts'

const REQUESTS = Math.ceil(RUNS / 20)

const database = await createDatabase()
await importValid(database.connection, MINIMAL_WORLD)
const server = await startServer(database.connection)
const { cookie } = await signedIn(server, database, 'c')

const odd = fc.constantFrom<unknown>(
  null,
  '',
  '\0',
  '\u{1F389}',
  "' OR 1=1 --",
  '%',
  -1,
  0.5,
  1e300,
  100_000_000_001,
  '2026-02-30T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  'x'.repeat(5_000),
  true,
  [],
  {},
)
const anything = fc.oneof(odd, fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 2 }), fc.double())

/** The body with one member, at any depth, replaced or added. */
function withChange(body: object | undefined, path: number[], name: string, value: unknown): unknown {
  const copy = structuredClone(body ?? {}) as Record<string, unknown>
  let place = copy
  for (const step of path) {
    const inside = Object.values(place).filter((member) => typeof member === 'object' && member !== null)
    const next = inside[step % Math.max(1, inside.length)]
    if (next === undefined) break
    place = next as Record<string, unknown>
  }
  if (Array.isArray(place)) {
    place.push(value)
    return copy
  }
  const names = Object.keys(place)
  place[names.includes(name) || names.length === 0 ? name : (names[name.length % names.length] ?? name)] =
    value
  return copy
}

const QUERY_NAMES = [
  'limit',
  'starting_after',
  'search',
  'state',
  'from',
  'to',
  'timeZone',
  'locationId',
  'lead_id',
  'created_at[gte]',
  'service_start_time[lt]',
  'key',
  'status',
  'method',
  'path',
  'before',
  'requestId',
  'sort',
  'archived',
  'after',
  'category',
]

describe('arbitrary input to a call of the application gets a response below 500', () => {
  it.each(Object.entries({ ...CONSOLE_REQUESTS, ...LINK_REQUESTS }))(
    '%s',
    async (name, request) => {
      const [method = '', path = ''] = name.split(' ')
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.nat(5), { maxLength: 3 }),
          fc.string({ maxLength: 8 }),
          anything,
          fc.array(fc.tuple(fc.constantFrom(...QUERY_NAMES), fc.oneof(odd, fc.string({ unit: 'binary' }))), {
            maxLength: 4,
          }),
          async (steps, member, value, pairs) => {
            const query = pairs.map(([key, text]) => `${encodeURIComponent(key)}=${encode(text)}`).join('&')
            const answer = await server.call(`${path.replace(':id', request.id ?? '')}?${query}`, {
              method,
              headers: { cookie, ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) },
              ...(method === 'GET'
                ? {}
                : { body: JSON.stringify(withChange(request.body, steps, member, value)) }),
            })
            expect(answer.status, answer.text).toBeLessThan(500)
            const isError = typeof (answer.body as { error?: { code?: unknown } })?.error?.code === 'string'
            expect(isError, answer.text).toBe(answer.status >= 400)
            expect(answer.text).not.toMatch(/\bSELECT\b|syntax error|at \w+ \(/)
          },
        ),
        // Comparing passwords is slow on purpose.
        { numRuns: path.endsWith('/password') ? Math.min(40, REQUESTS) : REQUESTS },
      )
    },
    120_000,
  )
})

/** Also what no browser sends: half of a pair is cut off. */
function encode(value: unknown): string {
  return encodeURIComponent(Buffer.from(String(value)).toString())
}
