/** Quotes to edit: everything that a change needs, and the version that tells whether someone else changed it. */
import { hash } from 'node:crypto'
import { isoFromPostgres } from '../../core/schedule/datetime.ts'
import { isPossibleId } from '../../core/ids.ts'
import { priceQuote } from '../../core/pricing/price-quote.ts'
import type { PriceBreakdown } from '../../core/pricing/price-quote.ts'
import { MEMBER_FIELDS, pricingInputOf } from '../../core/quotes/quote-edit.ts'
import type { Catalog, QuoteContent } from '../../core/quotes/quote-edit.ts'
import { idsIn, readCatalog } from '../catalog/queries.ts'
import { join, literal, sql } from '../../db/sql.ts'
import { statement } from '../../db/statement.ts'
import type { Db, DbPool } from '../../db/statement.ts'
import { object, oneOf } from '../../codec/column-types.ts'
import { columnOf } from '../../codec/column.ts'
import type { RowOf } from '../../codec/column.ts'
import { defineFields, ofTable, pick, withIsoTimes } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { EVENT_TYPE_COLUMNS } from '../event-type/columns.ts'
import { LEAD_COLUMNS } from '../lead/columns.ts'
import { LOCATION_COLUMNS } from '../location/columns.ts'
import { QUOTE_COLUMNS } from './columns.ts'
import { editableLine, listLines } from './lines.ts'
import { loadServiceDaysOfQuotes } from '../service-day/object.ts'
import { inTransaction } from '../../db/transaction.ts'

const LEAD = pick(LEAD_COLUMNS, 'firstName', 'lastName', 'companyName', 'email', 'phone')
const LEAD_MEMBERS = join(Object.keys(LEAD).map((name) => sql`${literal(name)}, ${columnOf('l', name)}`))

/** The order is part of the quote's version. */
const FACTS = {
  ...ofTable('q', pick(QUOTE_COLUMNS, 'number', 'currency', 'updatedAt', 'sentAt', 'expiresAt', 'bookedAt')),
  ...ofTable('q', pick(QUOTE_COLUMNS, 'lostAt', 'lostReason', 'bookingId')),
  /** Without expiry, which depends on the clock. */
  standing: oneOf(['draft', 'sent', 'booked', 'lost']).sql(
    sql`quote_state(q.sent_at, q.booked_at, q.lost_at)`,
  ),
  lead: object(LEAD)
    .nullable()
    .sql(sql`CASE WHEN l.id IS NOT NULL THEN json_build_object(${LEAD_MEMBERS}) END`),
  timeZone: LOCATION_COLUMNS.columns.timeZone.nullable().sql(sql`p.time_zone`),
  eventType: EVENT_TYPE_COLUMNS.columns.name.nullable().sql(sql`e.name`),
}

const FACT_NAMES = Object.keys(FACTS) as (keyof typeof FACTS)[]

const FIELDS = defineFields({
  ...withIsoTimes(FACTS),
  ...ofTable('q', pick(QUOTE_COLUMNS, ...MEMBER_FIELDS)),
})

type QuoteFacts = RowOf<typeof FACTS>

const FIND = sql`
  SELECT ${FIELDS.selectList}
  FROM quotes q
    LEFT JOIN leads l ON l.company_id = $1 AND l.id = q.lead_id
    LEFT JOIN locations p ON p.company_id = $1 AND p.id = q.location_id
    LEFT JOIN event_types e ON e.company_id = $1 AND e.id = q.event_type_id
  WHERE q.company_id = $1 AND q.id = $2 AND q.deleted_at IS NULL`

export interface EditableQuote {
  id: string
  /** Changes with every change of the quote or its price. */
  version: string
  facts: QuoteFacts
  content: QuoteContent
  catalog: Catalog
  price: PriceBreakdown
}

const READ = statement(FIND)
/**
 * The quote before its lines, in the same order as imports, which prevents deadlocks. NO KEY, because the key does not change:
 * inserting a line does not wait.
 */
const READ_AND_LOCK = statement(sql`${FIND} FOR NO KEY UPDATE OF q`)

/** The quote in one snapshot, with the whole catalog; null if the company has no such quote. */
export async function findQuoteForEdit(
  pool: DbPool,
  companyId: string,
  id: string,
): Promise<EditableQuote | null> {
  if (!isPossibleId(id)) return null
  return inTransaction(
    pool,
    (client) => readQuote(client, companyId, id, { isLocked: false, extent: 'all' }),
    'read',
  )
}

/**
 * The quote with the parts of the catalog that it and the new content refer to. Locks it and its lines, so that a concurrent
 * import waits.
 */
export async function lockQuote(
  db: Db,
  companyId: string,
  id: string,
  content?: QuoteContent,
): Promise<EditableQuote | null> {
  return isPossibleId(id)
    ? readQuote(db, companyId, id, { isLocked: true, extent: 'some', also: content })
    : null
}

interface Reading {
  isLocked: boolean
  /** The whole catalog, or only what the old and new content refer to. */
  extent: 'all' | 'some'
  also?: QuoteContent | undefined
}

async function readQuote(
  db: Db,
  companyId: string,
  id: string,
  { isLocked, extent, also }: Reading,
): Promise<EditableQuote | null> {
  const [row] = await queryObjects(db, FIELDS, isLocked ? READ_AND_LOCK : READ, [companyId, id])
  if (row === undefined) return null
  const lineRows = await listLines(db, companyId, id, { isLocked })
  const days = await loadServiceDaysOfQuotes(db, companyId, [id])
  const content: QuoteContent = {
    ...only(row, MEMBER_FIELDS),
    serviceDays: days.map((day) => ({
      id: day.get('id'),
      serviceStartTime: isoFromPostgres(day.get('serviceStartTime')),
      serviceEndTime: isoFromPostgres(day.get('serviceEndTime')),
    })),
    lines: lineRows.map(editableLine),
  }
  const catalog = await readCatalog(
    db,
    companyId,
    idsIn(also === undefined ? [content] : [content, also]),
    extent,
  )
  const facts = only(row, FACT_NAMES)
  const price = priceQuote(pricingInputOf(content, catalog, facts.currency))
  const version = versionOf([content, price, facts])
  return { id, version, facts, content, catalog, price }
}

function only<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]): Pick<Row, Name> {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>
}

/** Includes the price, since a discount or a tax rate may have changed. */
function versionOf(parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts))
}
