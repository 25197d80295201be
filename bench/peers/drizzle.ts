/** The peer with Drizzle: its relational queries, which load a page with all relations in one prepared statement. */
import { and, asc, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import * as relations from './drizzle-relations.ts'
import * as schema from './drizzle-schema.ts'
import { quoteRows } from './rows.ts'
import type { Expansions, Page, QuoteRow, Store } from './rows.ts'
import { serve } from './server.ts'

const { apiKeys, companies, lineItems, quotes, serviceCharges, staff } = schema
const pool = new Pool({ connectionString: process.env['DATABASE_URL'] })
const db = drizzle(pool, { schema: { ...schema, ...relations }, casing: 'snake_case' })

const { placeholder } = sql

const WITHOUT_KEYS = { columns: { companyId: false } } as const

/** The inputs of the total, and the requested relations. */
function relationsOf({ lead, location, services, serviceDays, booking, events, invoices }: Expansions) {
  return {
    lineItems: {
      columns: {
        id: true,
        kind: true,
        serviceId: true,
        addonId: true,
        discountId: true,
        priceCents: true,
        taxable: true,
      },
      where: and(isNull(lineItems.deletedAt), eq(lineItems.selected, true)),
      with: {
        service: services ? WITHOUT_KEYS : { columns: { id: true } },
        addon: { columns: { id: true } },
        discount: WITHOUT_KEYS,
      },
    },
    discount: WITHOUT_KEYS,
    taxRate: WITHOUT_KEYS,
    ...(lead ? { lead: WITHOUT_KEYS } : {}),
    ...(location ? { location: WITHOUT_KEYS } : {}),
    ...(serviceDays
      ? {
          serviceDays: {
            ...WITHOUT_KEYS,
            orderBy: [asc(schema.serviceDays.serviceStartTime), asc(schema.serviceDays.id)],
          },
        }
      : {}),
    ...(booking
      ? {
          booking: {
            ...WITHOUT_KEYS,
            with: {
              ...(events
                ? { events: { orderBy: [asc(schema.events.serviceStartTime), asc(schema.events.id)] } }
                : {}),
              ...(invoices
                ? { invoices: { orderBy: [asc(schema.invoices.createdAt), asc(schema.invoices.id)] } }
                : {}),
            },
          },
        }
      : {}),
  } as const
}

const QUOTE_COLUMNS = { companyId: false, deletedAt: false } as const
const isOfCompany = and(eq(quotes.companyId, placeholder('companyId')), isNull(quotes.deletedAt))

type Run = (values: Record<string, unknown>) => Promise<QuoteRow[]>

/** Prepared statements by their shape. */
const statements = new Map<string, Run>()

function prepared(name: string, expansions: Expansions, prepare: (name: string) => Run): Run {
  const shape = `${name}_${Object.values(expansions).map(Number).join('')}`
  const run = statements.get(shape) ?? prepare(shape)
  statements.set(shape, run)
  return run
}

function prepareOne(expansions: Expansions): Run {
  return prepared('one', expansions, (name) => {
    const query = db.query.quotes
      .findMany({
        columns: QUOTE_COLUMNS,
        where: and(isOfCompany, eq(quotes.id, placeholder('id'))),
        with: relationsOf(expansions),
      })
      .prepare(name)
    return async (values) => quoteRows(await query.execute(values))
  })
}

function prepareList(expansions: Expansions, hasCursor: boolean): Run {
  const after = hasCursor
    ? sql`(${quotes.createdAt}, ${quotes.id}) < (${placeholder('createdAt')}::timestamptz, ${placeholder('cursor')})`
    : undefined
  return prepared(hasCursor ? 'after' : 'first', expansions, (name) => {
    const query = db.query.quotes
      .findMany({
        columns: QUOTE_COLUMNS,
        where: and(isOfCompany, after),
        orderBy: [desc(quotes.createdAt), desc(quotes.id)],
        limit: placeholder('limit'),
        with: relationsOf(expansions),
      })
      .prepare(name)
    return async (values) => quoteRows(await query.execute(values))
  })
}

const findCursor = db
  .select({ createdAt: quotes.createdAt })
  .from(quotes)
  .where(and(isOfCompany, eq(quotes.id, placeholder('id'))))
  .prepare('cursor')

const findKey = db
  .select({
    companyId: apiKeys.companyId,
    revokedAt: apiKeys.revokedAt,
    plan: companies.plan,
    allowedIps: companies.allowedIps,
  })
  .from(apiKeys)
  .innerJoin(companies, eq(companies.id, apiKeys.companyId))
  .where(eq(apiKeys.keyHash, placeholder('keyHash')))
  .prepare('key')

async function listQuotes(companyId: string, { limit, startingAfter }: Page, expansions: Expansions) {
  if (startingAfter === undefined) return prepareList(expansions, false)({ companyId, limit: limit + 1 })
  const [cursor] = await findCursor.execute({ companyId, id: startingAfter })
  if (cursor === undefined) return []
  const createdAt = cursor.createdAt.toISOString()
  return prepareList(expansions, true)({ companyId, createdAt, cursor: startingAfter, limit: limit + 1 })
}

const store: Store = {
  findHolder: async (keyHash) => {
    const [found] = await findKey.execute({ keyHash })
    if (found === undefined) return null
    const { revokedAt, ...holder } = found
    return { ...holder, isRevoked: revokedAt !== null }
  },
  findQuote: async (companyId, id, expansions) =>
    (await prepareOne(expansions)({ companyId, id }))[0] ?? null,
  listQuotes,
  loadCharges: (companyId, ids) =>
    db.query.serviceCharges.findMany({
      ...WITHOUT_KEYS,
      where: and(eq(serviceCharges.companyId, companyId), inArray(serviceCharges.id, ids)),
    }),
  loadStaff: (companyId, ids) =>
    db.query.staff.findMany({
      ...WITHOUT_KEYS,
      where: and(eq(staff.companyId, companyId), inArray(staff.id, ids)),
    }),
}

await serve(store)
