/** Counts: statements, plans, and the database pages that a page of quotes reads. */
import { Client } from 'pg'
import { SESSION_OPTIONS } from '../src/db/connect.ts'
import type { Connection } from '../src/db/connect.ts'
import { statement } from '../src/db/statement.ts'
import { pageOfQuotes } from '../src/records/quote/list.ts'
import { QUOTE_PATHS } from '../src/api/expansion/relations.ts'
import type { Watched } from './sent-statements.ts'

const PATHS_MAX = 20

/** The number of statements of a page with the maximum number of expansions. */
export async function countStatements(watched: Watched, limit: number): Promise<number> {
  const paths = QUOTE_PATHS.slice(0, PATHS_MAX).map((path) => `expand[]=data.${path}`)
  return (await watched.statementsOf(`/api/quotes?limit=${limit}&${paths.join('&')}`)).length
}

/** The number of times that a prepared statement is planned again after a few executions. */
export async function countNewPlans(watched: Watched, paths: readonly string[]): Promise<number> {
  const sendAll = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++) for (const path of paths) await watched.statementsOf(path)
  }
  await sendAll(6)
  const before = await watched.countCustomPlans()
  await sendAll(10)
  return (await watched.countCustomPlans()) - before
}

/** The maximum number of buffers that the query for the quotes of a page touches, over several depths. */
export async function countBuffers(
  connection: Connection,
  companyId: string,
  cursors: readonly string[],
): Promise<number> {
  const client = new Client({ ...connection, options: SESSION_OPTIONS })
  await client.connect()
  try {
    let most = 0
    for (const startingAfter of [undefined, ...cursors]) {
      const filters = { ids: {}, createdAt: null, updatedAt: null, serviceStartTime: null }
      const { text, values } = statement(pageOfQuotes(filters, { limit: 10, startingAfter }).rows)
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
        [companyId, ...values],
      )
      const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {}
      most = Math.max(most, (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0))
    }
    return most
  } finally {
    await client.end()
  }
}

/** Ids of quotes at these positions of the list. */
export async function findCursors(
  connection: Connection,
  companyId: string,
  depths: readonly number[],
): Promise<string[]> {
  const client = new Client({ ...connection })
  await client.connect()
  try {
    const ids: string[] = []
    for (const depth of depths) {
      const { rows } = await client.query<{ id: string }>(
        `SELECT id FROM quotes WHERE company_id = $1 AND deleted_at IS NULL
         ORDER BY created_at DESC, id DESC OFFSET $2 LIMIT 1`,
        [companyId, depth - 1],
      )
      if (rows[0] !== undefined) ids.push(rows[0].id)
    }
    return ids
  } finally {
    await client.end()
  }
}
