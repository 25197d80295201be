/** Webhook endpoints: list, get, create, change, delete, rotate the secret, replay changes. */
import { z } from 'zod'
import {
  OVERLAP_MAX_HOURS,
  createWebhookEndpoint as createAction,
  deleteWebhookEndpoint as deleteAction,
  replayChanges as replayAction,
  rotateWebhookSecret as rotateAction,
  updateWebhookEndpoint as updateAction,
} from '../actions/webhook-endpoints.ts'
import { EndpointChangesInput, EndpointInput } from '../actions/webhook-input.ts'
import { bodyInteger, bodyTime } from '../codec/body-schema.ts'
import { ApiError } from '../core/requests/errors.ts'
import { takePage } from '../core/requests/page.ts'
import { showSecret } from '../core/security/webhook-secret.ts'
import { toJson } from '../codec/json.ts'
import {
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  presentEndpoint,
} from '../records/webhook-endpoint/object.ts'
import { findEndpoint, listEndpoints } from '../records/webhook-endpoint/queries.ts'
import type { EndpointRow } from '../records/webhook-endpoint/queries.ts'
import type { Call } from './endpoint.ts'
import { getEndpoint, listEndpoint } from './read-endpoints.ts'
import { deleteEndpoint, withId, writeEndpoint } from './write.ts'

const URL = '/api/webhook-endpoints'
const NOUN = 'webhook endpoint'
const TAG = 'Webhooks'

const READABLE = {
  object: 'webhookEndpoint',
  representation: {
    schema: WebhookEndpoint,
    present: async (_: unknown, rows: readonly EndpointRow[]) =>
      rows.map((row) => toJson(presentEndpoint(row))),
  },
  path: '/webhook-endpoints',
  tag: TAG,
  noun: NOUN,
  plural: 'webhook endpoints',
} as const

export const listWebhookEndpoints = listEndpoint({
  ...READABLE,
  operation: 'listWebhookEndpoints',
  description: 'The webhook endpoints of the company, newest first. A company can have 20.',
  lastId: 'whe_demo_2',
  filters: {},
  list: async (db, companyId, _, { limit, startingAfter }) => {
    const all = await listEndpoints(db, companyId)
    const cursor = startingAfter === undefined ? -1 : all.findIndex(({ id }) => id === startingAfter)
    const isCursorFound = startingAfter === undefined || cursor !== -1
    return { ...takePage(isCursorFound ? all.slice(cursor + 1) : [], limit), isCursorFound }
  },
})

export const getWebhookEndpoint = getEndpoint({
  ...READABLE,
  operation: 'getWebhookEndpoint',
  description: 'The signing secret is shown only when it is created.',
  find: findEndpoint,
})

/** The name is resolved, so it happens before the action, which holds the company. */
async function refuseUrl({ webhooks }: Call, sent: string | undefined): Promise<void> {
  if (sent === undefined || (await webhooks.isAllowedUrl(sent))) return
  throw new ApiError('invalid_parameter', { message: 'url must have a public address', param: 'url' })
}

/** Decrypts the secret of a stored response. */
function revealSecret(stored: object, { companyId, webhooks }: Call): object {
  const { endpoint, sealedSecret } = stored as { endpoint: { id: string }; sealedSecret: string }
  const secret = webhooks.secrets.open({ companyId, endpointId: endpoint.id }, sealedSecret)
  if (secret === null) throw new Error('a webhook secret cannot be decrypted')
  return { ...endpoint, secret: showSecret(secret) }
}

export const createWebhookEndpoint = writeEndpoint({
  operation: 'createWebhookEndpoint',
  path: URL,
  tag: TAG,
  summary: 'Create a webhook endpoint',
  description: `Changes that are recorded from now on are sent to the URL as [Standard Webhooks](https://www.standardwebhooks.com).
The response has the signing \`secret\`, which is not shown again.`,
  body: EndpointInput,
  response: WebhookEndpointWithSecret,
  errors: {
    too_many_endpoints: { message: 'A company can have 20 webhook endpoints. Delete one first.' },
  },
  action: createAction,
  isCreation: true,
  input: async (body, call) => {
    await refuseUrl(call, body.url)
    return { ...body, secrets: call.webhooks.secrets }
  },
  reveal: revealSecret,
})

export const updateWebhookEndpoint = writeEndpoint({
  operation: 'updateWebhookEndpoint',
  path: `${URL}/:id`,
  tag: TAG,
  idOf: NOUN,
  summary: 'Change a webhook endpoint',
  description: `Changes the members that are sent. While an endpoint is disabled, it receives nothing, and pending deliveries fail.
Enabling it clears the reason; missed changes are not sent.`,
  body: EndpointChangesInput,
  response: WebhookEndpoint,
  action: updateAction,
  input: async (body, call) => {
    await refuseUrl(call, body.url)
    return withId(body, call)
  },
})

export const deleteWebhookEndpoint = deleteEndpoint({
  operation: 'deleteWebhookEndpoint',
  path: `${URL}/:id`,
  tag: TAG,
  summary: 'Delete a webhook endpoint',
  description: 'Also deletes its deliveries. Nothing more is sent.',
  idOf: NOUN,
  object: 'webhookEndpoint',
  action: deleteAction,
})

const OVERLAP_DEFAULT_HOURS = 24

const RotateBody = z
  .strictObject({ overlapHours: bodyInteger(0, OVERLAP_MAX_HOURS).default(OVERLAP_DEFAULT_HOURS) })
  .meta({ id: 'RotateWebhookSecretBody' })

export const rotateWebhookSecret = writeEndpoint({
  operation: 'rotateWebhookSecret',
  path: `${URL}/:id/rotate`,
  tag: TAG,
  idOf: NOUN,
  summary: 'Rotate the signing secret',
  description:
    'Returns a new `secret`, which is not shown again. Deliveries are signed with both until the overlap ends.',
  body: RotateBody,
  response: WebhookEndpointWithSecret,
  action: rotateAction,
  input: (body, call) => ({ ...body, id: call.id, secrets: call.webhooks.secrets }),
  reveal: revealSecret,
})

const ReplayBody = z.strictObject({ since: bodyTime() }).meta({ id: 'ReplayChangesBody' })

export const replayChanges = writeEndpoint({
  operation: 'replayChanges',
  path: `${URL}/:id/replay`,
  tag: TAG,
  idOf: NOUN,
  summary: 'Send changes again',
  description: `Sends every kept change since a time that the endpoint subscribes to again, as new deliveries in order. Receivers
recognize repeated changes by \`webhook-id\`.`,
  body: ReplayBody,
  response: WebhookEndpoint,
  errors: { endpoint_disabled: { message: 'The webhook endpoint is disabled. Enable it first.' } },
  action: replayAction,
  input: withId,
})
