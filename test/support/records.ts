/** Inserts records directly into the tables, with defaults for values that do not matter to a test. */
import type { Pool } from 'pg'
import { hashApiKey } from '../../src/core/security/api-key.ts'
import type { Plan } from '../../src/core/enumerations.ts'

/** Inserts a row, columns in snake_case. */
export async function insert(pool: Pool, table: string, row: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(row)
  const places = columns.map((_, i) => `$${i + 1}`)
  await pool.query(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})`,
    Object.values(row),
  )
}

export async function insertCompany(
  pool: Pool,
  id: string,
  options: { plan?: Plan; allowedIps?: string[]; key?: string } = {},
): Promise<void> {
  const { plan = 'PREMIUM', allowedIps = [], key } = options
  await insert(pool, 'companies', {
    id,
    name: `Company ${id}`,
    plan,
    currency: 'USD',
    allowed_ips: allowedIps,
  })
  if (key !== undefined) await insertKey(pool, id, key)
}

export async function insertKey(
  pool: Pool,
  companyId: string,
  key: string,
  options: { id?: string; revokedAt?: string } = {},
): Promise<void> {
  const { id = `key of ${key}`, revokedAt = null } = options
  const row = { company_id: companyId, id, name: 'Test', key_hash: hashApiKey(key), revoked_at: revokedAt }
  await insert(pool, 'api_keys', row)
}

export async function insertResource(
  pool: Pool,
  companyId: string,
  id: string,
  row: Record<string, unknown> = {},
): Promise<void> {
  await insert(pool, 'resources', {
    company_id: companyId,
    id,
    name: `Resource ${id}`,
    location_id: 'loc_1',
    ...row,
  })
}

export async function insertStaff(
  pool: Pool,
  companyId: string,
  id: string,
  row: Record<string, unknown> = {},
): Promise<void> {
  const person = { first_name: 'Ada', last_name: 'Lindqvist', email: 'ada@example.com' }
  await insert(pool, 'staff', { company_id: companyId, id, ...person, ...row })
}
