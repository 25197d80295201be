/** The checks of an import that need all its lines and the database. They query the staged rows. */
import { EMPTY, allOf, identifier, identifiers, join, literal, sql } from './sql.ts'
import type { Sql } from './sql.ts'
import { run, runArrays } from './statement.ts'
import type { Db } from './statement.ts'
import { isOnWorkers } from './work-table.ts'
import { column, sameColumns, stagedName } from './world-table.ts'
import type { WorldTable } from './world-table.ts'

/** An invalid line. The meaning of `detail` depends on the check. */
export interface Violation {
  line: number
  detail: string
}

/** The number of violations, and the first of them by line. */
export interface Violations {
  count: number
  first: Violation[]
}

const NONE: Violations = { count: 0, first: [] }

/** Rows that equal an earlier line in all these columns. The detail is the number of that line. */
export async function findRepeated(
  client: Db,
  table: WorldTable,
  columns: readonly string[],
  limit: number,
): Promise<Violations> {
  if (await areHashesDistinct(client, table, columns)) return NONE
  const staged = stagedName(table)
  const names = identifiers(columns)
  return findViolations(
    client,
    sql`WITH repeated AS (
       SELECT ${names}, min(line_number) AS first_line
       FROM ${staged} GROUP BY ${names} HAVING count(*) > 1)
     SELECT s.line_number, r.first_line AS detail
     FROM ${staged} s JOIN repeated r ON ${sameColumns(sql`s`, sql`r`, columns)}
     WHERE s.line_number > r.first_line`,
    limit,
  )
}

/** True only if all rows differ, and almost always then. Sorting numbers avoids keeping millions of texts in memory. */
async function areHashesDistinct(
  client: Db,
  table: WorldTable,
  columns: readonly string[],
): Promise<boolean> {
  const hash = columns.reduce(
    (seed, name) => sql`hashtextextended(${identifier(name)}::text, ${seed})`,
    sql`0`,
  )
  return isTrue(client, sql`SELECT count(*) = count(DISTINCT ${hash}) AS "isTrue" FROM ${stagedName(table)}`)
}

/** Rows whose values are stored with a record that this import does not replace. The detail is the last value. */
export async function findTaken(
  client: Db,
  table: WorldTable,
  columns: readonly string[],
  limit: number,
): Promise<Violations> {
  const staged = stagedName(table)
  return findViolations(
    client,
    sql`SELECT s.line_number, ${column(sql`s`, columns.at(-1) ?? '')} AS detail
     FROM ${staged} s JOIN ${identifier(table.name)} t ON ${sameColumns(sql`t`, sql`s`, columns)}
     WHERE NOT EXISTS (SELECT 1 FROM ${staged} r WHERE ${sameColumns(sql`r`, sql`t`, table.key)})`,
    limit,
  )
}

/** Rows whose stored record has other values in these columns. The detail is its id. */
export async function findChanged(
  client: Db,
  table: WorldTable,
  columns: readonly string[],
  limit: number,
): Promise<Violations> {
  const values = (alias: Sql) => join(columns.map((name) => column(alias, name)))
  return findViolations(
    client,
    sql`SELECT s.line_number, s.id AS detail
     FROM ${stagedName(table)} s JOIN ${identifier(table.name)} t ON ${sameColumns(sql`t`, sql`s`, table.key)}
     WHERE (${values(sql`s`)}) IS DISTINCT FROM (${values(sql`t`)})`,
    limit,
  )
}

/** Rows with a column that is not the SHA-256 of another one. The detail is their id. */
export async function findWrongHashes(
  client: Db,
  table: WorldTable,
  { column: hash, of }: { column: string; of: string },
  limit: number,
): Promise<Violations> {
  return findViolations(
    client,
    sql`SELECT s.line_number, s.id AS detail FROM ${stagedName(table)} s
     WHERE encode(sha256(convert_to(${identifier(of)}, 'UTF8')), 'hex') <> ${identifier(hash)}`,
    limit,
  )
}

/** Rows whose owner is neither staged nor stored. The detail is the id of the owner. */
export async function findOrphans(
  client: Db,
  table: WorldTable,
  ownerColumn: string,
  owner: { table: WorldTable; isStaged: boolean },
  limit: number,
): Promise<Violations> {
  if (isOnWorkers(client, table.name) && !isOnWorkers(client, owner.table.name))
    return findOrphansOnWorkers(client, table, ownerColumn, owner, limit)
  const stored = identifier(owner.table.name)
  const tables = owner.isStaged ? [stored, stagedName(owner.table)] : [stored]
  // The key of every owner ends with its id.
  const isOwner = allOf(
    owner.table.key.map(
      (key) =>
        sql`${column(sql`o`, key)} = ${column(sql`s`, key === owner.table.key.at(-1) ? ownerColumn : key)}`,
    ),
  )
  const absences = tables.map((name) => sql`NOT EXISTS (SELECT 1 FROM ${name} o WHERE ${isOwner})`)
  const ownerId = column(sql`s`, ownerColumn)
  return findViolations(
    client,
    sql`SELECT s.line_number, ${ownerId} AS detail FROM ${stagedName(table)} s
     WHERE ${ownerId} IS NOT NULL AND ${allOf(absences)}`,
    limit,
  )
}

/** The same for owners on the coordinator, which Citus does not look up for each row. Their ids are few. */
async function findOrphansOnWorkers(
  client: Db,
  table: WorldTable,
  ownerColumn: string,
  owner: { table: WorldTable; isStaged: boolean },
  limit: number,
): Promise<Violations> {
  const staged = stagedName(table)
  const id = identifier(ownerColumn)
  const named = await runArrays(
    client,
    sql`SELECT DISTINCT company_id, ${id} FROM ${staged} WHERE ${id} IS NOT NULL`,
  )
  const keys = sql`unnest(${named.map(([company]) => String(company))}::text[], ${named.map(([, key]) => String(key))}::text[])`
  const tables = [identifier(owner.table.name), ...(owner.isStaged ? [stagedName(owner.table)] : [])]
  const isOwner =
    owner.table.key.length === 1 ? sql`o.id = k.id` : sql`o.company_id = k.company_id AND o.id = k.id`
  const absences = tables.map((name) => sql`NOT EXISTS (SELECT 1 FROM ${name} o WHERE ${isOwner})`)
  const missing = await runArrays(
    client,
    sql`SELECT k.company_id, k.id FROM ${keys} k (company_id, id) WHERE ${allOf(absences)}`,
  )
  if (missing.length === 0) return NONE
  const missingIds = [...new Set(missing.map(([company, key]) => `${String(company)} ${String(key)}`))]
  return findViolations(
    client,
    sql`SELECT s.line_number, s.${id} AS detail FROM ${staged} s
     WHERE s.company_id || ' ' || s.${id} = ANY(${missingIds}::text[])`,
    limit,
  )
}

/**
 * Owners that would have more rows than allowed, including stored rows that remain. The line is the first one over the limit,
 * the detail the id of the owner.
 */
export async function findOverfullOwners(
  client: Db,
  table: WorldTable,
  { column: ownerColumn, most, isEmpty }: { column: string; most: number; isEmpty: boolean },
  limit: number,
): Promise<Violations> {
  const staged = stagedName(table)
  // Even for an empty table, the planner would hash all staged rows.
  const isStored = isEmpty ? sql`false AND` : EMPTY
  // The owner can be the company itself.
  const owner = sql`company_id, ${identifier(ownerColumn)} AS owner_id`
  const ownedBy = (row: Sql, found: Sql) =>
    sql`${row}.company_id = ${found}.company_id AND ${column(row, ownerColumn)} = ${found}.owner_id`
  const overfull = sql`
    WITH arriving AS (SELECT ${owner}, count(*) AS rows FROM ${staged} GROUP BY 1, 2),
    staying AS (
      SELECT ${owner}, count(*) AS rows FROM ${identifier(table.name)} t
      WHERE ${isStored} EXISTS (SELECT 1 FROM arriving a WHERE ${ownedBy(sql`t`, sql`a`)})
        AND NOT EXISTS (SELECT 1 FROM ${staged} s WHERE ${sameColumns(sql`s`, sql`t`, table.key)})
      GROUP BY 1, 2),
    overfull AS (
      SELECT a.company_id, a.owner_id, coalesce(b.rows, 0) AS staying
      FROM arriving a LEFT JOIN staying b USING (company_id, owner_id)
      WHERE a.rows + coalesce(b.rows, 0) > ${literal(most)})`
  // Usually there are none, and the staged rows need not be read again.
  if (await isTrue(client, sql`${overfull} SELECT NOT EXISTS (SELECT 1 FROM overfull) AS "isTrue"`))
    return NONE
  return findViolations(
    client,
    sql`${overfull},
     counted AS (
       SELECT o.company_id, o.owner_id, s.line_number,
         o.staying + row_number() OVER (PARTITION BY o.company_id, o.owner_id ORDER BY s.line_number) AS number
       FROM ${staged} s JOIN overfull o ON ${ownedBy(sql`s`, sql`o`)})
     SELECT min(line_number) AS line_number, owner_id AS detail FROM counted
     WHERE number > ${literal(most)} GROUP BY company_id, owner_id`,
    limit,
  )
}

async function isTrue(client: Db, query: Sql): Promise<boolean> {
  return (await run<{ isTrue: boolean }>(client, query)).rows[0]?.isTrue === true
}

async function findViolations(client: Db, query: Sql, limit: number): Promise<Violations> {
  const { rows } = await run<{ line: string; detail: string; count: string }>(
    client,
    sql`SELECT line_number AS line, detail::text, count(*) OVER () FROM (${query}) v
     ORDER BY line_number LIMIT ${literal(limit)}`,
  )
  return {
    count: Number(rows[0]?.count ?? 0),
    first: rows.map(({ line, detail }) => ({ line: Number(line), detail })),
  }
}
