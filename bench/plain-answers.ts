/**
 * An independent implementation of pages: simple queries without regard to indexes, with pages cut in this process. Responses
 * of the service to random requests are compared with it.
 */
import type { Pool } from 'pg'
import { isoFromPostgres, parseDateTime } from '../src/core/schedule/datetime.ts'
import { priceTotal } from '../src/core/pricing/price-total.ts'
import type { Discount, NotFound, PricingInput } from '../src/core/pricing/price-total.ts'

export interface PageRequest {
  limit: number
  startingAfter: string | undefined
  ids: Record<string, string>
  /** Such as `created_at[gte]`. */
  bounds: Record<string, string>
}

export interface PlainPage {
  hasMore: boolean
  quotes: { id: string; totalPriceCents: number; updatedAt: string }[]
}

const OPERATORS: Record<string, string> = { gt: '>', gte: '>=', lt: '<', lte: '<=' }

export function pathOf({ limit, startingAfter, ids, bounds }: PageRequest): string {
  const query = new URLSearchParams({ limit: String(limit), ...ids, ...bounds })
  if (startingAfter !== undefined) query.set('starting_after', startingAfter)
  return `/api/quotes?${query.toString()}`
}

export async function plainPage(pool: Pool, companyId: string, request: PageRequest): Promise<PlainPage> {
  const conditions = ['q.company_id = $1', 'q.deleted_at IS NULL']
  const days: string[] = []
  const values = [companyId]
  for (const [column, id] of Object.entries(request.ids)) conditions.push(`q.${column} = $${values.push(id)}`)
  for (const [name, time] of Object.entries(request.bounds)) {
    const [, column = '', operator = ''] = /^(\w+)\[(\w+)\]$/.exec(name) ?? []
    const bound = `${column} ${OPERATORS[operator]} $${values.push(parseDateTime(time) ?? '')}::timestamptz`
    if (column === 'service_start_time') days.push(`d.${bound}`)
    else conditions.push(`q.${bound}`)
  }
  if (days.length > 0) {
    conditions.push(`EXISTS (SELECT FROM service_days d
      WHERE d.company_id = q.company_id AND d.quote_id = q.id AND ${days.join(' AND ')})`)
  }
  const { rows } = await pool.query<{ id: string }>(
    `SELECT q.id FROM quotes q WHERE ${conditions.join(' AND ')} ORDER BY q.created_at DESC, q.id DESC`,
    values,
  )
  const ids = rows.map(({ id }) => id)
  const { startingAfter, limit } = request
  const start = startingAfter === undefined ? 0 : ids.indexOf(startingAfter) + 1
  const matching = startingAfter !== undefined && start === 0 ? [] : ids.slice(start)
  const quotes = []
  for (const id of matching.slice(0, limit)) quotes.push(await plainQuote(pool, companyId, id))
  return { hasMore: matching.length > limit, quotes }
}

type Row = Record<string, string | number | boolean | string[] | null>

async function plainQuote(pool: Pool, companyId: string, id: string): Promise<PlainPage['quotes'][number]> {
  const find = async (table: string, wanted: unknown): Promise<Row | undefined> =>
    (await pool.query<Row>(`SELECT * FROM ${table} WHERE company_id = $1 AND id = $2`, [companyId, wanted]))
      .rows[0]
  const discountOf = async (wanted: unknown): Promise<Discount | NotFound | null> => {
    if (typeof wanted !== 'string') return null
    const found = await find('discounts', wanted)
    if (found === undefined) return { id: wanted, found: false }
    const amountOff = found['amount_off'] === null ? null : Number(found['amount_off'])
    return {
      id: wanted,
      found: true,
      type: found['type'] as Discount['type'],
      percentOff: found['percent_off'] as string | null,
      amountOff,
      currency: found['currency'] as string | null,
    }
  }
  const quote = (await find('quotes', id)) ?? {}
  const { rows: lines } = await pool.query<Row>(
    'SELECT * FROM line_items WHERE company_id = $1 AND quote_id = $2 AND deleted_at IS NULL',
    [companyId, id],
  )
  const pricingLines: PricingInput['lines'][number][] = []
  for (const line of lines) {
    const item = line['kind'] === 'SERVICE' ? await find('services', line['service_id']) : undefined
    const addon = line['kind'] === 'ADDON' ? await find('addons', line['addon_id']) : undefined
    pricingLines.push({
      id: String(line['id']),
      kind: line['kind'] as PricingInput['lines'][number]['kind'],
      itemFound: line['kind'] === 'CUSTOM' ? null : (item ?? addon) !== undefined,
      priceCents: Number(line['price_cents']),
      taxable: line['taxable'] === true,
      deleted: false,
      discount: await discountOf(line['discount_id']),
    })
  }
  const total = priceTotal({
    currency: String(quote['currency']),
    baseFeeCents: Number(quote['base_fee_cents']),
    baseFeeTaxable: quote['base_fee_taxable'] === true,
    travelFeeCents: Number(quote['travel_fee_cents']),
    travelFeeTaxable: quote['travel_fee_taxable'] === true,
    lines: pricingLines,
    discount: await discountOf(quote['discount_id']),
    serviceCharges: await chargesOf(quote['service_charge_ids'] as string[], find),
    taxRate: await taxRateOf(quote['tax_rate_id'], find),
  })
  return { id, totalPriceCents: total, updatedAt: isoFromPostgres(String(quote['updated_at'])) }
}

type Find = (table: string, id: unknown) => Promise<Row | undefined>

async function chargesOf(ids: string[], find: Find): Promise<PricingInput['serviceCharges']> {
  return Promise.all(
    ids.map(async (id) => {
      const found = await find('service_charges', id)
      if (found === undefined) return { id, found: false as const }
      return {
        id,
        found: true as const,
        type: found['type'] as Discount['type'],
        percentage: found['percentage'] as string | null,
        amountCents: found['amount_cents'] === null ? null : Number(found['amount_cents']),
        currency: found['currency'] as string | null,
        taxable: found['taxable'] === true,
      }
    }),
  )
}

async function taxRateOf(id: unknown, find: Find): Promise<PricingInput['taxRate']> {
  if (typeof id !== 'string') return null
  const found = await find('tax_rates', id)
  return found === undefined ? { id, found: false } : { id, found: true, rate: String(found['rate']) }
}
