/** Measures how long a change of access takes to reach another process, for tests and the torture tool. */
import { setTimeout as sleep } from 'node:timers/promises'
import { generateApiKey, hashApiKey } from '../../src/core/security/api-key.ts'
import { createApiKey, revokeApiKey } from '../../src/records/api-key/queries.ts'
import { withClient } from '../../src/db/connect.ts'
import type { Connection } from '../../src/db/connect.ts'
import { importWorld } from '../../src/world/import.ts'

/** Pause between two requests, and the maximum error of measured times */
const STEP_MS = 4
/** Timeout, well above the one second within which a change must take effect */
const GIVE_UP_MS = 20_000

export const CHANGES = ['revocation', 'plan change', 'allowed-IP change'] as const
export type Change = (typeof CHANGES)[number]

interface ChangeOptions {
  connection: Connection
  /** The port of the process in which the change must take effect */
  port: number
  trials: number
  random: () => number
}

/** Changes access like an operator, at a random time after the process last read the key. */
export async function measureChange(
  change: Change,
  { connection, port, trials, random }: ChangeOptions,
): Promise<number[]> {
  const companyId = `co_${change.replaceAll(/\W/g, '_')}`
  const store = (facts: object) => importCompany(connection, { id: companyId, ...facts })
  const statusOf = (key: string) => requestStatus(port, key)
  await store({})
  const times: number[] = []
  for (let trial = 0; trial < trials; trial++) {
    const key = generateApiKey()
    const keyId = await withClient(connection, (client) =>
      createApiKey(client, companyId, { name: `Trial ${trial}`, keyHash: hashApiKey(key) }),
    )
    await expectStatus(statusOf, key, 200)
    await sleep(random() * 600)
    await expectStatus(statusOf, key, 200)
    if (change === 'revocation') {
      await withClient(connection, (client) => revokeApiKey(client, companyId, keyId ?? ''))
      times.push(await timeUntil(statusOf, key, 401))
      continue
    }
    await store(change === 'plan change' ? { plan: 'BASIC' } : { allowedIps: ['192.0.2.1'] })
    times.push(await timeUntil(statusOf, key, 401))
    // Restores access, because denials must not be cached for longer either.
    await store({})
    times.push(await timeUntil(statusOf, key, 200))
  }
  return times
}

async function importCompany(connection: Connection, facts: object): Promise<void> {
  const company = { object: 'company', name: 'Trials', plan: 'PREMIUM', currency: 'USD', ...facts }
  const { errors } = await importWorld(connection, oneLine(JSON.stringify(company)))
  if (errors.length > 0) throw new Error(JSON.stringify(errors))
}

async function* oneLine(text: string): AsyncGenerator<string> {
  yield `${text}\n`
}

async function requestStatus(port: number, key: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/resources`, { headers: { 'x-api-key': key } })
  await answer.arrayBuffer()
  return answer.status
}

async function expectStatus(
  statusOf: (key: string) => Promise<number>,
  key: string,
  expected: number,
): Promise<void> {
  const status = await statusOf(key)
  if (status !== expected) throw new Error(`expected status ${expected}, got ${status}`)
}

/** Milliseconds from the acknowledgment of the change (now) to the start of the first request that gets the status. */
async function timeUntil(
  statusOf: (key: string) => Promise<number>,
  key: string,
  expected: number,
): Promise<number> {
  const acknowledged = performance.now()
  for (;;) {
    const elapsedMs = performance.now() - acknowledged
    if ((await statusOf(key)) === expected) {
      // The change must stay in effect.
      await expectStatus(statusOf, key, expected)
      return elapsedMs
    }
    if (elapsedMs > GIVE_UP_MS) throw new Error(`the change has no effect after ${GIVE_UP_MS} ms`)
    await sleep(STEP_MS)
  }
}

/** For changes that take effect within a second. The timeout leaves room for slow machines. */
export const WITHIN_A_SECOND = { timeout: 10_000, interval: 50 }
