/** Writes with and without an idempotency key, because the service saves them in different ways (src/actions/action.ts). */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Call, Client } from './client.ts'
import type { Random } from './random.ts'

/** Null for about a third of the writes, which have no key. */
export function chooseKey(random: Random, key: string): string | null {
  return random.between(1, 3) === 1 ? null : key
}

const PAUSE_MS = 20

/**
 * Sends a write until it gets a response. Null if a write without a key loses its response, because a repetition could save it
 * twice. `pickClient` is called for each attempt.
 */
export async function sendWrite(
  pickClient: () => Client,
  call: Call,
  key: string | null,
): Promise<Answer | null> {
  const headers = key === null ? {} : { 'idempotency-key': key }
  for (;;) {
    const answer = await pickClient().send({ ...call, headers })
    if (answer.status !== 0 && answer.status < 500) return answer
    await sleep(PAUSE_MS)
    // A refused connection sends no request.
    if (key === null && answer.failure !== 'ECONNREFUSED') return null
  }
}
