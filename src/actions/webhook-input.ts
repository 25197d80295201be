/** The members of a webhook endpoint that can be written. */
import { z } from 'zod'
import { bodyText } from '../codec/body-schema.ts'
import {
  ENDPOINT_DESCRIPTION_MAX,
  ENDPOINT_STATUSES,
  ENDPOINT_TYPES_MAX,
  isTypePattern,
} from '../core/webhooks/endpoint-types.ts'
import { describeUrlProblem } from '../core/webhooks/endpoint-url.ts'

const url = z.string('must be a string').superRefine((text, context) => {
  const problem = describeUrlProblem(text)
  if (problem !== null) context.addIssue({ code: 'custom', message: problem })
})

const TYPE_MESSAGE = 'must be a type of change, a wildcard such as quote.*, or *'

const types = z
  .array(z.string(TYPE_MESSAGE).refine(isTypePattern, TYPE_MESSAGE), 'must be an array of types')
  .min(1, 'must have at least one type')
  .max(ENDPOINT_TYPES_MAX, `must have at most ${ENDPOINT_TYPES_MAX} types`)
  .superRefine((list, context) => {
    const repeated = list.findIndex((type, i) => list.indexOf(type) !== i)
    if (repeated !== -1) context.addIssue({ code: 'custom', path: [repeated], message: 'is there twice' })
  })

const description = bodyText(ENDPOINT_DESCRIPTION_MAX).nullable().optional()

export const EndpointInput = z
  .strictObject({ url, types, description })
  .meta({ id: 'NewWebhookEndpointBody' })

export const EndpointChangesInput = z
  .strictObject({
    url: url.optional(),
    types: types.optional(),
    description,
    status: z.enum(ENDPOINT_STATUSES, `must be one of ${ENDPOINT_STATUSES.join(', ')}`).optional(),
  })
  .meta({ id: 'WebhookEndpointChangesBody' })
