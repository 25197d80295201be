/** Sent quotes, and requests to their customer pages. */
import type { Pool } from 'pg'
import { expect } from 'vitest'
import type { Connection } from '../../src/db/connect.ts'
import { KEY, createQuoteApi, plant } from './quotes.ts'
import type { Row } from './quotes.ts'
import type { Answer, TestServer } from './server.ts'

const JSON_HEADERS = { 'x-api-key': KEY, 'content-type': 'application/json' }

/** The visible text of a page, such as `price $120.00 to pay`. */
export function visibleText(html: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return html
    .replaceAll(/<style>[\s\S]*?<\/style>|<script[\s\S]*?<\/script>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll(/\s+/g, ' ')
}

/** The shown figures by key. */
export function figuresIn(html: string): Record<string, string> {
  const found = [...html.matchAll(/data-figure="([\w-]+)"[^>]*>([^<]*)</g)]
  return Object.fromEntries(found.map(([, key = '', text = '']) => [key, text]))
}

const LINES: readonly Row[] = [
  { id: 'bar', description: 'Open bar', price_cents: 10_000 },
  { id: 'ice', description: 'Ice sculpture', price_cents: 2_000, optional: true, selected: false },
  { id: 'beer', description: 'Beer', price_cents: 3_000, option_group: 'Drinks' },
  { id: 'wine', description: 'Wine', price_cents: 5_000, option_group: 'Drinks', selected: false },
]

interface SentQuote {
  id: string
  /** The path of the page. */
  path: string
}

export interface CustomerPages {
  pool: Pool
  connection: Connection
  server: TestServer
  /** Plants a quote with options, one day, tax and a contract. Its total is 14300, or 18700 with ice and wine. */
  plantQuote: (row?: Row, lines?: readonly Row[]) => Promise<string>
  send: (id: string, body?: object) => Promise<string>
  sentQuote: (row?: Row, lines?: readonly Row[]) => Promise<SentQuote>
  open: (path: string, headers?: Record<string, string>) => Promise<Answer>
  /** Sends a form of the page. */
  post: (path: string, fields: Record<string, string>, headers?: Record<string, string>) => Promise<Answer>
  api: (method: string, path: string, body?: object) => Promise<Answer>
  typesOf: (quoteId: string) => Promise<string[]>
}

/** The form with the options of the first offer. */
export const ACCEPT = { name: 'Ada Noor', agree: 'yes', shown: '2', group0: '2' }

export async function createCustomerPages(): Promise<CustomerPages> {
  const { pool, connection, server } = await createQuoteApi()
  await plant(pool, 'leads', 'co_1', 'lead_1', {
    first_name: 'Ada',
    last_name: 'Noor',
    email: 'ada@example.com',
    notes: 'INTERNAL NOTE',
  })
  await plant(pool, 'locations', 'co_1', 'loc_1')
  await plant(pool, 'event_types', 'co_1', 'type_1')
  await plant(pool, 'tax_rates', 'co_1', 'tax_1', { name: 'Sales tax', rate: '10' })
  await plant(pool, 'contracts', 'co_1', 'con_1', { content: '{{customer.name}} pays {{quote.total}}.' })

  const api: CustomerPages['api'] = (method, path, body) =>
    server.call(`/api/${path}`, {
      method,
      headers: JSON_HEADERS,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  let last = 0
  const plantQuote: CustomerPages['plantQuote'] = async (row = {}, lines = LINES) => {
    const id = `quote_${++last}`
    await plant(pool, 'quotes', 'co_1', id, {
      event_type_id: 'type_1',
      tax_rate_id: 'tax_1',
      contract_id: 'con_1',
      guest_count: 80,
      ...row,
    })
    await plant(pool, 'service_days', 'co_1', `day_${last}`, {
      quote_id: id,
      service_start_time: '2030-06-01T16:00:00Z',
      service_end_time: '2030-06-01T22:00:00Z',
    })
    for (const [position, line] of lines.entries()) {
      await plant(pool, 'line_items', 'co_1', `${String(line['id'])}_${last}`, {
        ...line,
        id: `${String(line['id'])}_${last}`,
        quote_id: id,
        position,
      })
    }
    return id
  }
  const send: CustomerPages['send'] = async (id, body = {}) => {
    const sent = await api('POST', `quotes/${id}/send`, body)
    expect([sent.status, sent.text]).toEqual([200, expect.any(String)])
    const link = await api('GET', `quotes/${id}/link`)
    expect(link.status).toBe(200)
    return new URL((link.body as { url: string }).url).pathname
  }
  return {
    pool,
    connection,
    server,
    plantQuote,
    send,
    sentQuote: async (row, lines) => {
      const id = await plantQuote(row, lines)
      return { id, path: await send(id) }
    },
    open: (path, headers = {}) => server.call(path, { headers }),
    post: (path, fields, headers = {}) =>
      server.call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams(fields).toString(),
      }),
    api,
    typesOf: async (quoteId) => {
      const { body } = await api('GET', `changes?object_id=${quoteId}`)
      return (body as { data: { type: string }[] }).data.map(({ type }) => type)
    },
  }
}
