/** What only all the lines of an import together, and the database, can tell: asked of the staged rows. */
import type { Client } from 'pg'
import { sameColumns, stagedName } from './world-table.ts'
import type { WorldTable } from './world-table.ts'

/** A line that is wrong; what `detail` is depends on the check. */
export interface Violation {
  line: number
  detail: string
}

/** How many there are, and the first of them by line. */
export interface Violations {
  count: number
  first: Violation[]
}

const NONE: Violations = { count: 0, first: [] }

/** Rows that agree with an earlier line in all the columns, which hold text; the detail is that line's number. */
export async function findRepeated(
  client: Client,
  table: WorldTable,
  columns: readonly string[],
  limit: number,
): Promise<Violations> {
  if (await areHashesDistinct(client, table, columns)) return NONE
  const staged = stagedName(table)
  return findViolations(
    client,
    `WITH repeated AS (
       SELECT ${columns.join(', ')}, min(line_number) AS first_line
       FROM ${staged} GROUP BY ${columns.join(', ')} HAVING count(*) > 1)
     SELECT s.line_number, r.first_line AS detail
     FROM ${staged} s JOIN repeated r ON ${sameColumns('s', 'r', columns)}
     WHERE s.line_number > r.first_line`,
    limit,
  )
}

/**
 * Hardly ever wrongly false, never wrongly true: nearly always it settles the matter, with numbers to sort instead of
 * millions of texts to keep in memory.
 */
async function areHashesDistinct(
  client: Client,
  table: WorldTable,
  columns: readonly string[],
): Promise<boolean> {
  const hash = columns.reduce((sofar, column) => `hashtextextended(${column}, ${sofar})`, '0')
  return isTrue(client, `SELECT count(*) = count(DISTINCT ${hash}) FROM ${stagedName(table)}`)
}

/** Rows whose value in the column is stored with a record that this import does not replace; the detail is the value. */
export async function findTaken(
  client: Client,
  table: WorldTable,
  column: string,
  limit: number,
): Promise<Violations> {
  const staged = stagedName(table)
  return findViolations(
    client,
    `SELECT s.line_number, s.${column} AS detail
     FROM ${staged} s JOIN ${table.name} t ON t.${column} = s.${column}
     WHERE NOT EXISTS (SELECT FROM ${staged} r WHERE ${sameColumns('r', 't', table.key)})`,
    limit,
  )
}

/** Rows whose owner is neither staged nor stored; the detail is the owner's id. */
export async function findOrphans(
  client: Client,
  table: WorldTable,
  column: string,
  owner: { table: WorldTable; isStaged: boolean },
  limit: number,
): Promise<Violations> {
  const places = owner.isStaged ? [owner.table.name, stagedName(owner.table)] : [owner.table.name]
  // The key of every owner ends with its id.
  const isOwner = owner.table.key
    .map((key) => `o.${key} = s.${key === owner.table.key.at(-1) ? column : key}`)
    .join(' AND ')
  const absences = places.map((place) => `NOT EXISTS (SELECT FROM ${place} o WHERE ${isOwner})`)
  return findViolations(
    client,
    `SELECT s.line_number, s.${column} AS detail FROM ${stagedName(table)} s
     WHERE s.${column} IS NOT NULL AND ${absences.join(' AND ')}`,
    limit,
  )
}

/**
 * Owners that would have more than so many rows, counting those stored that stay: the first line that is one too many,
 * and the owner's id.
 */
export async function findOverfullOwners(
  client: Client,
  table: WorldTable,
  { column, most, isEmpty }: { column: string; most: number; isEmpty: boolean },
  limit: number,
): Promise<Violations> {
  const staged = stagedName(table)
  // Asked of an empty table, the planner would still hash all the staged rows.
  const isStored = isEmpty ? 'false AND' : ''
  const owner = `company_id, ${column}`
  const sameOwner = (left: string, right: string) => sameColumns(left, right, ['company_id', column])
  const overfull = `
    WITH arriving AS (SELECT ${owner}, count(*) AS rows FROM ${staged} GROUP BY ${owner}),
    staying AS (
      SELECT ${owner}, count(*) AS rows FROM ${table.name} t
      WHERE ${isStored} EXISTS (SELECT FROM arriving a WHERE ${sameOwner('a', 't')})
        AND NOT EXISTS (SELECT FROM ${staged} s WHERE ${sameColumns('s', 't', table.key)})
      GROUP BY ${owner}),
    overfull AS (
      SELECT a.company_id, a.${column}, coalesce(b.rows, 0) AS staying
      FROM arriving a LEFT JOIN staying b ON ${sameOwner('a', 'b')}
      WHERE a.rows + coalesce(b.rows, 0) > ${most})`
  // Mostly there is none, and the staged rows need not be looked at once more.
  if (await isTrue(client, `${overfull} SELECT NOT EXISTS (SELECT FROM overfull)`)) return NONE
  return findViolations(
    client,
    `${overfull},
     counted AS (
       SELECT s.company_id, s.${column}, s.line_number,
         o.staying + row_number() OVER (PARTITION BY s.company_id, s.${column} ORDER BY s.line_number) AS place
       FROM ${staged} s JOIN overfull o ON ${sameOwner('s', 'o')})
     SELECT min(line_number) AS line_number, ${column} AS detail FROM counted
     WHERE place > ${most} GROUP BY ${owner}`,
    limit,
  )
}

async function isTrue(client: Client, text: string): Promise<boolean> {
  const { rows } = await client.query<[boolean]>({ text, rowMode: 'array' })
  return rows[0]?.[0] === true
}

async function findViolations(client: Client, query: string, limit: number): Promise<Violations> {
  const { rows } = await client.query<[string, string, string]>({
    text: `SELECT line_number, detail::text, count(*) OVER () FROM (${query}) v ORDER BY line_number LIMIT ${limit}`,
    rowMode: 'array',
  })
  return {
    count: Number(rows[0]?.[2] ?? 0),
    first: rows.map(([line, detail]) => ({ line: Number(line), detail })),
  }
}
