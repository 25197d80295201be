/** The log of the company's requests, with filters. */
import { z } from 'zod'
import { ADMINS } from '../core/callers.ts'
import { isStorableText } from '../core/ids.ts'
import { listRequests } from '../records/request-log/queries.ts'
import type { ListedRequest } from '../records/request-log/queries.ts'
import { consoleRoute } from './route.ts'

export interface RequestLogAnswer {
  /** The latest first. */
  requests: ListedRequest[]
  /** To go on with older ones; null where there are none. */
  before: string | null
}

const PAGE = 50

const STATUSES = {
  errors: [400, 599],
  '2xx': [200, 299],
  '4xx': [400, 499],
  '5xx': [500, 599],
} as const
const ANY_STATUS = [0, 999] as const

const text = z.string().max(500).refine(isStorableText, 'Invalid character.').optional()

const Filters = z.strictObject({
  key: text,
  status: z.enum(['errors', '2xx', '4xx', '5xx'], 'Choose errors, 2xx, 4xx or 5xx.').optional(),
  method: text,
  path: text,
  request: text,
  before: text,
})

const showRequests = consoleRoute({
  method: 'GET',
  path: '/console/request-log',
  allowed: ADMINS,
  input: Filters,
  answer: async ({ reports, companyId, input, presentation }): Promise<RequestLogAnswer> => {
    const { key = null, status, method = null, path = null, request = null, before = null } = input
    const found = await listRequests(
      reports,
      companyId,
      {
        keyId: key,
        method,
        statuses: status === undefined ? ANY_STATUS : STATUSES[status],
        pathPart: path,
        requestId: request,
      },
      { before, limit: PAGE + 1, now: Date.parse(presentation.now) },
    )
    const requests = found.slice(0, PAGE)
    return { requests, before: found.length > PAGE ? (requests.at(-1)?.id ?? null) : null }
  },
})

export const requestLogRoutes = [showRequests]
