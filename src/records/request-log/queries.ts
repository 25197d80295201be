/** The request log of a company, and when its keys were last used. */
import { idBefore, newId } from '../../core/ids.ts'
import { LOG_LATEST, LOG_MAX_DAYS, LOG_OLDER_MINUTES } from '../../core/requests/log-allowance.ts'
import type { KeyOwner } from '../api-key/queries.ts'
import { literal, sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { filledText, integer, text, time } from '../../codec/column-types.ts'
import { defineFields, ofTable } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { API_KEY_COLUMNS } from '../api-key/columns.ts'

/** A request whose company is not known yet. */
export interface UnclaimedRequest {
  id: string
  /** When it was answered, in milliseconds. */
  at: number
  method: string
  path: string
  status: number
  durationUs: number
  requestId: string
  denial: string | null
  error: RequestError | null
}

/** The error in the response. */
export interface RequestError {
  code: string
  message: string
  param: string | null
}

export type LoggedRequest = UnclaimedRequest & KeyOwner

export interface KeyUse {
  companyId: string
  keyId: string
  /** In milliseconds. */
  at: number
}

/** Ids increase with time, so the requests of the last days are those after this id. */
export function newLogId(): string {
  return newId('log')
}

/**
 * Uses are sorted by key, so that two processes do not deadlock. One statement, so that a batch can be sent again if its
 * response was lost.
 */
const WRITE_LOG = statement(sql`
  WITH used AS (
    INSERT INTO api_key_uses AS u (company_id, key_id, last_used_at)
    SELECT k.company_id, k.id, n.at
    FROM unnest($14::text[], $15::text[], $16::timestamptz[]) AS n (company_id, key_id, at)
    JOIN api_keys k ON k.company_id = n.company_id AND k.id = n.key_id
    ORDER BY k.company_id, k.id
    ON CONFLICT (company_id, key_id) DO UPDATE SET last_used_at = greatest(u.last_used_at, excluded.last_used_at)
  )
  INSERT INTO request_log
    (company_id, id, at, key_id, method, path, status, duration_us, request_id, denial, error_code, error_message,
    error_param)
  SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::smallint[],
    $8::integer[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[])
  ON CONFLICT (company_id, id) DO NOTHING`)

export async function writeRequestLog(
  db: Db,
  requests: readonly LoggedRequest[],
  uses: readonly KeyUse[],
): Promise<void> {
  await queryRows(db, WRITE_LOG, [
    requests.map(({ companyId }) => companyId),
    requests.map(({ id }) => id),
    requests.map(({ at }) => new Date(at).toISOString()),
    requests.map(({ keyId }) => keyId),
    requests.map(({ method }) => method),
    requests.map(({ path }) => path),
    requests.map(({ status }) => status),
    requests.map(({ durationUs }) => durationUs),
    requests.map(({ requestId }) => requestId),
    requests.map(({ denial }) => denial),
    requests.map(({ error }) => error?.code ?? null),
    requests.map(({ error }) => error?.message ?? null),
    requests.map(({ error }) => error?.param ?? null),
    uses.map(({ companyId }) => companyId),
    uses.map(({ keyId }) => keyId),
    uses.map(({ at }) => new Date(at).toISOString()),
  ])
}

/** Skips rows that another process is removing, instead of waiting. */
const REMOVE_OLD = statement(sql`
  DELETE FROM request_log WHERE ctid = ANY (ARRAY(
    SELECT o.place FROM companies c CROSS JOIN LATERAL (
      SELECT r.ctid AS place FROM request_log r WHERE r.company_id = c.id AND r.id < $1
      ORDER BY r.id LIMIT 10000 FOR UPDATE SKIP LOCKED
    ) o))`)

/** Errors and successes are limited separately, so that many of one kind do not displace the other. */
const REMOVE_SURPLUS = statement(sql`
  DELETE FROM request_log WHERE ctid = ANY (ARRAY(
    SELECT o.place FROM unnest($1::text[]) AS c (id) CROSS JOIN LATERAL (
      SELECT r.ctid AS place FROM request_log r JOIN (
        SELECT s.id, row_number() OVER (PARTITION BY s.status >= 400 ORDER BY s.id DESC) AS newer,
          row_number() OVER (PARTITION BY s.status >= 400,
            floor(extract(epoch FROM s.at) / ${literal(60 * LOG_OLDER_MINUTES)}) ORDER BY s.id) AS nth
        FROM request_log s WHERE s.company_id = c.id
      ) n ON n.id = r.id
      WHERE r.company_id = c.id AND n.newer > ${literal(LOG_LATEST)} AND n.nth > 1
      FOR UPDATE OF r SKIP LOCKED
    ) o))`)

/** Removes requests that are too old, for every company. */
export async function removeOldRequests(db: Db, now: number): Promise<void> {
  await queryRows(db, REMOVE_OLD, [oldestKept(now)])
}

/** Removes requests over the limit, for these companies. */
export async function thinRequestLog(db: Db, companyIds: readonly string[]): Promise<void> {
  await queryRows(db, REMOVE_SURPLUS, [companyIds])
}

function oldestKept(now: number): string {
  return idBefore('log', now - LOG_MAX_DAYS * 24 * 60 * 60 * 1000)
}

export interface RequestFilter {
  keyId: string | null
  method: string | null
  /** The lowest and the highest status. */
  statuses: readonly [number, number]
  /**
   * Anywhere in path and query, in any case. People type the path as the page shows it, so brackets, commas, colons and
   * spaces match whether the client encoded them or not.
   */
  pathPart: string | null
  requestId: string | null
}

/** `request_log` is not a record type: companies cannot import it, and its columns are only read here. */
const LISTED_REQUEST = defineFields({
  ...ofTable('r', {
    id: filledText(),
    at: time().iso(),
    keyId: filledText(),
    method: filledText(),
    path: text(),
    status: integer(),
    durationUs: integer(),
    requestId: text(),
    denial: text().nullable(),
    /** Null if the request succeeded, and for entries from before errors were stored. */
    errorCode: text().nullable(),
    errorMessage: text().nullable(),
    errorParam: text().nullable(),
  }),
  /** Null if the key no longer exists. */
  keyName: API_KEY_COLUMNS.columns.name.nullable().sql(sql`k.name`),
})

export type ListedRequest = RowIn<typeof LISTED_REQUEST>

const LIST_REQUESTS = statement(sql`
  SELECT ${LISTED_REQUEST.selectList}
  FROM request_log r LEFT JOIN api_keys k ON k.company_id = r.company_id AND k.id = r.key_id
  WHERE r.company_id = $1 AND r.id >= $2 AND ($3::text IS NULL OR r.id < $3)
    AND ($4::text IS NULL OR r.key_id = $4) AND ($5::text IS NULL OR r.method = $5)
    AND r.status BETWEEN $6 AND $7
    AND ($8::text IS NULL OR strpos(lower(r.path), lower($8)) > 0
      OR strpos(replace(replace(replace(replace(replace(
        lower(r.path), '%5b', '['), '%5d', ']'), '%2c', ','), '%3a', ':'), '%20', ' '), lower($8)) > 0)
    AND ($9::text IS NULL OR r.request_id = $9)
  ORDER BY r.id DESC LIMIT $10`)

/** Latest first. `before` is the last id of the previous page. */
export async function listRequests(
  db: Db,
  companyId: string,
  filter: RequestFilter,
  page: { before: string | null; limit: number; now: number },
): Promise<ListedRequest[]> {
  const { keyId, method, statuses, pathPart, requestId } = filter
  return queryObjects(db, LISTED_REQUEST, LIST_REQUESTS, [
    companyId,
    oldestKept(page.now),
    page.before,
    keyId,
    method,
    ...statuses,
    pathPart,
    requestId,
    page.limit,
  ])
}
