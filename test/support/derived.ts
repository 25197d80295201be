/** Calculates derived data again from its source rows, and compares it with the stored data. */
import type { Pool } from 'pg'
import { expect } from 'vitest'

/** Independent of the implementation in the service: each day has a number, and each level divides it by 32. */
const EXPECTED_STRETCHES = `
  SELECT DISTINCT q.company_id, (level * 67108864 + floor(day / 32 ^ level))::integer AS stretch,
    q.created_at::text AS quote_created_at, q.id::text AS quote_id
  FROM quotes q JOIN service_days d ON (d.company_id, d.quote_id) = (q.company_id, q.id)
  CROSS JOIN LATERAL (
    SELECT floor(extract(epoch FROM d.service_start_time - '0001-01-01T00:00:00Z'::timestamptz) / 86400) AS day) n
  CROSS JOIN generate_series(0, 4) AS level
  WHERE q.deleted_at IS NULL ORDER BY 1, 2, 3, 4`
const STORED_STRETCHES = `
  SELECT company_id, stretch, quote_created_at::text, quote_id FROM quote_stretches ORDER BY 1, 2, 3, 4`
const EXPECTED_START_TIMES = `
  SELECT q.company_id, q.id, min(d.service_start_time) AS first, max(d.service_start_time) AS last
  FROM quotes q LEFT JOIN service_days d ON (d.company_id, d.quote_id) = (q.company_id, q.id)
  GROUP BY q.company_id, q.id ORDER BY 1, 2`
const STORED_START_TIMES = `
  SELECT company_id, id, first_start_time AS first, last_start_time AS last FROM quotes ORDER BY 1, 2`

const EXPECTED_ASSIGNMENTS = `
  SELECT company_id, id::text AS event_id, kind, assignee_id, created_at AS event_created_at,
    CASE WHEN until > since THEN since END AS busy_from, CASE WHEN until > since THEN until END AS busy_to
  FROM events
  CROSS JOIN LATERAL (
    SELECT coalesce(shift_start_time, service_start_time), coalesce(shift_end_time, service_end_time)) b (since, until)
  JOIN LATERAL (
    SELECT 'staff' AS kind, s.id FROM unnest(staff_ids) s (id)
    UNION ALL SELECT 'resource', r.id FROM unnest(resource_ids) r (id)) a (kind, assignee_id) ON true
  ORDER BY 1, 2, 3, 4`
const STORED_ASSIGNMENTS = `
  SELECT company_id, event_id, kind, assignee_id, event_created_at, busy_from, busy_to FROM event_assignments
  ORDER BY 1, 2, 3, 4`

/** Compares the assignments of all events with a full recount. */
export async function expectAssignments(pool: Pool): Promise<void> {
  const rowsOf = async (query: string) => (await pool.query<object>(query)).rows
  expect(await rowsOf(STORED_ASSIGNMENTS)).toEqual(await rowsOf(EXPECTED_ASSIGNMENTS))
}

/** Compares calendar stretches and start times with a full recount. */
export async function expectCalendar(pool: Pool): Promise<void> {
  const rowsOf = async (query: string) => (await pool.query<object>(query)).rows
  expect(await rowsOf(STORED_STRETCHES)).toEqual(await rowsOf(EXPECTED_STRETCHES))
  expect(await rowsOf(STORED_START_TIMES)).toEqual(await rowsOf(EXPECTED_START_TIMES))
}
