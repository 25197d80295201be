/** Sends one signed test message to a webhook endpoint, to see whether it is set up. */
import type { WebhookSecrets } from '../../core/security/webhook-secret.ts'
import type { Db } from '../../db/statement.ts'
import type { StoredAttempt } from '../../records/webhook-delivery/columns.ts'
import type { EndpointKey } from '../../records/webhook-delivery/queue.ts'
import { findEndpoint } from '../../records/webhook-endpoint/queries.ts'
import { findSecrets } from '../../records/webhook-endpoint/secrets.ts'
import type { AddressOptions } from './addresses.ts'
import { createTestMessage } from './message.ts'
import { createSender } from './send.ts'

const TIMEOUT_MS = 15_000

export type TestOutcome = StoredAttempt & { isDelivered: boolean }

/** Null if the company has no such endpoint. Also for a disabled one, before it is enabled again. */
export async function sendTestEvent(
  db: Db,
  owner: EndpointKey,
  { secrets: opener, ...addresses }: AddressOptions & { secrets: Pick<WebhookSecrets, 'open'> },
): Promise<TestOutcome | null> {
  const endpoint = await findEndpoint(db, owner.companyId, owner.endpointId)
  if (endpoint === null) return null
  const secrets = (await findSecrets(db, owner.companyId, owner.endpointId)) ?? []
  const now = new Date()
  const message = createTestMessage(owner, { url: endpoint.url, secrets }, opener, now)
  const sender = createSender({ ...addresses, timeoutMs: TIMEOUT_MS })
  const outcome = message === null ? null : await sender.send(message)
  sender.close()
  if (outcome === null) {
    const error = 'The signing secret cannot be decrypted. Rotate it.'
    return { at: now.toISOString(), status: null, error, durationMs: 0, response: '', isDelivered: false }
  }
  const { at, status, error, durationMs, response, isDelivered } = outcome
  return { at, status, error, durationMs, response, isDelivered }
}
