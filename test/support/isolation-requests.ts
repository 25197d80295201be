/** Every request that could show the data of another company, from the table of endpoints and the paths of each. */
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
/** Before and after what the first company has; the second one's is later still. */
const INSTANTS = ['2021-03-01T00:00:00Z', '2021-12-01T00:00:00Z']

/** The ids of both companies, by kind, with one that does not exist. */
type Ids = (kind: string) => string[]

function idsIn(records: readonly TestRecord[]): Ids {
  return (kind) => [
    ...new Set(records.filter(({ object }) => object === kind).map(({ id }) => String(id))),
    NO_SUCH,
  ]
}

/** Each path alone. */
function singleExpansionsOf({ expand }: Endpoint): string[] {
  const { paths = [], prefix = '' } = expand ?? {}
  return paths.map((path) => `expand[]=${prefix}${path}`)
}

/** None, and queries that together expand every path. */
function expansionsOf(endpoint: Endpoint): string[] {
  const all = singleExpansionsOf(endpoint)
  const together: string[] = []
  for (let i = 0; i < all.length; i += PATHS_PER_REQUEST)
    together.push(all.slice(i, i + PATHS_PER_REQUEST).join('&'))
  return ['', ...together]
}

const joined = (...parts: string[]) => parts.filter((part) => part !== '').join('&')

/** The values to ask a parameter with. A parameter that is not known here must be made known. */
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
  throw new Error(`the isolation of companies is not tested with the parameter ${name}`)
}

function isCursor(name: string): boolean {
  return name === 'starting_after'
}

/** Both are required, and in the response. So the range is outside of the test data. */
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

/** What each list is of; a list that is not known here must be made known. */
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
    throw new Error(`the isolation of companies is not tested with cursors of ${operation}`)
  return ['', ...ids(kind).map((id) => `starting_after=${id}`)]
}

/** A cursor of each sort: the caller's own, one with a planted reference, theirs alone, nobody's. */
function fewCursors(cursors: readonly string[]): string[] {
  const isOf = (part: RegExp) => cursors.find((cursor) => part.test(cursor)) ?? ''
  return [...new Set(['', isOf(/_1$/), isOf(/_with_/), isOf(/=x_/), isOf(/=only_/), isOf(/=no_such_id/)])]
}

/** The kind of the id in the path or the body. */
function kindAskedFor({ operation, path }: Endpoint): string {
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
 * Every id of the right kind, and of each other kind one of both companies, because nothing tells those apart. All of them
 * if `isComplete`, and lists with every combination of filter, cursor and expansions instead of every two.
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
    const ownIds = isComplete ? allIds : ids(kindAskedFor(endpoint))
    if (path.includes(':') && ownIds.length === 1)
      throw new Error(`${operation} is not asked for its own ids`)
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

/** The body of a write; one that is not known here must be made known. */
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
  if (body === undefined)
    throw new Error(`the isolation of companies is not tested with the body of ${operation}`)
  return body
}

/** Requests of the same parts, but with several filters at once and any cursor and paths. */
export function randomRequests(
  records: readonly TestRecord[],
  random: () => number,
  count: number,
): IsolationRequest[] {
  const ids = idsIn(records)
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)]
  const reads = ENDPOINTS.filter(({ method }) => method === 'GET')
  return Array.from({ length: count }, (_, i) => {
    // Those with the most to ask for are asked most.
    const endpoint = (i % 2 === 0 ? pick(reads) : reads[0]) ?? reads[0]
    if (endpoint === undefined) throw new Error('there is no endpoint that reads')
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
