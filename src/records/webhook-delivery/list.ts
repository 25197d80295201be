/** Reads the webhook deliveries of a company. */
import { parseChangeId } from '../../core/change-log/change-types.ts'
import { isPossibleId } from '../../core/ids.ts'
import { readSize, takePage } from '../../core/requests/page.ts'
import type { Page, ReadPage } from '../../core/requests/page.ts'
import { literal, sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export interface StoredAttempt {
  /** ISO 8601 in UTC. */
  at: string
  /** Null without a response. */
  status: number | null
  error: string | null
  durationMs: number
  /** The beginning of the response body. Not public. */
  response: string
}

export interface DeliveryRow {
  number: string
  endpointId: string
  changeSequence: string
  status: DeliveryStatus
  /** Oldest first. */
  attempts: StoredAttempt[]
  /** As PostgreSQL prints it; `infinity` while an earlier delivery of the subject is pending. */
  nextAttemptAt: string | null
}

const ID = /^whd_([1-9]\d{0,17})$/

export const deliveryId = (number: string) => `whd_${number}`

/** The number of a delivery id, or null if no delivery has such an id. */
function parseDeliveryId(id: string): string | null {
  return ID.exec(id)?.[1] ?? null
}

const COLUMNS = sql`d.number, d.endpoint_id AS "endpointId", d.change_sequence AS "changeSequence", d.status, d.attempts,
  d.next_attempt_at AS "nextAttemptAt"`

const FIND_DELIVERY = statement(sql`
  SELECT ${COLUMNS} FROM webhook_deliveries d WHERE d.company_id = $1 AND d.number = $2`)

export async function findDelivery(db: Db, companyId: string, id: string): Promise<DeliveryRow | null> {
  const number = parseDeliveryId(id)
  if (number === null) return null
  const [row] = await queryRows<DeliveryRow>(db, FIND_DELIVERY, [companyId, number])
  return row ?? null
}

export interface DeliveryFilters {
  endpointId: string | undefined
  changeId: string | undefined
  status: DeliveryStatus | undefined
}

/**
 * A change has few deliveries. All others are read in the order of an index: that of the company, or one stretch for each
 * endpoint and status, merged.
 */
function pageText({ endpointId, changeId, status }: DeliveryFilters, before: Sql, limit: Sql): Sql {
  const end = sql`ORDER BY d.number DESC LIMIT ${limit}`
  const within = sql`d.company_id = $1 AND d.number < ${before}`
  if (changeId !== undefined) {
    const byEndpoint = endpointId === undefined ? sql`` : sql` AND d.endpoint_id = ${endpointId}`
    const byStatus = status === undefined ? sql`` : sql` AND d.status = ${status}`
    return sql`SELECT ${COLUMNS} FROM webhook_deliveries d
      WHERE ${within} AND d.change_sequence = ${parseChangeId(changeId) ?? '0'}::bigint${byEndpoint}${byStatus} ${end}`
  }
  if (endpointId === undefined && status === undefined)
    return sql`SELECT ${COLUMNS} FROM webhook_deliveries d WHERE ${within} ${end}`
  const statuses = status === undefined ? DELIVERY_STATUSES : [status]
  const endpoints =
    endpointId === undefined
      ? sql`SELECT id FROM webhook_endpoints WHERE company_id = $1`
      : sql`SELECT ${endpointId}::text AS id`
  return sql`
    SELECT ${COLUMNS} FROM (${endpoints}) e CROSS JOIN unnest(${statuses}::text[]) AS s (status) CROSS JOIN LATERAL (
      SELECT * FROM webhook_deliveries d
      WHERE ${within} AND d.endpoint_id = e.id AND d.status = s.status ${end}) d
    ${end}`
}

const BEYOND_LAST = '9223372036854775807'

/** Newest first. */
export async function listDeliveries(
  db: Db,
  companyId: string,
  filters: DeliveryFilters,
  { limit, startingAfter }: Page,
): Promise<ReadPage<DeliveryRow>> {
  const isLost = startingAfter !== undefined && !(await matches(db, companyId, startingAfter, filters))
  if (isLost || (filters.endpointId !== undefined && !isPossibleId(filters.endpointId)))
    return { rows: [], hasMore: false, isCursorFound: !isLost }
  const before = startingAfter === undefined ? BEYOND_LAST : (parseDeliveryId(startingAfter) ?? '0')
  const page = pageText(filters, sql`${before}::bigint`, literal(readSize(limit)))
  const rows = await queryRows<DeliveryRow>(db, statement(page), [companyId])
  return { ...takePage(rows, limit), isCursorFound: true }
}

/** Whether the delivery exists and satisfies the filters. */
async function matches(
  db: Db,
  companyId: string,
  id: string,
  { endpointId, changeId, status }: DeliveryFilters,
): Promise<boolean> {
  const row = await findDelivery(db, companyId, id)
  if (row === null) return false
  const isOfChange = changeId === undefined || parseChangeId(changeId) === row.changeSequence
  const isOfEndpoint = endpointId === undefined || endpointId === row.endpointId
  return isOfChange && isOfEndpoint && (status === undefined || status === row.status)
}

const RETRY = statement(sql`
  UPDATE webhook_deliveries d SET status = 'pending', next_attempt_at = now(), is_forced = true
  WHERE d.company_id = $1 AND d.number = $2
  RETURNING ${COLUMNS}`)

/** Makes it due now, whatever its status. It must exist. */
export async function retryDelivery(db: Db, companyId: string, number: string): Promise<DeliveryRow> {
  const [row] = await queryRows<DeliveryRow>(db, RETRY, [companyId, number])
  if (row === undefined) throw new Error('the delivery to retry does not exist')
  return row
}
