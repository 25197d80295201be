/** API keys and the companies they belong to. */
import { newId } from '../../core/ids.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { boolean, time } from '../../codec/column-types.ts'
import { defineFields, ofTable, pick, withIsoTimes } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { COMPANY_COLUMNS } from '../company/columns.ts'
import { API_KEY_COLUMNS } from './columns.ts'

const KEY_HOLDER = defineFields({
  keyId: API_KEY_COLUMNS.columns.id.sql(sql`k.id`),
  keyName: API_KEY_COLUMNS.columns.name.sql(sql`k.name`),
  companyId: API_KEY_COLUMNS.columns.companyId.sql(sql`k.company_id`),
  ...ofTable('c', pick(COMPANY_COLUMNS, 'plan', 'allowedIps')),
  revoked: boolean().sql(sql`k.revoked_at IS NOT NULL`),
})

/** The company of a key, and what it may do. */
export type KeyHolder = RowIn<typeof KEY_HOLDER>

const FIND_KEY_HOLDER = statement(sql`
  SELECT ${KEY_HOLDER.selectList} FROM api_keys k JOIN companies c ON c.id = k.company_id WHERE k.key_hash = $1`)

/** The only lookup without a company: the hash identifies it. */
export async function findKeyHolder(db: Db, keyHash: string): Promise<KeyHolder | null> {
  return (await queryObjects(db, KEY_HOLDER, FIND_KEY_HOLDER, [keyHash]))[0] ?? null
}

/** The owner of a key, revoked or not. */
export type KeyOwner = Pick<KeyHolder, 'keyId' | 'companyId'>

const FIND_KEY_OWNERS = statement(sql`
  SELECT k.key_hash AS "keyHash", k.id AS "keyId", k.company_id AS "companyId"
  FROM api_keys k WHERE k.key_hash = ANY ($1::text[])`)

/** By hash. For the log, never for authentication. */
export async function findKeyOwners(db: Db, keyHashes: readonly string[]): Promise<Map<string, KeyOwner>> {
  const rows = await queryRows<KeyOwner & { keyHash: string }>(db, FIND_KEY_OWNERS, [keyHashes])
  return new Map(rows.map(({ keyHash, ...owner }) => [keyHash, owner]))
}

const CREATE_API_KEY = statement(sql`
  INSERT INTO api_keys (company_id, id, name, key_hash, prefix)
  SELECT id, $2, $3, $4, $5 FROM companies WHERE id = $1
  RETURNING id`)

/** The id of the new key, or null if the company does not exist. */
export async function createApiKey(
  db: Db,
  companyId: string,
  key: { name: string; keyHash: string; prefix?: string },
): Promise<string | null> {
  const rows = await queryRows<{ id: string }>(db, CREATE_API_KEY, [
    companyId,
    newId('key'),
    key.name,
    key.keyHash,
    key.prefix ?? null,
  ])
  return rows[0]?.id ?? null
}

const LISTED_API_KEY = defineFields(
  withIsoTimes({
    ...pick(API_KEY_COLUMNS, 'id', 'name', 'prefix', 'createdAt', 'revokedAt'),
    /** Can be a minute late; null if it was never used. */
    lastUsedAt: time()
      .nullable()
      .sql(sql`u.last_used_at`),
  }),
)

export type ListedApiKey = RowIn<typeof LISTED_API_KEY>

const COMPANY_EXISTS = statement(sql`SELECT 1 FROM companies WHERE id = $1`)
const LIST_API_KEYS = statement(sql`
  SELECT ${LISTED_API_KEY.selectList}
  FROM api_keys t LEFT JOIN api_key_uses u ON u.company_id = t.company_id AND u.key_id = t.id
  WHERE t.company_id = $1 ORDER BY t.created_at, t.id`)

/** The keys of a company, oldest first, or null if it does not exist. */
export async function listApiKeys(db: Db, companyId: string): Promise<ListedApiKey[] | null> {
  if ((await queryRows(db, COMPANY_EXISTS, [companyId])).length === 0) return null
  return queryObjects(db, LISTED_API_KEY, LIST_API_KEYS, [companyId])
}

const REVOKE_API_KEY = statement(sql`
  UPDATE api_keys k SET revoked_at = coalesce(k.revoked_at, now()), updated_at = now()
  FROM api_keys old WHERE k.company_id = $1 AND k.id = $2 AND old.company_id = $1 AND old.id = $2
  RETURNING k.name, old.revoked_at IS NULL AS "isNew"`)

/** Null if the company has no such key. If it was already revoked, it keeps that time. */
export async function revokeApiKey(
  db: Db,
  companyId: string,
  keyId: string,
): Promise<{ name: string; isNew: boolean } | null> {
  const [revoked] = await queryRows<{ name: string; isNew: boolean }>(db, REVOKE_API_KEY, [companyId, keyId])
  return revoked ?? null
}
