/** Hostile values in every parameter of every endpoint, and random requests, never cause a server error. */
import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../../src/api/endpoints.ts'
import { DEMO_KEYS } from '../../src/world/demo/demo-world.ts'
import { fuzz } from '../../test/support/any-request.ts'
import { createDemoDatabase } from '../../test/support/database.ts'
import { hostileProblemOf as problemOf } from '../../test/support/errors.ts'
import { startServer } from '../../test/support/server.ts'
import { watchedPool } from '../../test/support/watched-pool.ts'

const [{ key: KEY }] = DEMO_KEYS
const { connection } = await createDemoDatabase()
const statements = new Set<string>()
const data = watchedPool(connection, 'data', (text) => statements.add(text))
const server = await startServer(connection, { data })

/** The shortest value of each type, for every parameter of every endpoint. */
const FOR_PARAMETERS = [
  '',
  '%00',
  '%zz',
  '%FF',
  '%ED%A0%80',
  'a'.repeat(10_000),
  "'",
  '{}',
  '-1',
  '1e309',
  '%20',
  ',',
]

const paths = ENDPOINTS.map((endpoint) => [endpoint.method, endpoint.path, endpoint] as const)

describe('R11, R13: a hostile parameter never causes a server error', () => {
  it.each(paths)('%s %s', async (method, path, { query }) => {
    const names = [...Object.keys(query.shape), 'expand[]', 'expand']
    const queries = FOR_PARAMETERS.flatMap((value) => [
      ...names.map((name) => `${name}=${value}`),
      `${value}=1`,
      `limit[${value}]=1`,
      `expand[${value}]=1`,
      `&=${value}&`,
    ])
    const targets = queries.map((sent) => `${path.replace(/:\w+/, 'some-id')}?${sent}`)
    // Few at once: a busy server would reject some of hundreds.
    for (let i = 0; i < targets.length; i += 20) {
      const answers = await Promise.all(
        targets
          .slice(i, i + 20)
          .map((target) => server.call(target, { method, headers: { 'x-api-key': KEY } })),
      )
      expect(answers.map((answer) => problemOf(answer)).filter((problem) => problem !== null)).toEqual([])
    }
  })
})

describe('any request', () => {
  it('gets an answer below 500, in the shape of its endpoint', { timeout: 300_000 }, async () => {
    const { problem, requests, statuses } = await fuzz(server.port, KEY, { requests: 2_000 })
    expect(problem).toBeNull()
    expect(requests).toBe(2_000)
    // The requests get far into the service.
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 401, 404, 405, 413]))
  })

  it('logs no server error', () => {
    expect(server.log.filter(({ level }) => Number(level) >= 40)).toEqual([])
  })

  it('never becomes part of a statement', () => {
    expect(statements.size).toBeGreaterThan(30)
    const texts = [...statements].join('\n')
    for (const sent of [
      'quote_0246',
      'loc_tokyo',
      'lead_0135',
      'DROP',
      '2026-',
      'a'.repeat(100),
      '__proto__',
      '<script>',
    ])
      expect(texts).not.toContain(sent)
  })
})
