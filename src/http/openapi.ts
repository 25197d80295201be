/** The OpenAPI document, from the endpoints and the schemas that also check and send. */
import { ACCESS } from './access.ts'
import { ApiError, errorFacts } from '../core/errors.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { Endpoint } from './endpoint.ts'
import { errorBody } from './error-bodies.ts'
import type { ErrorShape } from './error-bodies.ts'
import { ErrorSchemas } from './error-schemas.ts'
import { componentSchemas, parameterSchema } from './schemas.ts'

const DESCRIPTION = `Quotes, resources and staff of one event company. Every request carries the company's API key in the
\`x-api-key\` header and sees that company's records only: those of others do not exist for it.

Query parameters are \`snake_case\`, response keys \`camelCase\`. Money is an integer in the currency's minor unit, times are
ISO 8601 in UTC with milliseconds. Unknown query parameters are ignored; a known one used wrongly is an error that names
it in \`param\`. Every answer carries \`x-request-id\`; a request may bring its own.

Beside the answers listed with each operation: 404 for an unknown path, 405 with \`Allow\` for a wrong method, 414 for a URL
and 431 for headers of more than 16 KiB.`

const ERROR_NAMES: Partial<Record<ErrorCode, string>> = {
  invalid_parameter: 'A parameter is invalid',
  missing_or_invalid_api_key: 'The key is missing or invalid, or does not give access',
  not_found: 'No such object in the company',
  rate_limit_exceeded:
    'The key has used up its requests of this minute (only where the operator has set a limit)',
  server_error: 'Something failed on our side',
  auth_service_unavailable: 'Keys cannot be checked at the moment',
}

const ERROR_EXAMPLES: Partial<Record<ErrorCode, { message: string; param: string }>> = {
  invalid_parameter: { message: 'limit must be an integer between 1 and 100', param: 'limit' },
  not_found: { message: 'Resource not found', param: 'id' },
}

export function buildOpenApi(endpoints: readonly Endpoint[], publicUrl: string): object {
  const paths = Object.fromEntries(
    endpoints.map((endpoint) => [documentedPath(endpoint.path), { get: operation(endpoint) }]),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Event Quoting Service',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${publicUrl}/api` }],
    security: [{ apiKey: [] }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'A key of the company, as `quoting keys create` prints it once.',
        },
      },
      schemas: usedSchemas(paths),
    },
  }
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
    parameters: [...pathParameters(endpoint), ...queryParameters(endpoint)],
    responses: {
      200: {
        description: 'OK',
        headers: REQUEST_ID_HEADER,
        content: { 'application/json': { schema: reference(endpoint.response), example: endpoint.example } },
      },
      ...errorResponses(endpoint),
    },
  }
}

const REQUEST_ID_HEADER = {
  'x-request-id': { description: 'Id of the request, in our log too.', schema: { type: 'string' } },
}

const RETRY_AFTER_HEADER = {
  'retry-after': { description: 'Seconds to wait before the next try.', schema: { type: 'integer' } },
}

function pathParameters({ idOf }: Endpoint): object[] {
  if (idOf === undefined) return []
  return [
    { name: 'id', in: 'path', required: true, description: `Id of the ${idOf}.`, schema: { type: 'string' } },
  ]
}

function queryParameters({ query }: Endpoint): object[] {
  return Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    description: schema.meta()?.description,
    schema: parameterSchema(schema),
  }))
}

function errorResponses(endpoint: Endpoint): Record<number, object> {
  const codes: ErrorCode[] = ['invalid_parameter', 'missing_or_invalid_api_key']
  if (endpoint.idOf !== undefined) codes.push('not_found')
  codes.push('rate_limit_exceeded', 'server_error', 'auth_service_unavailable')
  return Object.fromEntries(
    codes.map((code) => [errorFacts(code).status, errorResponse(code, endpoint.errorShape)]),
  )
}

function errorResponse(code: ErrorCode, shape: ErrorShape): object {
  const retry = code === 'rate_limit_exceeded' || code === 'auth_service_unavailable'
  const example: unknown = JSON.parse(errorBody(shape, new ApiError(code, ERROR_EXAMPLES[code])))
  return {
    description: ERROR_NAMES[code],
    headers: retry ? { ...REQUEST_ID_HEADER, ...RETRY_AFTER_HEADER } : REQUEST_ID_HEADER,
    content: { 'application/json': { schema: reference(ErrorSchemas[shape]), example } },
  }
}

function reference(schema: { meta: () => { id?: string | undefined } | undefined }): object {
  return { $ref: `#/components/schemas/${schema.meta()?.id}` }
}
