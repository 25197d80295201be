/** API keys and the companies they belong to. */
import { newId } from '../../core/ids.ts'
import { isoFromPostgres } from '../../core/schedule/datetime.ts'
import type { Plan } from '../../core/enumerations.ts'
import { columns, queryRows, statement } from '../../db/connect.ts'
import type { Db } from '../../db/connect.ts'

/** What a key says about its caller. */
export interface KeyHolder {
  keyId: string
  companyId: string
  plan: Plan
  allowedIps: string[]
  revoked: boolean
}

const FIND_KEY_HOLDER = statement(`
  SELECT k.id AS "keyId", k.company_id AS "companyId", c.plan, c.allowed_ips AS "allowedIps",
    k.revoked_at IS NOT NULL AS revoked
  FROM api_keys k JOIN companies c ON c.id = k.company_id
  WHERE k.key_hash = $1`)

/** A look-up without a company: the hash is what tells it. */
export async function findKeyHolder(db: Db, keyHash: string): Promise<KeyHolder | null> {
  return (await queryRows<KeyHolder>(db, FIND_KEY_HOLDER, [keyHash]))[0] ?? null
}

/** Whose a key is, revoked or not. */
export type KeyOwner = Pick<KeyHolder, 'keyId' | 'companyId'>

const FIND_KEY_OWNERS = statement(`
  SELECT k.key_hash AS "keyHash", k.id AS "keyId", k.company_id AS "companyId"
  FROM api_keys k WHERE k.key_hash = ANY ($1::text[])`)

/** By hash; for the log, never to let anybody in. */
export async function findKeyOwners(db: Db, keyHashes: readonly string[]): Promise<Map<string, KeyOwner>> {
  const rows = await queryRows<KeyOwner & { keyHash: string }>(db, FIND_KEY_OWNERS, [keyHashes])
  return new Map(rows.map(({ keyHash, ...owner }) => [keyHash, owner]))
}

const CREATE_API_KEY = statement(`
  INSERT INTO api_keys (company_id, id, name, key_hash, prefix)
  SELECT id, $2, $3, $4, $5 FROM companies WHERE id = $1
  RETURNING id`)

/** The new key's id, or null when there is no such company. */
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

export interface ListedApiKey {
  id: string
  name: string
  /** How the key begins; null where only its hash was ever known. */
  prefix: string | null
  createdAt: string
  revokedAt: string | null
  /** May lag a minute; null where it was never used. */
  lastUsedAt: string | null
}

const COMPANY_EXISTS = statement('SELECT 1 FROM companies WHERE id = $1')
const LIST_API_KEYS = statement(`
  SELECT ${columns('id name prefix createdAt revokedAt', 'k')}, u.last_used_at AS "lastUsedAt"
  FROM api_keys k LEFT JOIN api_key_uses u ON u.company_id = k.company_id AND u.key_id = k.id
  WHERE k.company_id = $1 ORDER BY k.created_at, k.id`)

/** A company's keys, oldest first, or null when there is no such company. */
export async function listApiKeys(db: Db, companyId: string): Promise<ListedApiKey[] | null> {
  if ((await queryRows(db, COMPANY_EXISTS, [companyId])).length === 0) return null
  const rows = await queryRows<ListedApiKey>(db, LIST_API_KEYS, [companyId])
  return rows.map((key) => ({
    ...key,
    createdAt: isoFromPostgres(key.createdAt),
    revokedAt: isoOrNull(key.revokedAt),
    lastUsedAt: isoOrNull(key.lastUsedAt),
  }))
}

function isoOrNull(text: string | null): string | null {
  return text === null ? null : isoFromPostgres(text)
}

const REVOKE_API_KEY = statement(`
  UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()), updated_at = now()
  WHERE company_id = $1 AND id = $2
  RETURNING id`)

/** Whether the company has such a key; one that was revoked before keeps its time. */
export async function revokeApiKey(db: Db, companyId: string, keyId: string): Promise<boolean> {
  return (await queryRows(db, REVOKE_API_KEY, [companyId, keyId])).length === 1
}
