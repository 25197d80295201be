/** The OpenAPI document, from the endpoints and the schemas that also check and send. */
import { ApiError, errorFacts } from '../core/requests/errors.ts'
import type { ErrorCode } from '../core/requests/errors.ts'
import { ACCESS } from './access.ts'
import type { Endpoint } from './endpoint.ts'
import { errorBody } from '../http/error-bodies.ts'
import { ErrorSchemas } from './error-schemas.ts'
import type { OpenApiDocument } from './openapi-document.ts'
import { headerParameters, pathParameters, queryParameters } from './openapi-parameters.ts'
import { componentSchemas, schemaOf } from './schemas.ts'

const INTRODUCTION = `Quotes, leads, bookings, events, resources, staff, tasks, form responses and invoices of one event company. Every request sends the company's API
key in the \`x-api-key\` header and sees only the records of that company.

Query parameters are \`snake_case\`, response keys \`camelCase\`. Money is an integer in the currency's minor unit. Times are
ISO 8601 in UTC with milliseconds. Unknown query parameters are ignored. An invalid value is a 400 that names the parameter
in \`param\`. Every response has \`x-request-id\`. You can send your own. Responses above 2 KiB are compressed with brotli or
gzip if \`accept-encoding\` allows it.

Every operation can also return 404 for an unknown path, 405 with \`Allow\` for a wrong method, 414 for a URL of more than
16 KiB, and 431 for headers of more than 16 KiB. Bytes that are not valid HTTP, such as a control character in a header, are a 400
with the structured error (\`invalid_parameter\`) on every endpoint, with a generated \`x-request-id\`.`

const SYNCING = `## Syncing

To read everything, send the id of the last object of a page as \`starting_after\` until \`hasMore\` is false. If that object is
deleted or stops matching the filters in between, the next page is empty and has the header \`x-cursor: not-found\`. Then the
list has not ended. Request it again without \`starting_after\`, with \`created_at[lte]\` set to the \`createdAt\` of the last
quote you received, and skip the ids you have.

To poll for changes, use \`updated_at[gte]\` with an overlap of a few minutes. It covers the quote row only. Totals can change
without it, and deleted quotes disappear from the list.`

const COMPATIBILITY = `## Compatibility

Within a version, we may add endpoints, optional parameters, members of objects, error codes and error types. Nothing is removed
or renamed without a new version. Ignore members you do not know, and treat an unknown error code by its HTTP status.`

/** Markdown. The reference page shows each heading as a section. */
const DESCRIPTION = [INTRODUCTION, SYNCING, COMPATIBILITY].join('\n\n')

const ERROR_NAMES: Partial<Record<ErrorCode, string>> = {
  invalid_parameter: 'A parameter is invalid',
  invalid_body: 'The body or a header is invalid',
  idempotency_key_reused: 'The idempotency key was used with another body',
  quote_booked: 'The quote is booked',
  quote_lost: 'The quote is marked as lost',
  quote_empty: 'The quote has no lines',
  quote_not_lost: 'The quote is not marked as lost',
  quote_without_days: 'The quote has no days',
  event_canceled: 'The event is canceled',
  schedule_conflict: 'Someone or something is busy at another event',
  invoice_void: 'The invoice is void',
  invoice_draft: 'The invoice is a draft',
  payment_exceeds_due: 'The payment exceeds the amount due',
  total_too_high: 'The total is too high',
  too_many_endpoints: 'The company has 20 webhook endpoints',
  endpoint_disabled: 'The webhook endpoint is disabled',
  cursor_expired: 'The change of `starting_after` is no longer kept',
  body_too_large: 'The body is larger than 256 KiB',
  missing_or_invalid_api_key: 'The key is missing or invalid, or does not give access',
  not_found: 'Not found in the company',
  rate_limit_exceeded: 'The key has no requests left in this minute (only if the operator has set a limit)',
  server_error: 'Something went wrong on our side',
  auth_service_unavailable: 'Keys cannot be checked at the moment, or the service is overloaded',
}

const TAGS = [
  { name: 'Quotes', description: 'Quotes for leads, with live totals and related objects.' },
  { name: 'Bookings', description: 'Quotes that were booked.' },
  { name: 'Events', description: 'What takes place, when, where and with whom.' },
  { name: 'Resources', description: 'Equipment and other assets.' },
  { name: 'Staff', description: 'The people who work at events.' },
  { name: 'Leads', description: 'The customers that quotes are for.' },
  { name: 'Tasks', description: "Entries of an event's admin checklist." },
  { name: 'Form responses', description: 'Forms that customers have answered.' },
  { name: 'Invoices', description: 'Invoices of bookings, each with a link to its page.' },
  { name: 'Catalog', description: 'Services, add-ons, locations and event types.' },
  { name: 'Changes', description: 'The change log: every write, in order and without gaps.' },
  { name: 'Webhooks', description: 'Endpoints that receive changes by HTTP, and their deliveries.' },
]

/** Errors that every endpoint can return. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'missing_or_invalid_api_key',
  'rate_limit_exceeded',
  'server_error',
  'auth_service_unavailable',
]

export function buildOpenApi(endpoints: readonly Endpoint[], publicUrl: string): OpenApiDocument {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints) {
    const methods = (paths[documentedPath(endpoint.path)] ??= {})
    methods[endpoint.method.toLowerCase()] = operation(endpoint)
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Event Quoting Service',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${publicUrl}/api` }],
    security: [{ apiKey: [] }],
    tags: TAGS.filter(({ name }) => endpoints.some(({ tag }) => tag === name)),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description:
            'An API key of the company. Administrators create keys in the console, under Integrations.',
        },
      },
      schemas: usedSchemas(paths),
    },
  }
  return document as unknown as OpenApiDocument
}

/** The schemas that the paths refer to, and those that these refer to. */
function usedSchemas(paths: object): object {
  const all = componentSchemas()
  const used: Record<string, object> = {}
  const collect = (part: object): void => {
    for (const [, id = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (id in used) continue
      used[id] = all[id] ?? {}
      collect(used[id])
    }
  }
  collect(paths)
  return used
}

/** Below the server's URL, which ends in /api, with ids in braces. */
function documentedPath(path: string): string {
  return path.replace(/^\/api/, '').replace(/:(\w+)/g, '{$1}')
}

function operation(endpoint: Endpoint): object {
  const plans = ACCESS[endpoint.operation].join(', ')
  return {
    operationId: endpoint.operation,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: `${endpoint.description}\n\nPlans with access: ${plans}.`,
    parameters: [...pathParameters(endpoint), ...queryParameters(endpoint), ...headerParameters(endpoint)],
    ...requestBody(endpoint),
    responses: {
      [endpoint.status]: {
        description: endpoint.status === 201 ? 'Created' : 'OK',
        headers: { ...REQUEST_ID_HEADER, ...endpoint.answerHeaders },
        content: {
          'application/json': { schema: schemaOf(endpoint.response), example: endpoint.example.answer },
        },
      },
      ...errorResponses(endpoint),
    },
  }
}

function requestBody({ body, example }: Endpoint): object {
  if (body === undefined) return {}
  const content = { 'application/json': { schema: schemaOf(body), example: example.body } }
  return { requestBody: { required: true, content } }
}

const REQUEST_ID_HEADER = {
  'x-request-id': {
    description: 'Id of the request. Include it when you report a problem.',
    schema: { type: 'string' },
  },
}

const RETRY_AFTER_HEADER = {
  'retry-after': { description: 'Seconds to wait before you retry.', schema: { type: 'integer' } },
}

function errorResponses(endpoint: Endpoint): Record<number, object> {
  const codes = [...(Object.keys(endpoint.errors) as ErrorCode[]), ...COMMON_ERRORS]
  const statuses = new Set(codes.map((code) => errorFacts(code).status))
  return Object.fromEntries(
    Array.from(statuses, (status) => {
      const ofStatus = codes.filter((code) => errorFacts(code).status === status)
      return [status, errorResponse(ofStatus, endpoint)]
    }),
  )
}

/** One response for all errors of a status. */
function errorResponse(codes: readonly ErrorCode[], { errorShape, errors }: Endpoint): object {
  const retry = codes.some((code) => code === 'rate_limit_exceeded' || code === 'auth_service_unavailable')
  const examples = codes.map((code): [string, { summary: string | undefined; value: unknown }] => [
    code,
    {
      summary: ERROR_NAMES[code],
      value: JSON.parse(errorBody(errorShape, new ApiError(code, errors[code]))) as unknown,
    },
  ])
  const [[, first] = []] = examples
  const shown = examples.length === 1 ? { example: first?.value } : { examples: Object.fromEntries(examples) }
  return {
    description: codes.map((code) => ERROR_NAMES[code]).join('. '),
    headers: retry ? { ...REQUEST_ID_HEADER, ...RETRY_AFTER_HEADER } : REQUEST_ID_HEADER,
    content: { 'application/json': { schema: schemaOf(ErrorSchemas[errorShape]), ...shown } },
  }
}
