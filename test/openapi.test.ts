import { writeFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formatsModule from 'ajv-formats'
import { afterAll, describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../src/api/endpoints.ts'
import { EXAMPLES_FILE } from '../src/api/examples.ts'
import type { Example } from '../src/api/examples.ts'
import { EXPAND_GRAPH, QUOTE_PATHS } from '../src/api/expansion/relations.ts'
import { listPaths } from '../src/core/requests/expand-paths.ts'
import { createDemoDatabase } from './support/database.ts'
import { startServer } from './support/server.ts'
import type { Answer } from './support/server.ts'

interface Operation {
  operationId: string
  parameters: {
    name: string
    in: string
    required?: boolean
    schema: object
    example?: string | number | string[]
  }[]
  responses: Record<string, { content: Record<string, { schema: object; example: unknown }> }>
}

interface OpenApi {
  openapi: string
  info: { version: string; description: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** The parts of a JSON Schema that these tests look at. */
interface Schema {
  $ref?: string
  enum?: string[]
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
}

const KEY = 'eqs_demo_harborlight'
const { connection } = await createDemoDatabase()
const server = await startServer(connection)
const answer = await server.call('/api/openapi.json')
const document = answer.body as OpenApi
const { schemas } = document.components

const ajv = new Ajv2020({ allErrors: true, strict: false })
formatsModule.default(ajv)
ajv.addSchema({ $id: 'document', ...document })

/** Expects a response to match the schema of its operation and status. */
function expectDocumented(operationId: string, { status, body }: Answer): void {
  const [path, method] = Object.entries(document.paths).flatMap(([name, methods]) =>
    Object.entries(methods).flatMap(([verb, { operationId: id }]) =>
      id === operationId ? [name, verb] : [],
    ),
  )
  const place = `#/paths/${path?.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}/responses/${status}`
  const validate = ajv.getSchema(`document${encodeURI(place)}/content/application~1json/schema`)
  expect(validate, `${operationId} documents no ${status}`).toBeDefined()
  const valid = validate?.(body) === true
  expect(valid ? [] : validate?.errors).toEqual([])
}

/** The expansion paths of a schema: expansion adds members that are not required. */
function expandable(id: string): string[] {
  const { properties = {}, required = [] } = schemas[id] ?? {}
  return Object.entries(properties)
    .filter(([name]) => !required.includes(name))
    .flatMap(([name, schema]) => {
      const target = [schema, schema.items, ...(schema.anyOf ?? [])].find((part) => part?.$ref !== undefined)
      const to = target?.$ref?.split('/').at(-1) ?? ''
      return [name, ...expandable(to).map((path) => `${name}.${path}`)]
    })
}

const send = ({ method, path, example }: (typeof ENDPOINTS)[number], key: string, query = '') =>
  server.call(`${path.replace(/:\w+/, example.id ?? '')}${query}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(example.body !== undefined && { body: JSON.stringify(example.body) }),
  })

describe('D5, R18: /api/openapi.json', () => {
  it('is OpenAPI 3.1 in version 1.0.0, needs no key and can be cached', () => {
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toMatch('application/json')
    expect(answer.headers['cache-control']).not.toContain('no-store')
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } })
  })

  it('lists every endpoint with every error status', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    expect(operations.map(({ operationId }) => operationId)).toEqual(
      ENDPOINTS.map(({ operation }) => operation),
    )
    const statuses = Object.fromEntries(
      operations.map(({ operationId, responses }) => [operationId, Object.keys(responses).join(' ')]),
    )
    expect(statuses).toEqual({
      listQuotes: '200 400 401 429 500 503',
      createQuote: '201 400 401 409 413 429 500 503',
      getQuote: '200 400 401 404 429 500 503',
      updateQuote: '200 400 401 404 409 413 429 500 503',
      sendQuote: '200 400 401 404 409 413 429 500 503',
      loseQuote: '200 400 401 404 409 413 429 500 503',
      reopenQuote: '200 400 401 404 409 413 429 500 503',
      bookQuote: '200 400 401 404 409 413 429 500 503',
      getQuoteLink: '200 400 401 404 429 500 503',
      listResources: '200 400 401 429 500 503',
      getResource: '200 400 401 404 429 500 503',
      listBookings: '200 400 401 429 500 503',
      getBooking: '200 400 401 404 429 500 503',
      listEvents: '200 400 401 429 500 503',
      getEvent: '200 400 401 404 429 500 503',
      updateEvent: '200 400 401 404 409 413 429 500 503',
      cancelEvent: '200 400 401 404 409 413 429 500 503',
      getAvailability: '200 400 401 429 500 503',
      listStaff: '200 400 401 429 500 503',
      listFormResponses: '200 400 401 429 500 503',
      getFormResponseObject: '200 400 401 404 429 500 503',
      listInvoices: '200 400 401 429 500 503',
      getInvoice: '200 400 401 404 429 500 503',
      recordPayment: '200 400 401 404 409 413 429 500 503',
      listServices: '200 400 401 429 500 503',
      getService: '200 400 401 404 429 500 503',
      listAddons: '200 400 401 429 500 503',
      getAddon: '200 400 401 404 429 500 503',
      listLocations: '200 400 401 429 500 503',
      getLocation: '200 400 401 404 429 500 503',
      listEventTypes: '200 400 401 429 500 503',
      getEventType: '200 400 401 404 429 500 503',
      getStaff: '200 400 401 404 429 500 503',
      createTask: '201 400 401 404 409 413 429 500 503',
      getFormResponse: '200 400 401 404 429 500 503',
      getInvoiceReference: '200 401 404 429 500 503',
      listLeads: '200 400 401 429 500 503',
      createLead: '201 400 401 409 413 429 500 503',
      getLead: '200 400 401 404 429 500 503',
      updateLead: '200 400 401 404 409 413 429 500 503',
      listTasks: '200 400 401 429 500 503',
      createTaskOfEvent: '201 400 401 409 413 429 500 503',
      getTask: '200 400 401 404 429 500 503',
      updateTask: '200 400 401 404 409 413 429 500 503',
      deleteTask: '200 400 401 404 409 413 429 500 503',
      listChanges: '200 400 401 410 429 500 503',
      listWebhookEndpoints: '200 400 401 429 500 503',
      createWebhookEndpoint: '201 400 401 409 413 429 500 503',
      getWebhookEndpoint: '200 400 401 404 429 500 503',
      updateWebhookEndpoint: '200 400 401 404 409 413 429 500 503',
      deleteWebhookEndpoint: '200 400 401 404 409 413 429 500 503',
      rotateWebhookSecret: '200 400 401 404 409 413 429 500 503',
      replayChanges: '200 400 401 404 409 413 429 500 503',
      listWebhookDeliveries: '200 400 401 429 500 503',
      getWebhookDelivery: '200 400 401 404 429 500 503',
      retryWebhookDelivery: '200 400 401 404 409 413 429 500 503',
    })
  })

  it.each([
    ['/quotes', 'quote_0241'],
    ['/resources', 'res_0034'],
    ['/leads', 'lead_0062'],
    ['/tasks', 'task_0045_2_1'],
    ['/bookings', 'book_0145_first'],
    ['/events', 'event_0241_1'],
    ['/staff', 'staff_0020'],
    ['/form-responses', 'resp_0145_1'],
    ['/invoices', 'inv_0268_1'],
    ['/services', 'svc_seated_dinner'],
    ['/addons', 'addon_late_bar'],
    ['/locations', 'loc_denver'],
    ['/event-types', 'type_festival'],
    ['/webhook-endpoints', 'whe_demo_1'],
    ['/webhook-deliveries', 'whd_2'],
  ])('has examples that can be sent together: %s returns %s', async (path, first) => {
    const { parameters = [] } = document.paths[path]?.['get'] ?? {}
    const examples = parameters.map(({ name, example = '' }): [string, string] => [
      name,
      [example].flat().join(','),
    ])
    expect(examples.filter(([, example]) => example === '')).toEqual([])
    const page = await server.get(`/api${path}?${new URLSearchParams(examples).toString()}`, KEY)
    expect((page.body as { data: object[] }).data[0]).toMatchObject({ id: first })
  })

  it('requires path parameters and two query parameters', () => {
    const required = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ operationId, parameters }) =>
        parameters
          .filter(({ required: isRequired }) => isRequired === true)
          .map((parameter) => `${operationId} ${parameter.in} ${parameter.name}`),
      )
    expect(required.filter((text) => !text.includes(' path '))).toEqual([
      'getAvailability query from',
      'getAvailability query to',
    ])
    const inPaths = ENDPOINTS.filter(({ path }) => path.includes(':'))
    expect(required).toHaveLength(inPaths.length + 2)
  })

  it('has no description that begins or ends with a space', () => {
    expect(answer.text.match(/"description":"(?: [^"]*|[^"]* )"/g)).toBeNull()
  })

  it('lists the 26 expansion paths, with the prefix data. for the list', () => {
    const pathsOf = (path: string) => {
      const parameter = document.paths[path]?.['get']?.parameters.find(({ name }) => name === 'expand[]')
      return (parameter?.schema as { items: { enum: string[] } } | undefined)?.items.enum
    }
    expect(pathsOf('/quotes/{id}')).toEqual(QUOTE_PATHS)
    expect(pathsOf('/quotes')).toEqual(QUOTE_PATHS.map((path) => `data.${path}`))
  })

  it('has no recursive schema', () => {
    const refsOf = (schema: object) =>
      [...JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, id = '']) => id)
    const findCycle = (id: string, above: string[]): string[] =>
      above.includes(id)
        ? [[...above, id].join(' -> ')]
        : refsOf(schemas[id] ?? {}).flatMap((to) => findCycle(to, [...above, id]))
    expect(Object.keys(schemas).flatMap((id) => findCycle(id, []))).toEqual([])
  })

  it('has schemas for every expansion path, but no deeper ones', () => {
    expect(expandable('Quote')).toEqual(QUOTE_PATHS)
    expect(QUOTE_PATHS.at(-1)).toBe('booking.events.booking.events')
  })

  it('allows null metadata and any answers in a flat form response', () => {
    const [metadata, answers] = schemas['FlatFormResponse']?.allOf ?? []
    expect(metadata?.properties?.['quoteId']).toMatchObject({ type: ['string', 'null'] })
    expect(answers).toEqual({ type: 'object', additionalProperties: { type: ['string', 'null'] } })
  })

  it('allows new members, codes and types', () => {
    expect(document.info.description).toContain('Compatibility')
    expect(answer.text).not.toContain('"additionalProperties":false')
    const { properties = {} } = schemas['Error']?.properties?.['error'] ?? {}
    for (const name of ['type', 'code']) {
      const [known, ...others] = properties[name]?.anyOf ?? []
      expect(known?.enum?.length).toBeGreaterThan(5)
      expect(others).toEqual([{ type: 'string' }])
    }
  })

  it('does not mention members that responses never contain', () => {
    const answered = Object.entries(document.components.schemas).filter(([id]) => !id.endsWith('Body'))
    const members = JSON.stringify(Object.fromEntries(answered))
    expect(members.includes('"totalPriceCents":{')).toBe(true)
    expect(/"(lineItems|lines|unitPriceCents|priceCents|quantity|content|signature)":\{/.test(members)).toBe(
      false,
    )
  })
})

/** Reads come first, so that they show the original demo world. Then come writes and the changes that they record. */
const inOrder = ENDPOINTS.toSorted((a, b) => orderOf(a) - orderOf(b))

function orderOf({ method, operation }: (typeof ENDPOINTS)[number]): number {
  if (operation === 'listChanges' || operation === 'getQuoteLink') return 2
  return method === 'GET' ? 0 : 1
}

/** Removes new ids and times from responses to writes. */
function comparable(body: unknown, isWrite: boolean): unknown {
  if (!isWrite) return body
  const text = JSON.stringify(body)
  return JSON.parse(text.replaceAll(/"(id|leadId|bookingId|\w+At)":"[^"]*"/g, '"$1":""')) as unknown
}

/** Replaces the random secret. */
function withoutSecret(body: unknown): object {
  const secret = `whsec_${Buffer.alloc(32).toString('base64')}`
  return typeof body === 'object' && body !== null && 'secret' in body
    ? { ...body, secret }
    : (body as object)
}

const isUpdate = process.env['UPDATE_EXAMPLES'] === '1'
const examples: Record<string, Example> = {}
afterAll(() => {
  if (!isUpdate) return
  const entries = ENDPOINTS.map(({ operation }) => [operation, examples[operation]])
  writeFileSync(EXAMPLES_FILE, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`)
})

describe('D5: responses match the document', () => {
  it.each(inOrder.map((endpoint) => [endpoint.operation, endpoint] as const))(
    '%s: an example of the demo world, a denial and an error',
    async (operation, endpoint) => {
      const { example, status } = endpoint
      const shown = await send(endpoint, KEY, example.query === undefined ? '' : `?${example.query}`)
      expect(shown.status).toBe(status)
      expectDocumented(operation, shown)
      examples[operation] = { ...example, answer: withoutSecret(shown.body) }
      const isWrite = orderOf(endpoint) > 0
      const documented = isUpdate ? withoutSecret(shown.body) : example.answer
      expect(comparable(withoutSecret(shown.body), isWrite)).toEqual(comparable(documented, isWrite))
      const denied = await send(endpoint, 'no-such-key')
      expect(denied.status).toBe(401)
      expectDocumented(operation, denied)
      const unknown = { ...endpoint, path: endpoint.path.replace(/:\w+/, 'unknown') }
      const missing = await send(unknown, KEY, '?limit=0')
      expectDocumented(operation, missing)
    },
  )

  it('listQuotes with all paths', async () => {
    for (const paths of [QUOTE_PATHS.slice(0, 13), QUOTE_PATHS.slice(13)]) {
      const query = paths.map((path) => `expand[]=data.${path}`).join('&')
      const page = await server.get(`/api/quotes?limit=100&${query}`, KEY)
      expect(page.status).toBe(200)
      expectDocumented('listQuotes', page)
    }
  })

  it.each(['booking', 'event'] as const)('the list of %ss with all paths', async (object) => {
    const query = listPaths(EXPAND_GRAPH, object).map((path) => `expand[]=data.${path}`)
    const page = await server.get(`/api/${object}s?limit=100&${query.join('&')}`, KEY)
    expect(page.status).toBe(200)
    expectDocumented(object === 'booking' ? 'listBookings' : 'listEvents', page)
  })

  it('getFormResponse with format=flat', async () => {
    const flat = await server.get('/api/form-response/resp_0006_1?format=flat', KEY)
    expect(flat.status).toBe(200)
    expectDocumented('getFormResponse', flat)
  })
})
