/** Links to create the first company. They belong to no company. */
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

const CREATE = statement(sql`
  INSERT INTO setup_links (token_hash) SELECT $1 WHERE NOT EXISTS (SELECT 1 FROM companies) RETURNING token_hash`)

/** False if there is a company already. */
export async function createSetupLink(db: Db, tokenHash: string): Promise<boolean> {
  return (await queryRows(db, CREATE, [tokenHash])).length === 1
}

const FIND = statement(sql`
  SELECT 1 FROM setup_links WHERE token_hash = $1 AND NOT EXISTS (SELECT 1 FROM companies)`)

export async function isSetupLink(db: Db, tokenHash: string): Promise<boolean> {
  return (await queryRows(db, FIND, [tokenHash])).length === 1
}

const REMOVE_ALL = statement(sql`DELETE FROM setup_links RETURNING token_hash AS "tokenHash"`)

/**
 * Ends all links, and returns those that were still valid. Of two transactions that do this at once, the second one waits for
 * the first and finds none of its links.
 */
export async function endSetupLinks(db: Db): Promise<string[]> {
  const rows = await queryRows<{ tokenHash: string }>(db, REMOVE_ALL, [])
  return rows.map(({ tokenHash }) => tokenHash)
}
