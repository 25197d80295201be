/** The requests of a world. Each kind reads or writes records of all companies with their keys. */
import { withClient } from '../../src/db/connect.ts'
import type { Connection } from '../../src/db/connect.ts'
import { httpGet, httpPost } from '../load.ts'
import { SIX_EXPANSIONS } from '../requests.ts'
import { keyOf } from './sizes.ts'
import type { Size } from './sizes.ts'

export interface Request {
  method: 'GET' | 'POST'
  path: string
  key: string
  body?: string
}

/** In the order of tables and plots. */
export const KINDS = {
  get: 'get one quote',
  list10: 'list 10',
  deep: 'list 10 at depth',
  list100: 'list 100 with six expansions',
  createTask: 'create a task',
} as const

export type Kind = keyof typeof KINDS
export type Requests = Record<Kind, Request[]>

const GETS = 4_000
/** A page can have twice as many lines as another, so that a figure needs many pages. */
const PAGES = 300

/** An order that is the same in every run and unrelated to other columns */
const SHUFFLED = 'md5(company_id || id)'

interface Found {
  company_id: string
  id: string
}

/** Quotes between two relative positions of the list of their company, the same number for each company */
const quotesBetween = `
  SELECT company_id, id FROM (
    SELECT company_id, id, row_number() OVER (PARTITION BY company_id ORDER BY ${SHUFFLED}) AS number FROM (
      SELECT company_id, id, percent_rank() OVER (PARTITION BY company_id ORDER BY created_at DESC, id DESC) AS depth
      FROM quotes WHERE deleted_at IS NULL
    ) ranked WHERE depth BETWEEN $1 AND $2
  ) chosen WHERE number <= $3 ORDER BY ${SHUFFLED}`

export async function listRequests(connection: Connection, { companies }: Size): Promise<Requests> {
  return withClient(connection, async (client) => {
    const find = async (text: string, values: number[]): Promise<Found[]> =>
      (await client.query<Found>(text, values)).rows
    const each = Math.ceil(PAGES / companies)
    const newest = await find(quotesBetween, [0, 0.1, each])
    const oldest = await find(quotesBetween, [0.85, 0.95, each])
    const any = await find(
      `SELECT company_id, id FROM quotes WHERE deleted_at IS NULL ORDER BY ${SHUFFLED} LIMIT $1`,
      [GETS],
    )
    const events = await find(
      `SELECT company_id, id FROM events WHERE canceled_at IS NULL ORDER BY ${SHUFFLED} LIMIT $1`,
      [PAGES],
    )
    const expansions = SIX_EXPANSIONS.map((path) => `data.${path}`).join(',')
    return {
      get: any.map((quote) => get(quote, `/api/quotes/${quote.id}`)),
      list10: newest.map((quote) => get(quote, `/api/quotes?starting_after=${quote.id}`)),
      deep: oldest.map((quote) => get(quote, `/api/quotes?starting_after=${quote.id}`)),
      list100: newest.map((quote) =>
        get(quote, `/api/quotes?limit=100&starting_after=${quote.id}&expand[]=${expansions}`),
      ),
      createTask: events.map(({ company_id, id }) => ({
        method: 'POST',
        path: '/api/tasks',
        key: keyOf(company_id),
        body: JSON.stringify({ eventId: id, description: 'Call the venue about the loading dock' }),
      })),
    }
  })
}

function get({ company_id }: Found, path: string): Request {
  return { method: 'GET', path, key: keyOf(company_id) }
}

export function httpOf({ path, key, body }: Request): string {
  return body === undefined ? httpGet(path, key) : httpPost(path, key, body)
}
