/** Requests that could expose the data of another company, generated from the table of endpoints. */
import { z } from 'zod'
import { ENDPOINTS } from '../../src/api/endpoints.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { findKind } from '../../src/world/kinds.ts'
import { OURS, THEIRS } from './two-companies.ts'
import type { TestRecord } from './world.ts'

export interface IsolationRequest {
  operation: string
  method: string
  path: string
  body?: string
}

const NO_SUCH = 'no_such_id'
const PATHS_PER_REQUEST = 20
/** Times before and after the data of the first company. The data of the second company is later. */
const INSTANTS = ['2021-03-01T00:00:00Z', '2021-12-01T00:00:00Z']

/** The ids of a kind in both companies, and one that does not exist. */
type Ids = (kind: string) => string[]

function idsIn(records: readonly TestRecord[]): Ids {
  return (kind) => [
    ...new Set(records.filter(({ object }) => object === kind).map(({ id }) => String(id))),
    NO_SUCH,
  ]
}

/** One query for each path. */
function singleExpansionsOf({ expand }: Endpoint): string[] {
  const { paths = [], prefix = '' } = expand ?? {}
  return paths.map((path) => `expand[]=${prefix}${path}`)
}

/** An empty query, and queries that together expand every path. */
function expansionsOf(endpoint: Endpoint): string[] {
  const all = singleExpansionsOf(endpoint)
  const together: string[] = []
  for (let i = 0; i < all.length; i += PATHS_PER_REQUEST)
    together.push(all.slice(i, i + PATHS_PER_REQUEST).join('&'))
  return ['', ...together]
}

const joined = (...parts: string[]) => parts.filter((part) => part !== '').join('&')

/** Values for a parameter. Throws for new parameters, which must be added here. */
function valuesOf(name: string, ids: Ids): readonly string[] {
  if (name === 'limit') return ['1', '100']
  if (name === 'format') return ['flat']
  if (name === 'completed' || name === 'archived') return ['true', 'false']
  if (name === 'email') return [OURS, THEIRS].map(({ mark }) => encodeURIComponent(`${mark} lead email`))
  if (name === 'type') return ['data.imported', 'task.created']
  if (name === 'order') return ['desc']
  if (name === 'wait') return ['0']
  if (name === 'endpoint_id') return ids('webhookEndpoint')
  if (name === 'change_id') return ['chg_1', 'chg_2', NO_SUCH]
  if (name === 'object_id') return [OURS.id, THEIRS.id, ...ids('task')]
  if (/^\w+\[(gt|gte|lt|lte)\]$/.test(name)) return INSTANTS
  const kind = /^(\w+)_id$/.exec(name)?.[1]?.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  if (kind !== undefined && findKind(kind) !== null) return ids(kind)
  throw new Error(`add values for the parameter ${name} to test the isolation of companies`)
}

function isCursor(name: string): boolean {
  return name === 'starting_after'
}

/** `from` and `to` are required, and the response repeats them. So the range is outside of the test data. */
const RANGES = ['from=2023-01-01T00:00:00Z&to=2023-02-01T00:00:00Z']

function filtersOf({ operation, query }: Endpoint, ids: Ids): string[] {
  if (operation === 'getAvailability') return RANGES
  const names = Object.keys(query.shape).filter((name) => !isCursor(name))
  const choicesOf = (name: string) => {
    const { enum: choices } = z.toJSONSchema(query.shape[name] ?? z.never(), {
      io: 'input',
      unrepresentable: 'any',
    })
    return name === 'status' ? (choices as string[] | undefined) : undefined
  }
  return [
    '',
    ...names.flatMap((name) => (choicesOf(name) ?? valuesOf(name, ids)).map((value) => `${name}=${value}`)),
  ]
}

/** Cursors of a list. Throws for new lists, which must be added here. */
function cursorsOf({ operation, query }: Endpoint, ids: Ids): string[] {
  if (!Object.keys(query.shape).some(isCursor)) return ['']
  if (operation === 'listChanges') return ['', 'starting_after=chg_1', 'starting_after=chg_2']
  const kinds: Record<string, string> = {
    listQuotes: 'quote',
    listResources: 'resource',
    listLeads: 'lead',
    listTasks: 'task',
    listBookings: 'booking',
    listEvents: 'event',
    listStaff: 'staff',
    listFormResponses: 'formResponse',
    listInvoices: 'invoice',
    listServices: 'service',
    listAddons: 'addon',
    listLocations: 'location',
    listEventTypes: 'eventType',
    listWebhookEndpoints: 'webhookEndpoint',
    listWebhookDeliveries: 'webhookDelivery',
  }
  const kind = kinds[operation]
  if (kind === undefined)
    throw new Error(`add the kind of ${operation} to test the isolation of companies with its cursors`)
  return ['', ...ids(kind).map((id) => `starting_after=${id}`)]
}

/** One cursor of each sort: of both companies, with a planted reference, only of the other company, and unknown. */
function fewCursors(cursors: readonly string[]): string[] {
  const isOf = (part: RegExp) => cursors.find((cursor) => part.test(cursor)) ?? ''
  return [...new Set(['', isOf(/_1$/), isOf(/_with_/), isOf(/=x_/), isOf(/=only_/), isOf(/=no_such_id/)])]
}

/** The kind of the id in the path or the body. */
function kindOfId({ operation, path }: Endpoint): string {
  const others: Record<string, string> = {
    createTask: 'event',
    createTaskOfEvent: 'event',
    createQuote: 'lead',
    getInvoiceReference: 'booking',
  }
  const [, , collection = ''] = path.split('/')
  const ofCollection = collection
    .replace(/ies$/, 'y')
    .replace(/s$/, '')
    .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return others[operation] ?? ofCollection
}

/**
 * Requests with every id of the endpoint's kind, and a few ids of other kinds, because endpoints treat those alike. If
 * `isComplete`, with all ids, and lists with all combinations of filter, cursor and expansions instead of pairs.
 */
export function isolationRequests(records: readonly TestRecord[], isComplete = false): IsolationRequest[] {
  const ids = idsIn(records)
  const kinds = [...new Set(records.map(({ object }) => String(object)))]
  const isId = (id: string) => !/^(co_|key$)/.test(id)
  const allIds = [...new Set(kinds.flatMap(ids))].filter(isId)
  const fewIds = allIds.filter((id) => /_1$|^only_/.test(id))
  const all = ENDPOINTS.flatMap((endpoint): IsolationRequest[] => {
    const { operation, method, path } = endpoint
    const to = (target: string, query = '') => ({
      operation,
      method,
      path: query === '' ? target : `${target}?${query}`,
    })
    const ownIds = isComplete ? allIds : ids(kindOfId(endpoint))
    if (path.includes(':') && ownIds.length === 1)
      throw new Error(`the test data has no ids for ${operation}`)
    if (method !== 'GET') {
      return [...new Set([...ownIds, ...fewIds])].map((id) => ({
        ...to(path.replace(/:\w+/, encodeURIComponent(id))),
        ...(method === 'POST' && { body: JSON.stringify(bodyOf(operation, id)) }),
      }))
    }
    const expansions = expansionsOf(endpoint)
    const filters = filtersOf(endpoint, ids)
    if (path.includes(':')) {
      const targetOf = (id: string) => path.replace(/:\w+/, encodeURIComponent(id))
      return [
        ...fewIds.map((id) => to(targetOf(id), filters[0])),
        ...ownIds.flatMap((id) =>
          expansions.flatMap((expansion) =>
            filters.map((filter) => to(targetOf(id), joined(filter, expansion))),
          ),
        ),
      ]
    }
    const alone = singleExpansionsOf(endpoint).map((expansion) => to(path, joined('limit=100', expansion)))
    const combined = filters.flatMap((filter) =>
      fewCursors(cursorsOf(endpoint, ids)).flatMap((cursor) =>
        expansions
          .filter((expansion) => isComplete || [filter, cursor, expansion].includes(''))
          .map((expansion) =>
            to(path, joined(filter, cursor, expansion, /limit/.test(filter) ? '' : 'limit=100')),
          ),
      ),
    )
    return [...alone, ...combined]
  })
  return [...new Map(all.map((request) => [keyOf(request), request])).values()]
}

export const keyOf = ({ method, path, body }: IsolationRequest) => `${method} ${path} ${body ?? ''}`

/** The body of a write. Throws for new operations, which must be added here. */
function bodyOf(operation: string, id: string): object {
  const bodies: Record<string, object> = {
    createTask: { eventId: id, description: 'Call' },
    createTaskOfEvent: { eventId: id, description: 'Call' },
    updateTask: { completed: true },
    createQuote: { leadId: id, locationId: 'location_1', eventAddress: 'Call' },
    updateQuote: { leadId: 'lead_1', eventDescription: 'Call' },
    sendQuote: { message: 'Call' },
    loseQuote: { lostReason: 'PRICE' },
    reopenQuote: {},
    bookQuote: {},
    updateEvent: { name: 'Call', staffIds: ['staff_1'], resourceIds: ['resource_1'] },
    cancelEvent: {},
    recordPayment: { amountCents: 1 },
    createLead: { firstName: 'Call' },
    updateLead: { firstName: 'Call' },
    createWebhookEndpoint: { url: 'https://192.0.9.1/', types: ['task.*'] },
    updateWebhookEndpoint: { types: ['lead.*'] },
    rotateWebhookSecret: {},
    replayChanges: { since: '2021-01-01T00:00:00Z' },
    retryWebhookDelivery: {},
  }
  const body = bodies[operation]
  if (body === undefined) throw new Error(`add a body for ${operation} to test the isolation of companies`)
  return body
}

/** Random requests with several filters, and any cursor and paths. */
export function randomRequests(
  records: readonly TestRecord[],
  random: () => number,
  count: number,
): IsolationRequest[] {
  const ids = idsIn(records)
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)]
  const reads = ENDPOINTS.filter(({ method }) => method === 'GET')
  return Array.from({ length: count }, (_, i) => {
    // Every other request goes to the first endpoint, which has the most parameters.
    const endpoint = (i % 2 === 0 ? pick(reads) : reads[0]) ?? reads[0]
    if (endpoint === undefined) throw new Error('no endpoint with GET found')
    const { operation, method, path, expand } = endpoint
    const filters = filtersOf(endpoint, ids)
    const chosen = new Map(
      [pick(filters), pick(filters), pick(filters)].map((filter = '') => [filter.split('=')[0], filter]),
    )
    const paths = (expand?.paths ?? []).filter(() => random() < 0.4).slice(0, PATHS_PER_REQUEST)
    const query = joined(
      ...chosen.values(),
      pick(cursorsOf(endpoint, ids)) ?? '',
      ...paths.map((one) => `expand[]=${expand?.prefix ?? ''}${one}`),
    )
    const id = (pick(records)?.['id'] ?? NO_SUCH) as string
    return { operation, method, path: `${path.replace(/:\w+/, encodeURIComponent(id))}?${query}` }
  })
}
