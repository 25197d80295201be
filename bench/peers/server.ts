/** The API of the peers: Fastify, API keys, quotes with their totals, and the six expansions. */
import { fastify } from 'fastify'
import type { FastifyInstance } from 'fastify'
import { hashApiKey } from '../../src/core/security/api-key.ts'
import { createInvoiceTokens } from '../../src/core/security/invoice-token.ts'
import { presentQuote } from './present.ts'
import type { Expansions, Holder, QuoteRow, Store } from './rows.ts'

declare module 'fastify' {
  interface FastifyRequest {
    companyId: string
  }
}

/** The same as in the service */
const KEY_CACHE_MS = 500
const PLANS = new Set(['PREMIUM', 'LEGACY_PRO'])

/** Listens on PORT. */
export async function serve(store: Store): Promise<void> {
  const { PORT = '', APP_SECRET = '', PUBLIC_URL = '' } = process.env
  const app = fastify()
  app.decorateRequest('companyId', '')
  app.get('/healthz', () => 'ready')
  await app.register(async (api: FastifyInstance) => addQuotes(api, store, APP_SECRET, PUBLIC_URL))
  await app.listen({ port: Number(PORT), host: '127.0.0.1' })
}

function addQuotes(api: FastifyInstance, store: Store, secret: string, publicUrl: string): void {
  const tokens = createInvoiceTokens(secret)
  const invoiceUrl = (companyId: string, invoiceId: string) =>
    `${publicUrl}/i/${tokens.seal({ companyId, invoiceId })}`
  const findHolder = cached(store.findHolder)
  api.addHook('onRequest', async (request, reply) => {
    const key = request.headers['x-api-key']
    const holder = typeof key === 'string' ? await findHolder(hashApiKey(key)) : null
    const mayCall = holder !== null && !holder.isRevoked && PLANS.has(holder.plan)
    const isAllowed = mayCall && (holder.allowedIps.length === 0 || holder.allowedIps.includes(request.ip))
    if (isAllowed) request.companyId = holder.companyId
    else await reply.code(401).send({ error: { type: 'missing_or_invalid_api_key' } })
  })
  const present = async (companyId: string, rows: readonly QuoteRow[], expansions: Expansions) => {
    const chargeIds = distinct(rows.flatMap(({ serviceChargeIds }) => serviceChargeIds))
    const staffIds = expansions.staff
      ? distinct(rows.flatMap(({ booking }) => booking?.events?.flatMap((event) => event.staffIds) ?? []))
      : []
    const [charges, staff] = await Promise.all([
      chargeIds.length === 0 ? [] : store.loadCharges(companyId, chargeIds),
      staffIds.length === 0 ? [] : store.loadStaff(companyId, staffIds),
    ])
    const presentation = {
      now: new Date().toISOString(),
      invoiceUrl,
      charges: new Map(charges.map((charge) => [charge.id, charge])),
      staff: new Map(staff.map((member) => [member.id, member])),
      withServices: expansions.services,
      withStaff: expansions.staff,
    }
    return rows.map((row) => presentQuote(row, presentation))
  }
  api.get<{ Params: { id: string }; Querystring: Query }>('/api/quotes/:id', async (request, reply) => {
    const { companyId, params, query } = request
    const expansions = expansionsOf(query, '')
    const row = await store.findQuote(companyId, params.id, expansions)
    if (row === null)
      return reply.code(404).send({ error: { type: 'not_found', message: 'Quote not found' } })
    return (await present(companyId, [row], expansions))[0]
  })
  api.get<{ Querystring: Query }>('/api/quotes', async ({ companyId, query }) => {
    const expansions = expansionsOf(query, 'data.')
    const page = { limit: Number(query.limit ?? 10), startingAfter: query.starting_after }
    const rows = await store.listQuotes(companyId, page, expansions)
    const data = await present(companyId, rows.slice(0, page.limit), expansions)
    return { object: 'list', url: '/api/quotes', hasMore: rows.length > page.limit, data }
  })
}

interface Query {
  limit?: string
  starting_after?: string
  'expand[]'?: string | string[]
}

const distinct = (ids: string[]) => [...new Set(ids)]

/** A nested path includes its parents. */
function expansionsOf(query: Query, prefix: string): Expansions {
  const paths = [query['expand[]'] ?? []].flat().flatMap((list) => list.split(','))
  const has = (name: string) =>
    paths.some((path) => path === prefix + name || path.startsWith(`${prefix}${name}.`))
  return {
    lead: has('lead'),
    location: has('location'),
    services: has('services'),
    serviceDays: has('serviceDays'),
    booking: has('booking'),
    events: has('booking.events'),
    staff: has('booking.events.staff'),
    invoices: has('booking.invoices'),
  }
}

/** Reads a key at most once in half a second. */
function cached(find: Store['findHolder']): Store['findHolder'] {
  const cache = new Map<string, { holder: Promise<Holder | null>; at: number }>()
  return (keyHash) => {
    const known = cache.get(keyHash)
    const now = performance.now()
    if (known !== undefined && now - known.at < KEY_CACHE_MS) return known.holder
    const holder = find(keyHash)
    cache.set(keyHash, { holder, at: now })
    return holder
  }
}
