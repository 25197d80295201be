/** Reads the webhook deliveries of a company. */
import { parseChangeId } from '../../core/change-log/change-types.ts'
import { isPossibleId } from '../../core/ids.ts'
import { readSize, takePage } from '../../core/requests/page.ts'
import type { Page, ReadPage } from '../../core/requests/page.ts'
import { literal, sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, pick } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { DELIVERY_STATUSES, WEBHOOK_DELIVERY_COLUMNS } from './columns.ts'
import type { DeliveryStatus } from './columns.ts'

const ID = /^whd_([1-9]\d{0,17})$/

export const deliveryId = (number: string) => `whd_${number}`

/** The number of a delivery id, or null if no delivery has such an id. */
function parseDeliveryId(id: string): string | null {
  return ID.exec(id)?.[1] ?? null
}

const FIELDS = defineFields(
  pick(
    WEBHOOK_DELIVERY_COLUMNS,
    'number',
    'endpointId',
    'changeSequence',
    'status',
    'attempts',
    'nextAttemptAt',
  ),
)

export type DeliveryRow = RowIn<typeof FIELDS>

const FIND_DELIVERY = statement(sql`
  SELECT ${FIELDS.selectList} FROM webhook_deliveries t WHERE t.company_id = $1 AND t.number = $2`)

export async function findDelivery(db: Db, companyId: string, id: string): Promise<DeliveryRow | null> {
  const number = parseDeliveryId(id)
  if (number === null) return null
  const [row] = await queryObjects(db, FIELDS, FIND_DELIVERY, [companyId, number])
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
  const end = sql`ORDER BY t.number DESC LIMIT ${limit}`
  const within = sql`t.company_id = $1 AND t.number < ${before}`
  if (changeId !== undefined) {
    const byEndpoint = endpointId === undefined ? sql`` : sql` AND t.endpoint_id = ${endpointId}`
    const byStatus = status === undefined ? sql`` : sql` AND t.status = ${status}`
    return sql`SELECT ${FIELDS.selectList} FROM webhook_deliveries t
      WHERE ${within} AND t.change_sequence = ${parseChangeId(changeId) ?? '0'}::bigint${byEndpoint}${byStatus} ${end}`
  }
  if (endpointId === undefined && status === undefined)
    return sql`SELECT ${FIELDS.selectList} FROM webhook_deliveries t WHERE ${within} ${end}`
  const statuses = status === undefined ? DELIVERY_STATUSES : [status]
  const endpoints =
    endpointId === undefined
      ? sql`SELECT id FROM webhook_endpoints WHERE company_id = $1`
      : sql`SELECT ${endpointId}::text AS id`
  return sql`
    SELECT ${FIELDS.selectList} FROM (${endpoints}) e CROSS JOIN unnest(${statuses}::text[]) AS s (status) CROSS JOIN LATERAL (
      SELECT * FROM webhook_deliveries t
      WHERE ${within} AND t.endpoint_id = e.id AND t.status = s.status ${end}) t
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
  const rows = await queryObjects(db, FIELDS, statement(page), [companyId])
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
  UPDATE webhook_deliveries t SET status = 'pending', next_attempt_at = now(), is_forced = true
  WHERE t.company_id = $1 AND t.number = $2
  RETURNING ${FIELDS.selectList}`)

/** Makes it due now, whatever its status. It must exist. */
export async function retryDelivery(db: Db, companyId: string, number: string): Promise<DeliveryRow> {
  const [row] = await queryObjects(db, FIELDS, RETRY, [companyId, number])
  if (row === undefined) throw new Error('the delivery to retry does not exist')
  return row
}
