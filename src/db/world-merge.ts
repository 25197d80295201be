/**
 * Brings the staged rows of an import into the tables. Takes locks of rows, and of tables only what keeps away others
 * who count or clean up: a running server is never kept waiting.
 */
import type { Client } from 'pg'
import { insertReferring } from './world-references.ts'
import { sameColumns, stagedName } from './world-table.ts'
import type { Span, WorldTable } from './world-table.ts'

/** A lock that did not come in time, or of which two wait for each other. */
const CANNOT_LOCK = new Set<string | undefined>(['55P03', '40P01'])

/** Those of the tables that hold no row: most of what an import does is then not needed. */
export async function findEmpty(
  client: Client,
  tables: readonly WorldTable[],
): Promise<ReadonlySet<WorldTable>> {
  if (tables.length === 0) return new Set()
  const { rows } = await client.query<boolean[]>({
    text: `SELECT ${tables.map(({ name }) => `NOT EXISTS (SELECT FROM ${name})`).join(', ')}`,
    rowMode: 'array',
  })
  return new Set(tables.filter((_, index) => rows[0]?.[index] === true))
}

/**
 * Replaces the rows that are there already, leaving alone those that would not change, and inserts the others. Two
 * statements take three quarters of the time of one with ON CONFLICT, and the first can tell a column that is absent
 * from one that is not. Nobody else makes rows with ids of their choice, but imports, which wait for each other.
 */
export async function mergeRows(
  client: Client,
  table: WorldTable,
  { isEmpty, areMany, span }: { isEmpty: boolean; areMany: boolean; span: Span | null },
): Promise<void> {
  if (!isEmpty) await replaceRows(client, table)
  const insert = () => insertRows(client, table, isEmpty, span)
  if (areMany) await insertReferring(client, table, insert)
  else await insert()
}

function isKept(table: WorldTable, column: string): boolean {
  return table.keptWhenAbsent.includes(column)
}

async function replaceRows(client: Client, table: WorldTable): Promise<void> {
  const others = table.columns.filter((column) => !table.key.includes(column))
  const replacements = others.map((column) =>
    isKept(table, column) ? `coalesce(s.${column}, t.${column})` : `s.${column}`,
  )
  await client.query(`
    UPDATE ${table.name} t SET (${others.join(', ')}) = ROW (${replacements.join(', ')})
    FROM ${stagedName(table)} s
    WHERE ${sameColumns('t', 's', table.key)} AND (${others.map((column) => `t.${column}`).join(', ')})
      IS DISTINCT FROM (${replacements.join(', ')})`)
}

/**
 * In the order of the lines, in which what belongs together mostly is together: a join gives them in the order of its
 * hash table, and writing to places all over the indexes takes more than twice the time.
 */
async function insertRows(
  client: Client,
  table: WorldTable,
  isEmpty: boolean,
  span: Span | null,
): Promise<number> {
  const columns = [...table.columns]
  const values = columns.map((column) =>
    isKept(table, column) ? `coalesce(s.${column}, now())` : `s.${column}`,
  )
  let from = `${stagedName(table)} s`
  if (span !== null) {
    columns.push(span.firstColumn, span.lastColumn)
    values.push('span.first', 'span.last')
    from += ` ${joinSpan(span)}`
  }
  const isNew = `NOT EXISTS (SELECT FROM ${table.name} t WHERE ${sameColumns('t', 's', table.key)})`
  const { rowCount } = await client.query(`
    INSERT INTO ${table.name} (${columns.join(', ')})
    SELECT ${values.join(', ')} FROM ${from}
    ${isEmpty ? '' : `WHERE ${isNew}`}
    ${isEmpty && span === null ? '' : 'ORDER BY s.line_number'}`)
  return rowCount ?? 0
}

/** A row that is new can own staged rows only. */
function joinSpan({ table, ownerColumn, timeColumn }: Span): string {
  return `LEFT JOIN (
      SELECT company_id, ${ownerColumn} AS id, min(${timeColumn}) AS first, max(${timeColumn}) AS last
      FROM ${stagedName({ name: table })} GROUP BY company_id, ${ownerColumn}
    ) span ON span.company_id = s.company_id AND span.id = s.id`
}

/** Removes the stored children of the staged parents that are not staged themselves. */
export async function removeLeftChildren(
  client: Client,
  parent: WorldTable,
  children: { table: WorldTable; parentColumn: string; areStaged: boolean },
): Promise<void> {
  const { table, parentColumn, areStaged } = children
  const stays = areStaged
    ? `EXISTS (SELECT FROM ${stagedName(table)} s WHERE ${sameColumns('s', 'c', table.key)})`
    : 'false'
  await client.query(`
    DELETE FROM ${table.name} c USING ${stagedName(parent)} p
    WHERE c.company_id = p.company_id AND c.${parentColumn} = p.id AND NOT ${stays}`)
}

/**
 * Frees the hashes of keys that get another one, so that two records may change theirs with each other: the index on
 * them is checked row by row. What was known of the beginning of the old key is no longer right.
 */
export async function setHashesAside(client: Client, table: WorldTable, column: string): Promise<void> {
  await client.query(`
    UPDATE ${table.name} t SET ${column} = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
      prefix = NULL
    FROM ${stagedName(table)} s
    WHERE ${sameColumns('t', 's', table.key)} AND t.${column} <> s.${column}`)
}

/**
 * Has the rows of a table counted, for the plans of what follows. One that was last counted while its rows were still
 * those of a transaction under way looks empty, and would be gone through for each row that is joined with it. The
 * server does not count again before this transaction is over.
 */
export async function countRows(
  client: Client,
  { name, key }: { name: string; key: readonly string[] },
): Promise<void> {
  // Long enough for the server to give way with work of its own, which it does after a second.
  await client.query(`SAVEPOINT counting; SET LOCAL lock_timeout = '3s'`)
  try {
    await client.query(`ANALYZE ${name} (${key.join(', ')})`)
    await client.query('RELEASE counting; SET LOCAL lock_timeout TO DEFAULT')
  } catch (error) {
    // Somebody works on the table who does not give way. What is known of it then has to do.
    if (!CANNOT_LOCK.has((error as { code?: string }).code)) throw error
    await client.query('ROLLBACK TO counting')
  }
}

/**
 * What makes reading fast at once; the server would do it by itself, but later. Rough statistics of the columns that
 * queries look for, so that the plans are good: the server makes fine ones of all columns in its own time. And a vacuum,
 * which notes what everybody can see, so that a look into an index is enough. It waits for nobody: a table on which
 * somebody works already is left to the server.
 */
export async function refreshTables(
  client: Client,
  tables: readonly { name: string; columns: readonly string[]; isReadByIndexAlone: boolean }[],
): Promise<void> {
  if (tables.length === 0) return
  const lists = tables.map(({ name, columns }) => `${name} (${columns.join(', ')})`)
  // The setting must not outlive it: a pooler may give the connection to others.
  await client.query(`
    BEGIN;
    SET LOCAL default_statistics_target = 30;
    ANALYZE (SKIP_LOCKED) ${lists.join(', ')};
    COMMIT`)
  const vacuumed = tables.filter(({ isReadByIndexAlone }) => isReadByIndexAlone).map(({ name }) => name)
  if (vacuumed.length > 0) await client.query(`VACUUM (SKIP_LOCKED, TRUNCATE false) ${vacuumed.join(', ')}`)
}
