/** Webhook endpoints: where a company receives its changes. */
import { isPossibleId } from '../../core/ids.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, publicColumns, withIsoTimes } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { addAllDeliveries } from '../webhook-delivery/create.ts'
import type { RowOf } from '../../codec/column.ts'
import { NEXT_UPDATE, insertRow, updateRow } from '../../codec/write.ts'
import { WEBHOOK_ENDPOINT_COLUMNS } from './columns.ts'

const FIELDS = defineFields(withIsoTimes(publicColumns(WEBHOOK_ENDPOINT_COLUMNS)))

export type EndpointRow = RowIn<typeof FIELDS>

/** A signing secret. The newest one has no end. */
export type StoredSecret = RowOf<typeof WEBHOOK_ENDPOINT_COLUMNS.columns>['secrets'][number]

const LIST_ENDPOINTS = statement(sql`
  SELECT ${FIELDS.selectList} FROM webhook_endpoints t WHERE t.company_id = $1
  ORDER BY t.created_at DESC, t.id DESC`)

/** All of them, newest first. A company has at most 20. */
export async function listEndpoints(db: Db, companyId: string): Promise<EndpointRow[]> {
  return queryObjects(db, FIELDS, LIST_ENDPOINTS, [companyId])
}

const FIND_ENDPOINT = statement(sql`
  SELECT ${FIELDS.selectList} FROM webhook_endpoints t WHERE t.company_id = $1 AND t.id = $2`)

export async function findEndpoint(db: Db, companyId: string, id: string): Promise<EndpointRow | null> {
  if (!isPossibleId(id)) return null
  const [row] = await queryObjects(db, FIELDS, FIND_ENDPOINT, [companyId, id])
  return row ?? null
}

export async function insertEndpoint(
  db: Db,
  companyId: string,
  endpoint: Pick<EndpointRow, 'id' | 'url' | 'types' | 'description'> & { secrets: StoredSecret[] },
): Promise<void> {
  await addAllDeliveries(db, companyId)
  await insertRow(db, WEBHOOK_ENDPOINT_COLUMNS, companyId, endpoint)
  await noteEndpoints(db, companyId)
}

export async function updateEndpoint(
  db: Db,
  companyId: string,
  { id, url, types, description }: Pick<EndpointRow, 'id' | 'url' | 'types' | 'description'>,
): Promise<void> {
  await addAllDeliveries(db, companyId)
  await updateRow(db, WEBHOOK_ENDPOINT_COLUMNS, companyId, id, { url, types, description })
}

const ENABLE_ENDPOINT = statement(sql`
  UPDATE webhook_endpoints SET status = 'enabled', disabled_reason = NULL, failing_since = NULL, replay_cursor = NULL, ${NEXT_UPDATE}
  WHERE company_id = $1 AND id = $2`)

export async function enableEndpoint(db: Db, companyId: string, id: string): Promise<void> {
  await addAllDeliveries(db, companyId)
  await queryRows(db, ENABLE_ENDPOINT, [companyId, id])
  await noteEndpoints(db, companyId)
}

const DISABLE_ENDPOINT = statement(sql`
  UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = $3, replay_cursor = NULL, ${NEXT_UPDATE}
  WHERE company_id = $1 AND id = $2 AND status = 'enabled' RETURNING id`)

const FAIL_PENDING = statement(sql`
  UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, is_forced = false
  WHERE company_id = $1 AND endpoint_id = $2 AND status = 'pending'`)

/** Pending deliveries fail: what a disabled endpoint misses is not sent later. False if it was not enabled. */
export async function disableEndpoint(
  db: Db,
  companyId: string,
  id: string,
  reason: string | null,
): Promise<boolean> {
  await addAllDeliveries(db, companyId)
  if ((await queryRows(db, DISABLE_ENDPOINT, [companyId, id, reason])).length === 0) return false
  await queryRows(db, FAIL_PENDING, [companyId, id])
  await noteEndpoints(db, companyId)
  return true
}

const DELETE_DELIVERIES = statement(sql`
  DELETE FROM webhook_deliveries WHERE company_id = $1 AND endpoint_id = $2`)
const DELETE_ENDPOINT = statement(sql`DELETE FROM webhook_endpoints WHERE company_id = $1 AND id = $2`)

export async function deleteEndpoint(db: Db, companyId: string, id: string): Promise<void> {
  await queryRows(db, DELETE_DELIVERIES, [companyId, id])
  await queryRows(db, DELETE_ENDPOINT, [companyId, id])
  await noteEndpoints(db, companyId)
}

const NOTE_ENDPOINTS = statement(sql`
  UPDATE change_counters SET
    has_webhooks = EXISTS (SELECT 1 FROM webhook_endpoints WHERE company_id = $1 AND status = 'enabled'),
    delivery_cursor = CASE WHEN has_webhooks THEN delivery_cursor ELSE last_sequence END
  WHERE company_id = $1`)

/** Whether changes of the company have deliveries. If they had none until now, they begin with the next change. */
export async function noteEndpoints(db: Db, companyId: string): Promise<void> {
  await queryRows(db, NOTE_ENDPOINTS, [companyId])
}
