/**
 * The Postman collection at /docs/postman.json, from the OpenAPI document. Postman's own import turns on every optional
 * parameter; here they are present but off, so each request returns data as it is.
 */
import { listRequests } from '../openapi-document.ts'
import type { DocumentedRequest, OpenApiDocument, OpenApiParameter } from '../openapi-document.ts'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** Runs after every request, also in newman and Postman's collection runner. */
const CHECK = [
  "pm.test('The response is 2xx with data', () => {",
  '  pm.expect(pm.response.code).to.be.within(200, 299)',
  '  const body = pm.response.json()',
  "  pm.expect(body.object === 'list' ? body.data : body).to.not.be.empty",
  '})',
]

export function buildPostmanCollection(document: OpenApiDocument, demoKey: string | undefined): object {
  const requests = listRequests(document)
  return {
    info: { name: document.info.title, description: document.info.description, schema: SCHEMA },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'x-api-key', type: 'string' },
        { key: 'value', value: '{{apiKey}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: CHECK } }],
    variable: [
      { key: 'baseUrl', value: document.servers[0]?.url },
      { key: 'apiKey', value: demoKey ?? '' },
    ],
    item: document.tags.map(({ name, description }) => ({
      name,
      description,
      item: requests.filter(({ operation }) => operation.tags.includes(name)).map(itemOf),
    })),
  }
}

function itemOf({ method, path, operation }: DocumentedRequest): object {
  const { summary, description, parameters, requestBody } = operation
  const inPlace = (place: OpenApiParameter['in']) => parameters.filter((parameter) => parameter.in === place)
  const body = requestBody?.content['application/json'].example
  const segments = path.split('/').slice(1)
  const postmanPath = segments.map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1'))
  const jsonType = { key: 'content-type', value: 'application/json' }
  return {
    name: summary,
    request: {
      method,
      description,
      header: [...(body === undefined ? [] : [jsonType]), ...inPlace('header').map(parameterOf)],
      ...(body !== undefined && { body: { mode: 'raw', raw: JSON.stringify(body, null, 2) } }),
      url: {
        raw: `{{baseUrl}}/${postmanPath.join('/')}`,
        host: ['{{baseUrl}}'],
        path: postmanPath,
        variable: inPlace('path').map(({ name, example, description: about }) => ({
          key: name,
          value: String(example),
          description: about,
        })),
        query: inPlace('query').map(parameterOf),
      },
    },
    response: [],
  }
}

function parameterOf({ name, example, description, required }: OpenApiParameter): object {
  const value = example === undefined ? '' : [example].flat().join(',')
  return { key: name, value, description, disabled: required !== true }
}
