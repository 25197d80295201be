/** The request of a delivery (Standard Webhooks 1.0). */
import { changeId } from '../../core/change-log/change-types.ts'
import { newId } from '../../core/ids.ts'
import { isoFromPostgres } from '../../core/schedule/datetime.ts'
import { signWebhook } from '../../core/security/webhook-secret.ts'
import type { WebhookSecrets } from '../../core/security/webhook-secret.ts'
import type { ChangeRow } from '../../records/change/list.ts'
import { changeText } from '../../records/change/object.ts'
import type { EndpointKey } from '../../records/webhook-delivery/queue.ts'
import type { StoredSecret } from '../../records/webhook-endpoint/queries.ts'
import type { Message } from './send.ts'

interface Target {
  url: string
  secrets: readonly StoredSecret[]
}

/** Null if there is no secret that can be decrypted. An unsigned message is never sent. */
export function createMessage(
  owner: EndpointKey,
  { change, ...target }: Target & { change: ChangeRow },
  opener: Pick<WebhookSecrets, 'open'>,
  now: Date,
): Message | null {
  return signMessage(owner, target, { id: changeId(change.sequence), body: webhookBody(change) }, opener, now)
}

/** Tells the receiver that it is set up. It is not a change, so it is not recorded or retried. */
export function createTestMessage(
  owner: EndpointKey,
  target: Target,
  opener: Pick<WebhookSecrets, 'open'>,
  now: Date,
): Message | null {
  const data = { object: 'test', endpointId: owner.endpointId }
  const body = JSON.stringify({ type: 'test', timestamp: now.toISOString(), data })
  return signMessage(owner, target, { id: newId('test'), body }, opener, now)
}

function signMessage(
  owner: EndpointKey,
  { url, secrets }: Target,
  { id, body }: { id: string; body: string },
  opener: Pick<WebhookSecrets, 'open'>,
  now: Date,
): Message | null {
  const valid = secrets.filter(({ until }) => until === null || Date.parse(until) > now.getTime())
  const opened = valid.map(({ sealed }) => opener.open(owner, sealed)).filter((secret) => secret !== null)
  if (opened.length === 0) return null
  const timestamp = Math.floor(now.getTime() / 1_000)
  return {
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'EventQuotingService-Webhooks/1.0',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signWebhook(opened, { id, timestamp, body }),
    },
  }
}

export function webhookBody(change: ChangeRow): string {
  const facts = JSON.stringify({ type: change.type, timestamp: isoFromPostgres(change.createdAt) })
  return `${facts.slice(0, -1)},"data":${changeText(change)}}`
}
