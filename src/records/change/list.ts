/** Reads the change log of a company. */
import type { ChangeType } from '../../core/change-log/change-types.ts'
import { readSize, takePage } from '../../core/requests/page.ts'
import { postgresTime } from '../../core/schedule/time-range.ts'
import type { TimeRange } from '../../core/schedule/time-range.ts'
import { defineFields, ofTable } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { queryTexts } from '../../codec/text-query.ts'
import { literal, sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db, Statement } from '../../db/statement.ts'
import { CHANGE_COLUMNS } from './columns.ts'

const FIELDS = defineFields(ofTable('c', CHANGE_COLUMNS.columns))

/** Times are as PostgreSQL prints them. */
export type ChangeRow = RowIn<typeof FIELDS>

/** A user or key, or everything that customers or the system did. */
export type ActorFilter = { id: string } | { type: 'customer' | 'system' }

export interface ChangeFilters {
  /** Empty for all. */
  types: readonly ChangeType[]
  subject: { object?: string; id: string } | undefined
  actor: ActorFilter | undefined
  createdAt: TimeRange | null
  order: 'asc' | 'desc'
}

/** The sequences of the oldest kept change and of the newest one; null if no change is kept. */
export interface KeptChanges {
  oldest: bigint | null
  newest: bigint | null
}

const FIND_KEPT = statement(sql`
  SELECT (SELECT sequence FROM changes WHERE company_id = $1 ORDER BY sequence LIMIT 1) AS oldest,
    (SELECT sequence FROM changes WHERE company_id = $1 ORDER BY sequence DESC LIMIT 1) AS newest`)

export async function findKept(db: Db, companyId: string): Promise<KeptChanges> {
  const [[oldest, newest] = []] = await queryTexts(db, FIND_KEPT, [companyId])
  return { oldest: toBigInt(oldest), newest: toBigInt(newest) }
}

const FIND_CHANGES = statement(sql`
  SELECT ${FIELDS.selectList} FROM changes c WHERE c.company_id = $1 AND c.sequence = ANY($2::bigint[])`)

/** Those that are still kept, in any order. */
export async function loadChanges(
  db: Db,
  companyId: string,
  sequences: readonly string[],
): Promise<ChangeRow[]> {
  return queryObjects(db, FIELDS, FIND_CHANGES, [companyId, sequences])
}

const FIND_LAST = statement(sql`
  SELECT company_id AS "companyId", last_sequence AS sequence FROM change_counters WHERE company_id = ANY($1)`)

/** The number of the newest change of each company that has one. */
export async function findLastSequences(db: Db, companyIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await queryRows<{ companyId: string; sequence: string }>(db, FIND_LAST, [companyIds])
  return new Map(rows.map(({ companyId, sequence }) => [companyId, sequence]))
}

function toBigInt(sequence: string | null | undefined): bigint | null {
  return sequence === null || sequence === undefined ? null : BigInt(sequence)
}

const BEYOND_LAST = '9223372036854775807'

type Shape = 'all' | 'types' | 'subject' | 'actor' | 'customer' | 'system'

/**
 * $2 and $3 are the open bounds of the sequence, $4 and $5 those of the time, which never decreases with the sequence. So the
 * page is a stretch of one index, whatever the filters: by number, subject or actor, or the merged stretches of up to 20 types, or
 * of customers.
 */
function listText(shape: Shape, order: ChangeFilters['order'], limit: number): Sql {
  const within = sql`c.company_id = $1 AND c.sequence > $2 AND c.sequence < $3
    AND c.sequence >= coalesce((SELECT s.sequence FROM changes s WHERE s.company_id = $1 AND s.created_at >= $4
      ORDER BY s.created_at, s.sequence LIMIT 1), ${literal(BEYOND_LAST)})
    AND c.sequence <= coalesce((SELECT s.sequence FROM changes s WHERE s.company_id = $1 AND s.created_at < $5
      ORDER BY s.created_at DESC, s.sequence DESC LIMIT 1), 0)`
  const direction = order === 'asc' ? sql`ASC` : sql`DESC`
  const end = sql`ORDER BY c.sequence ${direction} LIMIT ${literal(limit)}`
  if (shape === 'all') return sql`SELECT ${FIELDS.selectList} FROM changes c WHERE ${within} ${end}`
  const isOfType = sql`(cardinality($6::text[]) = 0 OR c.type = ANY($6))`
  const conditions = {
    subject: sql`c.subject_id = $7 AND ($8::text IS NULL OR c.subject_object = $8)`,
    actor: sql`c.actor_id = $7`,
  }
  // PostgreSQL reads the index by actor in order only if the order names the null actor, too.
  const noActor = (type: Sql) => sql`
    SELECT * FROM changes c
    WHERE ${within} AND ${isOfType} AND c.actor_id IS NULL AND c.actor_type = ${type}
    ORDER BY c.actor_id ${direction}, c.sequence ${direction} LIMIT ${literal(limit)}`
  if (shape === 'system') return sql`SELECT ${FIELDS.selectList} FROM (${noActor(sql`'system'`)}) c ${end}`
  if (shape === 'customer')
    return sql`
      SELECT ${FIELDS.selectList} FROM ((${noActor(sql`'customer'`)}) UNION ALL (${formsOfCustomers(within, end)})) c ${end}`
  if (shape !== 'types')
    return sql`SELECT ${FIELDS.selectList} FROM changes c WHERE ${within} AND ${isOfType} AND ${conditions[shape]} ${end}`
  return sql`
    SELECT ${FIELDS.selectList} FROM unnest($6::text[]) AS wanted (type) CROSS JOIN LATERAL (
      SELECT * FROM changes c WHERE ${within} AND c.type = wanted.type ${end}) c
    ${end}`
}

/** Customers have an id only if they submit the form of a booking. */
function formsOfCustomers(within: Sql, end: Sql): Sql {
  const type = sql`'form_response.submitted'`
  return sql`
    SELECT * FROM changes c
    WHERE ${within} AND (cardinality($6::text[]) = 0 OR ${type} = ANY($6))
      AND c.type = ${type} AND c.actor_id IS NOT NULL AND c.actor_type = 'customer' ${end}`
}

const statements = new Map<string, Statement>()

function listStatement(shape: Shape, order: ChangeFilters['order'], limit: number): Statement {
  const name = `${shape} ${order} ${limit}`
  const known = statements.get(name)
  if (known !== undefined) return known
  const created = statement(listText(shape, order, limit))
  statements.set(name, created)
  return created
}

const NO_BOUND = { from: -Infinity, before: Infinity }

/** The changes after a position, in the chosen order. Null starts at the beginning. */
export async function listChanges(
  db: Db,
  companyId: string,
  { types, subject, actor, createdAt, order }: ChangeFilters,
  { limit, after }: { limit: number; after: bigint | null },
): Promise<{ rows: ChangeRow[]; hasMore: boolean }> {
  const { from, before } = createdAt ?? NO_BOUND
  const bounds = [
    order === 'asc' && after !== null ? String(after) : '0',
    order === 'desc' && after !== null ? String(after) : BEYOND_LAST,
    postgresTime(from),
    postgresTime(before),
  ]
  const { shape, more } = shapeOf(types, subject, actor)
  const values = [companyId, ...bounds, ...more]
  const rows = await queryObjects(db, FIELDS, listStatement(shape, order, readSize(limit)), values)
  return takePage(rows, limit)
}

/** The index to read, and the values of its conditions. */
function shapeOf(
  types: ChangeFilters['types'],
  subject: ChangeFilters['subject'],
  actor: ChangeFilters['actor'],
): { shape: Shape; more: unknown[] } {
  if (subject !== undefined) return { shape: 'subject', more: [types, subject.id, subject.object ?? null] }
  if (actor !== undefined)
    return 'id' in actor ? { shape: 'actor', more: [types, actor.id] } : { shape: actor.type, more: [types] }
  return types.length > 0 ? { shape: 'types', more: [types] } : { shape: 'all', more: [] }
}
