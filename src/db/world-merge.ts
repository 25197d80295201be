/**
 * Merges the staged rows of an import into the tables. It takes row locks, and only those table locks that exclude ANALYZE and
 * VACUUM, so a running server never waits.
 */
import { EMPTY, identifier, identifiers, join, sql } from './sql.ts'
import type { Sql } from './sql.ts'
import { run, runArrays } from './statement.ts'
import type { Db } from './statement.ts'
import { isOnWorkers } from './work-table.ts'
import { insertReferring } from './world-references.ts'
import { column, sameColumns, stagedName } from './world-table.ts'
import type { Span, WorldTable } from './world-table.ts'

/** Lock timeout, deadlock. */
const CANNOT_LOCK = new Set<string | undefined>(['55P03', '40P01'])

/** The tables without rows. An import can skip most of its work for these. */
export async function findEmpty(client: Db, tables: readonly WorldTable[]): Promise<ReadonlySet<WorldTable>> {
  if (tables.length === 0) return new Set()
  const areEmpty = tables.map(({ name }) => sql`NOT EXISTS (SELECT 1 FROM ${identifier(name)})`)
  const [row] = await runArrays(client, sql`SELECT ${join(areEmpty)}`)
  return new Set(tables.filter((_, index) => row?.[index] === true))
}

/**
 * Replaces existing rows that change, and inserts the others. Two statements take three quarters of the time of one with
 * ON CONFLICT, and the first can tell an absent column from one that is null. Only imports choose ids, and they are
 * serialized, so no other process inserts the same rows.
 */
export async function mergeRows(
  client: Db,
  table: WorldTable,
  { isEmpty, areMany, span }: { isEmpty: boolean; areMany: boolean; span: Span | null },
): Promise<void> {
  if (!isEmpty) await replaceRows(client, table)
  const insert = () => insertRows(client, table, isEmpty, span)
  if (areMany) await insertReferring(client, table, insert)
  else await insert()
}

const [STORED, STAGED] = [sql`t`, sql`s`]

function isKept(table: WorldTable, name: string): boolean {
  return table.keptWhenAbsent.includes(name)
}

async function replaceRows(client: Db, table: WorldTable): Promise<void> {
  const others = table.columns.filter((name) => !table.key.includes(name))
  const stored = join(others.map((name) => column(STORED, name)))
  const replacements = join(
    others.map((name) =>
      isKept(table, name)
        ? sql`coalesce(${column(STAGED, name)}, ${column(STORED, name)})`
        : column(STAGED, name),
    ),
  )
  await run(
    client,
    sql`
    UPDATE ${identifier(table.name)} t SET (${identifiers(others)}) = ROW (${replacements})
    FROM ${stagedName(table)} s
    WHERE ${sameColumns(STORED, STAGED, table.key)} AND (${stored}) IS DISTINCT FROM (${replacements})`,
  )
}

/**
 * In the order of the lines, since related rows are usually next to each other. A join returns them in the order of its hash
 * table, and writing all over the indexes takes more than twice the time.
 */
async function insertRows(
  client: Db,
  table: WorldTable,
  isEmpty: boolean,
  span: Span | null,
): Promise<number> {
  const names = [...table.columns]
  const values = names.map((name) =>
    isKept(table, name) ? sql`coalesce(${column(STAGED, name)}, now())` : column(STAGED, name),
  )
  let from = sql`${stagedName(table)} s`
  if (span !== null) {
    names.push(span.firstColumn, span.lastColumn)
    values.push(sql`span.first`, sql`span.last`)
    from = sql`${from} ${joinSpan(span)}`
  }
  const stored = identifier(table.name)
  const isNew = sql`WHERE NOT EXISTS (SELECT 1 FROM ${stored} t WHERE ${sameColumns(STORED, STAGED, table.key)})`
  const { rowCount } = await run(
    client,
    sql`
    INSERT INTO ${stored} (${identifiers(names)})
    SELECT ${join(values)} FROM ${from}
    ${isEmpty ? EMPTY : isNew}
    ${isEmpty && span === null ? EMPTY : sql`ORDER BY s.line_number`}`,
  )
  return rowCount ?? 0
}

/** A new row can only own staged rows. */
function joinSpan({ table, ownerColumn, timeColumn }: Span): Sql {
  const [owner, time] = [identifier(ownerColumn), identifier(timeColumn)]
  return sql`LEFT JOIN (
      SELECT company_id, ${owner} AS id, min(${time}) AS first, max(${time}) AS last
      FROM ${stagedName({ name: table })} GROUP BY company_id, ${owner}
    ) span ON span.company_id = s.company_id AND span.id = s.id`
}

/** Deletes the stored children of staged parents that are not staged themselves. */
export async function removeLeftChildren(
  client: Db,
  parent: WorldTable,
  children: { table: WorldTable; parentColumn: string; areStaged: boolean },
): Promise<void> {
  const { table, parentColumn, areStaged } = children
  const isStaged = areStaged
    ? sql`EXISTS (SELECT 1 FROM ${stagedName(table)} s WHERE ${sameColumns(STAGED, sql`c`, table.key)})`
    : sql`false`
  await run(
    client,
    sql`
    DELETE FROM ${identifier(table.name)} c USING ${stagedName(parent)} p
    WHERE c.company_id = p.company_id AND ${column(sql`c`, parentColumn)} = p.id AND NOT ${isStaged}`,
  )
}

/**
 * Overwrites unique values that are about to change, so that two records can swap theirs: the unique index is checked row by
 * row. The stored prefix of an old key no longer applies.
 */
export async function setUniqueAside(
  client: Db,
  table: WorldTable,
  { column: name, isNullable = false }: { column: string; isNullable?: boolean },
): Promise<void> {
  const value = identifier(name)
  const aside = isNullable
    ? sql`${value} = NULL`
    : sql`${value} = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), prefix = NULL`
  await run(
    client,
    sql`
    UPDATE ${identifier(table.name)} t SET ${aside} FROM ${stagedName(table)} s
    WHERE ${sameColumns(STORED, STAGED, table.key)} AND t.${value} IS DISTINCT FROM s.${value}`,
  )
}

/**
 * Updates the planner's statistics of a table. If they are from a time when its rows were not committed, the table looks
 * empty, and a join would scan it once per row. The server does not update them before this transaction ends.
 */
export async function countRows(
  client: Db,
  { name, key }: { name: string; key: readonly string[] },
): Promise<void> {
  // Citus cannot do it in a transaction that has written the table.
  if (isOnWorkers(client, name)) return
  // Long enough for autovacuum to cancel itself, which it does after a second.
  await run(client, sql`SAVEPOINT counting; SET LOCAL lock_timeout = '3s'`)
  try {
    await run(client, sql`ANALYZE ${identifier(name)} (${identifiers(key)})`)
    await run(client, sql`RELEASE counting; SET LOCAL lock_timeout TO DEFAULT`)
  } catch (error) {
    // Another session holds a lock on the table. The existing statistics have to do.
    if (!CANNOT_LOCK.has((error as { code?: string }).code)) throw error
    await run(client, sql`ROLLBACK TO counting`)
  }
}

/**
 * Makes reads fast immediately; autovacuum would do it later. Rough statistics of the columns that queries use give good plans.
 * VACUUM marks pages as all-visible, so that index-only scans work. Tables that another session works on are skipped.
 */
export async function refreshTables(
  client: Db,
  tables: readonly { name: string; columns: readonly string[]; isReadByIndexAlone: boolean }[],
): Promise<void> {
  if (tables.length === 0) return
  const lists = tables.map(({ name, columns }) => sql`${identifier(name)} (${identifiers(columns)})`)
  // LOCAL: a pooler may pass the connection on to others.
  await run(
    client,
    sql`
    BEGIN;
    SET LOCAL default_statistics_target = 30;
    ANALYZE (SKIP_LOCKED) ${join(lists)};
    COMMIT`,
  )
  const vacuumed = tables.filter(({ isReadByIndexAlone }) => isReadByIndexAlone).map(({ name }) => name)
  if (vacuumed.length > 0)
    await run(client, sql`VACUUM (SKIP_LOCKED, TRUNCATE false) ${identifiers(vacuumed)}`)
}
