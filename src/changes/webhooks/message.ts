/** The request of a delivery (Standard Webhooks 1.0). */
import { changeId } from '../../core/change-log/change-types.ts'
import { isoFromPostgres } from '../../core/schedule/datetime.ts'
import { signWebhook } from '../../core/security/webhook-secret.ts'
import type { WebhookSecrets } from '../../core/security/webhook-secret.ts'
import type { ChangeRow } from '../../records/change/list.ts'
import { changeText } from '../../records/change/object.ts'
import type { EndpointKey } from '../../records/webhook-delivery/queue.ts'
import type { StoredSecret } from '../../records/webhook-endpoint/queries.ts'
import type { Message } from './send.ts'

/** Null if there is no secret that can be decrypted. An unsigned message is never sent. */
export function createMessage(
  owner: EndpointKey,
  { url, secrets, change }: { url: string; secrets: readonly StoredSecret[]; change: ChangeRow },
  opener: Pick<WebhookSecrets, 'open'>,
  now: Date,
): Message | null {
  const valid = secrets.filter(({ until }) => until === null || Date.parse(until) > now.getTime())
  const opened = valid.map(({ sealed }) => opener.open(owner, sealed)).filter((secret) => secret !== null)
  if (opened.length === 0) return null
  const id = changeId(change.sequence)
  const timestamp = Math.floor(now.getTime() / 1_000)
  const body = webhookBody(change)
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

function webhookBody(change: ChangeRow): string {
  const facts = JSON.stringify({ type: change.type, timestamp: isoFromPostgres(change.createdAt) })
  return `${facts.slice(0, -1)},"data":${changeText(change)}}`
}
