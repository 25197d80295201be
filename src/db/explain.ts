/** The plans of prepared statements, as the pool for data has them. */
import { openPool } from './connect.ts'
import type { Connection } from './connect.ts'
import { identifier, join, sql } from './sql.ts'
import { run } from './statement.ts'
import type { Db } from './statement.ts'

/** A table that a statement reads. */
export interface TableRead {
  table: string
  /** Null if the whole table is read. */
  index: string | null
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  Plans?: PlanNode[]
}

/** Runs `work` and explains each prepared statement that it sends. Generic plans do not depend on values. */
export async function explainStatements(
  connection: Connection,
  work: (db: Db) => Promise<unknown>,
): Promise<TableRead[]> {
  const pool = openPool(connection, 'data', () => undefined, 1)
  try {
    const client = await pool.connect()
    const names = new Set<string>()
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const recording = {
      query: (sent: { name?: string }, ...rest: unknown[]) => {
        if (sent.name !== undefined) names.add(sent.name)
        return query(sent, ...rest)
      },
    }
    try {
      await work(recording as unknown as Db)
      const reads: TableRead[] = []
      for (const name of names) reads.push(...(await explain(client, name)))
      return reads
    } finally {
      client.release(true)
    }
  } finally {
    await pool.end()
  }
}

async function explain(client: Db, name: string): Promise<TableRead[]> {
  const prepared = await run<{ count: number }>(
    client,
    sql`SELECT cardinality(parameter_types) AS count FROM pg_prepared_statements WHERE name = ${name}`,
  )
  const values = Array.from({ length: prepared.rows[0]?.count ?? 0 }, () => sql`NULL`)
  const { rows } = await run<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    client,
    sql`EXPLAIN (FORMAT JSON, COSTS OFF) EXECUTE ${identifier(name)} (${join(values)})`,
  )
  return rows.flatMap((row) => readsOf(row['QUERY PLAN'][0].Plan))
}

function readsOf(node: PlanNode): TableRead[] {
  const { 'Relation Name': table, 'Index Name': index = null, Plans = [] } = node
  if (table === undefined) return Plans.flatMap(readsOf)
  if (node['Node Type'] !== 'Bitmap Heap Scan') return [{ table, index }, ...Plans.flatMap(readsOf)]
  // The nodes of the bitmap name its indexes, but not the table. The others belong to subqueries.
  const [bitmap, others] = [Plans.filter(isBitmap), Plans.filter((plan) => !isBitmap(plan))]
  return [...bitmap.flatMap(indexesOf).map((name) => ({ table, index: name })), ...others.flatMap(readsOf)]
}

const isBitmap = (node: PlanNode): boolean =>
  node['Node Type'].startsWith('Bitmap') && node['Relation Name'] === undefined

function indexesOf({ 'Index Name': index, Plans = [] }: PlanNode): string[] {
  return [...(index === undefined ? [] : [index]), ...Plans.filter(isBitmap).flatMap(indexesOf)]
}
