/** One attempt of a claimed delivery, and what follows from its outcome. */
import { nextAttempt } from '../../core/webhooks/next-attempt.ts'
import type { WebhookSecrets } from '../../core/security/webhook-secret.ts'
import type { Claimed, EndpointKey, Result } from '../../records/webhook-delivery/queue.ts'
import { createMessage } from './message.ts'
import type { AttemptOutcome, Sender } from './send.ts'

/** 410: the receiver unsubscribes. */
export const GONE = 410

const NOT_KEPT = 'The change is no longer kept'
const NOT_DECRYPTED = 'The signing secret cannot be decrypted. Rotate it.'

/** Null if it was aborted. */
export async function attemptDelivery(
  { secrets, sender }: { secrets: Pick<WebhookSecrets, 'open'>; sender: Sender },
  endpoint: EndpointKey,
  { url, secrets: sealed, change }: Claimed,
): Promise<AttemptOutcome | null> {
  const now = new Date()
  const message =
    change === null ? null : createMessage(endpoint, { url, secrets: sealed, change }, secrets, now)
  if (message !== null) return sender.send(message)
  const error = change === null ? NOT_KEPT : NOT_DECRYPTED
  const attempt = { at: now.toISOString(), status: null, error, durationMs: 0, response: '' }
  return { ...attempt, isDelivered: false, retryAfter: undefined }
}

/** `attempts` are those before this one. */
export function resultOf({ number, attempts }: Claimed, outcome: AttemptOutcome): Result {
  const { at, status, error, durationMs, response, isDelivered, retryAfter } = outcome
  const attempt = { at, status, error, durationMs, response }
  if (isDelivered) return { number, status: 'delivered', nextInSeconds: null, attempt }
  const failed = { attempts: attempts + 1, retryAfter, now: Date.now(), random: Math.random() }
  const waitMs = status === GONE ? null : nextAttempt(failed)
  return waitMs === null
    ? { number, status: 'failed', nextInSeconds: null, attempt }
    : { number, status: 'pending', nextInSeconds: waitMs / 1_000, attempt }
}
