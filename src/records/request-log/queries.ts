/** The log of requests that a company sees, and when its keys were last used. */
import { isoFromPostgres } from '../../core/schedule/datetime.ts'
import { idBefore, newId } from '../../core/ids.ts'
import { LOG_LATEST, LOG_MAX_DAYS, LOG_OLDER_MINUTES } from '../../core/requests/log-allowance.ts'
import type { KeyOwner } from '../api-key/queries.ts'
import { columns, queryRows, statement } from '../../db/connect.ts'
import type { Db } from '../../db/connect.ts'

/** One of which nobody has said yet whose it is. */
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

/** Why a request failed, as the response said it. */
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

/** Ids rise with time: with the one that comes first, those of the last days are found. */
export function newLogId(): string {
  return newId('log')
}

/**
 * The uses in the order of their keys, since two processes that took the same ones in another order would wait for each
 * other. One statement: a batch that was written, but whose answer was lost, may be sent again.
 */
const WRITE_LOG = statement(`
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

/** What another process is about to remove is left to it: nobody waits. */
const REMOVE_OLD = statement(`
  DELETE FROM request_log WHERE ctid = ANY (ARRAY(
    SELECT o.place FROM companies c CROSS JOIN LATERAL (
      SELECT r.ctid AS place FROM request_log r WHERE r.company_id = c.id AND r.id < $1
      ORDER BY r.id LIMIT 10000 FOR UPDATE SKIP LOCKED
    ) o))`)

/** Errors and others each for themselves: many of one kind never push out the other. */
const REMOVE_SURPLUS = statement(`
  DELETE FROM request_log WHERE ctid = ANY (ARRAY(
    SELECT o.place FROM unnest($1::text[]) AS c (id) CROSS JOIN LATERAL (
      SELECT r.ctid AS place FROM request_log r JOIN (
        SELECT s.id, row_number() OVER (PARTITION BY s.status >= 400 ORDER BY s.id DESC) AS newer,
          row_number() OVER (PARTITION BY s.status >= 400,
            floor(extract(epoch FROM s.at) / ${60 * LOG_OLDER_MINUTES}) ORDER BY s.id) AS nth
        FROM request_log s WHERE s.company_id = c.id
      ) n ON n.id = r.id
      WHERE r.company_id = c.id AND n.newer > ${LOG_LATEST} AND n.nth > 1
      FOR UPDATE OF r SKIP LOCKED
    ) o))`)

/** Removes what is too old, of every company. */
export async function removeOldRequests(db: Db, now: number): Promise<void> {
  await queryRows(db, REMOVE_OLD, [oldestKept(now)])
}

/** Thins out what is too much, of these companies. */
export async function thinRequestLog(db: Db, companyIds: readonly string[]): Promise<void> {
  await queryRows(db, REMOVE_SURPLUS, [companyIds])
}

function oldestKept(now: number): string {
  return idBefore('log', now - LOG_MAX_DAYS * 24 * 60 * 60 * 1000)
}

export interface RequestFilter {
  keyId: string | null
  method: string | null
  /** The least and the greatest status. */
  statuses: readonly [number, number]
  /**
   * Anywhere in path and query, in any case. People type the path as the page shows it, so brackets, commas, colons and
   * spaces match whether the client encoded them or not.
   */
  pathPart: string | null
  requestId: string | null
}

export interface ListedRequest {
  id: string
  at: string
  keyId: string
  /** Null where there is no such key any more. */
  keyName: string | null
  method: string
  path: string
  status: number
  durationUs: number
  requestId: string
  denial: string | null
  /** Null where the request succeeded, and for entries from before errors were stored. */
  errorCode: string | null
  errorMessage: string | null
  errorParam: string | null
}

const LIST_REQUESTS = statement(`
  SELECT ${columns(
    'id at keyId method path status durationUs requestId denial errorCode errorMessage errorParam',
    'r',
  )}, k.name AS "keyName"
  FROM request_log r LEFT JOIN api_keys k ON k.company_id = r.company_id AND k.id = r.key_id
  WHERE r.company_id = $1 AND r.id >= $2 AND ($3::text IS NULL OR r.id < $3)
    AND ($4::text IS NULL OR r.key_id = $4) AND ($5::text IS NULL OR r.method = $5)
    AND r.status BETWEEN $6 AND $7
    AND ($8::text IS NULL OR strpos(lower(r.path), lower($8)) > 0
      OR strpos(replace(replace(replace(replace(replace(
        lower(r.path), '%5b', '['), '%5d', ']'), '%2c', ','), '%3a', ':'), '%20', ' '), lower($8)) > 0)
    AND ($9::text IS NULL OR r.request_id = $9)
  ORDER BY r.id DESC LIMIT $10`)

/** The latest first; `before` is the id of the last of the page before. */
export async function listRequests(
  db: Db,
  companyId: string,
  filter: RequestFilter,
  page: { before: string | null; limit: number; now: number },
): Promise<ListedRequest[]> {
  const { keyId, method, statuses, pathPart, requestId } = filter
  const rows = await queryRows<ListedRequest>(db, LIST_REQUESTS, [
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
  return rows.map((row) => ({ ...row, at: isoFromPostgres(row.at) }))
}
