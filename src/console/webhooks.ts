/** Webhook endpoints. */
import { z } from 'zod'
import { runAction } from '../actions/action.ts'
import {
  OVERLAP_MAX_HOURS,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  replayChanges,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from '../actions/webhook-endpoints.ts'
import { ADMINS } from '../core/callers.ts'
import { hasAtMostCodePoints, isStorableText } from '../core/ids.ts'
import { ApiError } from '../core/requests/errors.ts'
import { showSecret } from '../core/security/webhook-secret.ts'
import {
  ENDPOINT_DESCRIPTION_MAX,
  ENDPOINT_STATUSES,
  ENDPOINT_TYPES_MAX,
  isTypePattern,
} from '../core/webhooks/endpoint-types.ts'
import { describeUrlProblem } from '../core/webhooks/endpoint-url.ts'
import type { StoredAttempt } from '../records/webhook-delivery/columns.ts'
import { presentEndpoint } from '../records/webhook-endpoint/object.ts'
import { listEndpoints } from '../records/webhook-endpoint/queries.ts'
import { consoleRoute } from './route.ts'
import type { ConsoleCall } from './route.ts'

export type WebhookEndpointShown = ReturnType<typeof presentEndpoint>

export interface WebhooksAnswer {
  /** Newest first. */
  endpoints: WebhookEndpointShown[]
}

const showWebhooks = consoleRoute({
  method: 'GET',
  path: '/console/webhooks',
  allowed: ADMINS,
  answer: async ({ db, companyId }): Promise<WebhooksAnswer> => ({
    endpoints: (await listEndpoints(db, companyId)).map(presentEndpoint),
  }),
})

const url = z
  .string()
  .trim()
  .superRefine((text, context) => {
    const problem = describeUrlProblem(text)
    if (problem !== null) context.addIssue({ code: 'custom', message: `The URL ${problem}.` })
  })
const types = z
  .array(z.string().refine(isTypePattern, 'Choose types from the list.'))
  .min(1, 'Choose at least one type.')
  .max(ENDPOINT_TYPES_MAX, `Choose at most ${ENDPOINT_TYPES_MAX} types, or a whole group.`)
  .refine((list) => new Set(list).size === list.length, 'A type appears twice.')
const description = z
  .string()
  .refine((text) => hasAtMostCodePoints(text, ENDPOINT_DESCRIPTION_MAX), 'Use at most 10,000 characters.')
  .refine(isStorableText, 'The description contains an invalid character.')
  .nullable()
const status = z.enum(ENDPOINT_STATUSES)

/** The secret is only in the answers of create and rotate. */
export interface WebhookSecretAnswer {
  endpoint: WebhookEndpointShown
  secret: string
}

function reveal(
  { companyId, webhooks }: Pick<ConsoleCall<unknown>, 'companyId' | 'webhooks'>,
  { endpoint, sealedSecret }: { endpoint: WebhookEndpointShown; sealedSecret: string },
): WebhookSecretAnswer {
  const secret = webhooks.secrets.open({ companyId, endpointId: endpoint.id }, sealedSecret)
  if (secret === null) throw new Error('a new webhook secret cannot be decrypted')
  return { endpoint, secret: showSecret(secret) }
}

async function refuseUrl(
  { webhooks }: Pick<ConsoleCall<unknown>, 'webhooks'>,
  sent: string | undefined,
): Promise<void> {
  if (sent === undefined || (await webhooks.isAllowedUrl(sent))) return
  const message = 'The URL must have a public address.'
  throw new ApiError('invalid_body', { message, details: { url: { _errors: [message] } } })
}

const createEndpoint = consoleRoute({
  method: 'POST',
  path: '/console/webhooks',
  allowed: createWebhookEndpoint.allowed,
  input: z.strictObject({ url, types, description: description.optional() }),
  answer: async (call): Promise<WebhookSecretAnswer> => {
    await refuseUrl(call, call.input.url)
    const input = { ...call.input, secrets: call.webhooks.secrets }
    return reveal(call, await runAction(call.action, createWebhookEndpoint, input))
  },
})

const changeEndpoint = consoleRoute({
  method: 'PATCH',
  path: '/console/webhooks/:id',
  allowed: updateWebhookEndpoint.allowed,
  input: z.strictObject({
    url: url.optional(),
    types: types.optional(),
    description: description.optional(),
    status: status.optional(),
  }),
  answer: async (call): Promise<WebhookEndpointShown> => {
    await refuseUrl(call, call.input.url)
    return runAction(call.action, updateWebhookEndpoint, { ...call.input, id: call.id })
  },
})

const removeEndpoint = consoleRoute({
  method: 'DELETE',
  path: '/console/webhooks/:id',
  allowed: deleteWebhookEndpoint.allowed,
  answer: async ({ action, id }) => {
    await runAction(action, deleteWebhookEndpoint, { id })
    return null
  },
})

const rotateSecret = consoleRoute({
  method: 'POST',
  path: '/console/webhooks/:id/rotate',
  allowed: rotateWebhookSecret.allowed,
  input: z.strictObject({ overlapHours: z.int().min(0).max(OVERLAP_MAX_HOURS) }),
  answer: async (call): Promise<WebhookSecretAnswer> => {
    const input = { ...call.input, id: call.id, secrets: call.webhooks.secrets }
    return reveal(call, await runAction(call.action, rotateWebhookSecret, input))
  },
})

const replay = consoleRoute({
  method: 'POST',
  path: '/console/webhooks/:id/replay',
  allowed: replayChanges.allowed,
  input: z.strictObject({ since: z.iso.datetime('Choose a time.') }),
  answer: async ({ action, id, input: { since } }) => {
    await runAction(action, replayChanges, { id, since: new Date(since).toISOString() })
    return null
  },
})

/** The outcome of one attempt, which is not stored. */
export type TestEventAnswer = StoredAttempt & { isDelivered: boolean }

const sendTest = consoleRoute({
  method: 'POST',
  path: '/console/webhooks/:id/test',
  allowed: ADMINS,
  // It waits for the receiver.
  isSlow: true,
  answer: async ({ db, companyId, id, webhooks }): Promise<TestEventAnswer> => {
    const outcome = await webhooks.sendTest(db, { companyId, endpointId: id })
    if (outcome === null) throw new ApiError('not_found', { message: 'Webhook endpoint not found' })
    return outcome
  },
})

export const webhookRoutes = [
  showWebhooks,
  createEndpoint,
  changeEndpoint,
  removeEndpoint,
  rotateSecret,
  replay,
  sendTest,
]
