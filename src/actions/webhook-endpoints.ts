/** Creates, changes and deletes webhook endpoints. They are not subjects of changes. */
import { z } from 'zod'
import { ADMINS_AND_KEYS } from '../core/callers.ts'
import { newId } from '../core/ids.ts'
import { ApiError } from '../core/requests/errors.ts'
import { newWebhookSecret } from '../core/security/webhook-secret.ts'
import type { WebhookSecrets } from '../core/security/webhook-secret.ts'
import { ENDPOINTS_MAX } from '../core/webhooks/endpoint-types.ts'
import { bodyTime } from '../codec/body-schema.ts'
import type { Db } from '../db/statement.ts'
import { replayChanges as addReplayed } from '../records/webhook-delivery/create.ts'
import { presentEndpoint } from '../records/webhook-endpoint/object.ts'
import {
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  updateEndpoint,
} from '../records/webhook-endpoint/queries.ts'
import type { EndpointRow } from '../records/webhook-endpoint/queries.ts'
import { findSecrets, storeSecrets } from '../records/webhook-endpoint/secrets.ts'
import { defineAction } from './action.ts'
import { changedMembers } from './subjects.ts'
import { Target } from './targets.ts'
import { EndpointChangesInput, EndpointInput } from './webhook-input.ts'

/** Rotating again before an overlap ends keeps the earlier secrets, but not without limit. */
const SECRETS_MAX = 10
const HOUR_MS = 3_600_000

/** Encrypts the secret. It comes from the settings of the service, not from the request. */
const secrets = z.custom<WebhookSecrets>((value) => typeof Object(value).seal === 'function')

/** The secret stays encrypted until the response is sent, because responses are stored for retries. */
interface EndpointWithSecret {
  endpoint: ReturnType<typeof presentEndpoint>
  sealedSecret: string
}

export const createWebhookEndpoint = defineAction({
  name: 'createWebhookEndpoint',
  allowed: ADMINS_AND_KEYS,
  input: EndpointInput.extend({ secrets }),
  lock: 'first',
  run: async ({ db, companyId, audit }, input): Promise<EndpointWithSecret> => {
    if ((await listEndpoints(db, companyId)).length >= ENDPOINTS_MAX)
      throw new ApiError('too_many_endpoints', {
        message: `A company can have ${ENDPOINTS_MAX} webhook endpoints. Delete one first.`,
      })
    const { url, types, description = null } = input
    const id = newId('whe')
    const sealedSecret = input.secrets.seal({ companyId, endpointId: id }, newWebhookSecret())
    const stored = [{ sealed: sealedSecret, until: null }]
    await insertEndpoint(db, companyId, { id, url, types, description, secrets: stored })
    audit({ type: 'webhook_endpoint.created', subject: subjectOf({ id, url }) })
    return { endpoint: presentEndpoint(await findExisting(db, companyId, id)), sealedSecret }
  },
})

const EndpointChanges = EndpointChangesInput.extend({ id: z.string() })

export const updateWebhookEndpoint = defineAction({
  name: 'updateWebhookEndpoint',
  allowed: ADMINS_AND_KEYS,
  input: EndpointChanges,
  lock: 'first',
  run: async ({ db, companyId, audit }, { id, ...input }) => {
    const before = await findExisting(db, companyId, id)
    const changes = changedMembers(before, input)
    if (changes === null) return presentEndpoint(before)
    const { status, ...members } = changes
    if (Object.keys(members).length > 0)
      await updateEndpoint(db, companyId, { ...before, ...withoutUndefined(members) })
    if (status === 'enabled') await enableEndpoint(db, companyId, id)
    if (status === 'disabled') await disableEndpoint(db, companyId, id, null)
    const after = await findExisting(db, companyId, id)
    audit({ type: 'webhook_endpoint.updated', subject: subjectOf(after), details: { ...changes } })
    return presentEndpoint(after)
  },
})

/** `changedMembers` returns none, which its type does not say. */
function withoutUndefined(members: Partial<Omit<z.output<typeof EndpointChanges>, 'id' | 'status'>>) {
  return members as Partial<Pick<EndpointRow, 'url' | 'types' | 'description'>>
}

export const deleteWebhookEndpoint = defineAction({
  name: 'deleteWebhookEndpoint',
  allowed: ADMINS_AND_KEYS,
  input: Target,
  lock: 'first',
  run: async ({ db, companyId, audit }, { id }) => {
    const endpoint = await findExisting(db, companyId, id)
    await deleteEndpoint(db, companyId, id)
    audit({ type: 'webhook_endpoint.deleted', subject: subjectOf(endpoint) })
  },
})

/** How long deliveries can be signed with the old secret, too. */
export const OVERLAP_MAX_HOURS = 72

const Rotation = Target.extend({ overlapHours: z.int().min(0).max(OVERLAP_MAX_HOURS), secrets })

export const rotateWebhookSecret = defineAction({
  name: 'rotateWebhookSecret',
  allowed: ADMINS_AND_KEYS,
  input: Rotation,
  lock: 'first',
  run: async ({ db, companyId, presentation, audit }, input): Promise<EndpointWithSecret> => {
    const { id, overlapHours } = input
    const endpoint = await findExisting(db, companyId, id)
    const sealedSecret = input.secrets.seal({ companyId, endpointId: id }, newWebhookSecret())
    const now = Date.parse(presentation.now)
    const overlapEnd = new Date(now + overlapHours * HOUR_MS).toISOString()
    const earlier = ((await findSecrets(db, companyId, id)) ?? [])
      .map(({ sealed, until }) => ({
        sealed,
        until: until !== null && until < overlapEnd ? until : overlapEnd,
      }))
      .filter(({ until }) => Date.parse(until) > now)
    const stored = [{ sealed: sealedSecret, until: null }, ...earlier].slice(0, SECRETS_MAX)
    await storeSecrets(db, companyId, id, stored)
    audit({ type: 'webhook_endpoint.secret_rotated', subject: subjectOf(endpoint) })
    return { endpoint: presentEndpoint(await findExisting(db, companyId, id)), sealedSecret }
  },
})

export const replayChanges = defineAction({
  name: 'replayChanges',
  allowed: ADMINS_AND_KEYS,
  input: Target.extend({ since: bodyTime() }),
  lock: 'first',
  run: async ({ db, companyId, audit, announce }, { id, since }) => {
    const endpoint = await findExisting(db, companyId, id)
    refuseDisabled(endpoint)
    await addReplayed(db, companyId, id, since)
    announce()
    audit({ type: 'webhook_endpoint.changes_replayed', subject: subjectOf(endpoint), details: { since } })
    return presentEndpoint(endpoint)
  },
})

export function refuseDisabled({ status }: Pick<EndpointRow, 'status'>): void {
  if (status === 'disabled')
    throw new ApiError('endpoint_disabled', { message: 'The webhook endpoint is disabled. Enable it first.' })
}

export function subjectOf({ id, url }: { id: string; url: string }) {
  return { object: 'webhookEndpoint', id, name: url }
}

async function findExisting(db: Db, companyId: string, id: string): Promise<EndpointRow> {
  const row = await findEndpoint(db, companyId, id)
  if (row === null) throw new ApiError('not_found', { message: 'Webhook endpoint not found', param: 'id' })
  return row
}
