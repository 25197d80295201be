/** Whether the duration of a denial reveals existing keys and emails. */
import { request as httpRequest, Agent } from 'node:http'
import type { Pool } from 'pg'
import { hashPassword } from '../src/core/security/password.ts'
import { insertDenied } from '../test/support/denials.ts'
import { insert, insertCompany } from '../test/support/records.ts'
import type { Figure } from './item.ts'

/** Limits for the ratio of two medians: the cost of one more row for the database, and the noise of the machine. */
const LOWEST = 0.8
const HIGHEST = 1.25
const COMPANIES = 5

/** Existing keys that are denied, each for another reason. */
const DENIED: Record<string, string> = {
  'a revoked key': 'key-of-yesterday',
  'a key of another address': 'key-of-elsewhere',
  'a key of a plan without access': 'key-of-a-basic-plan',
}

/** Runs before the server starts, which caches the number of companies of an email. */
export async function insertForTiming(pool: Pool): Promise<void> {
  await insertDenied(pool)
  for (let i = 0; i < COMPANIES; i++) {
    await insertCompany(pool, `co_timed_${i}`)
    await insert(pool, 'users', {
      company_id: `co_timed_${i}`,
      id: 'user',
      email: 'five@example.com',
      name: 'Ada',
      role: 'MEMBER',
      password_hash: await hashPassword(`password of company ${i}`),
    })
  }
}

interface Call {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

/** Sends a request on a persistent connection. Returns the milliseconds until its response is complete. */
function timeOf(agent: Agent, port: number, status: number, { body, ...call }: Call): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const request = httpRequest({ host: '127.0.0.1', port, agent, ...call }, (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode === status) resolve(performance.now() - startedAt)
        else reject(new Error(`${call.path} responded with ${response.statusCode}`))
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}

export async function signInTimingFigure(pool: Pool, port: number, rounds: number): Promise<Figure> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const time = async (email: string) => {
    await pool.query('DELETE FROM sign_in_failures')
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ email, password: 'a wrong password' })
    return timeOf(agent, port, 401, { method: 'POST', path: '/console/session', headers, body })
  }
  const [unknown, five]: [number[], number[]] = [[], []]
  for (let i = 0; i < rounds; i++) {
    unknown.push(await time(`nobody-${i}@example.com`))
    five.push(await time('five@example.com'))
  }
  agent.destroy()
  const name = `failed sign-in: an email of ${COMPANIES} companies against an unknown one`
  return ratioFigure(name, five, unknown)
}

export async function keyTimingFigures(port: number, rounds: number): Promise<Figure[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const time = (key: string) =>
    timeOf(agent, port, 401, { method: 'GET', path: '/api/resources', headers: { 'x-api-key': key } })
  const unknown: number[] = []
  const denied = new Map(Object.keys(DENIED).map((reason) => [reason, [] as number[]]))
  for (let i = 0; i < rounds; i++) {
    unknown.push(await time('key-that-does-not-exist'))
    for (const [reason, key] of Object.entries(DENIED)) denied.get(reason)?.push(await time(key))
  }
  agent.destroy()
  return [...denied].map(([reason, times]) =>
    ratioFigure(`denial: ${reason} against an unknown one`, times, unknown),
  )
}

function ratioFigure(name: string, times: readonly number[], others: readonly number[]): Figure {
  const [one, other] = [median(times), median(others)]
  const ratio = one / other
  return {
    name: `${name}, ratio of medians`,
    value: Math.round(ratio * 100) / 100,
    goal: `${LOWEST} to ${HIGHEST}`,
    pass: ratio >= LOWEST && ratio <= HIGHEST,
    detail: `${one.toFixed(1)} ms and ${other.toFixed(1)} ms, ${times.length} of each`,
  }
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}
