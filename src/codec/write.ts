/** Statements that insert and update rows, derived from the columns of a record type. */
import { identifier, identifiers, join, sql } from '../db/sql.ts'
import type { Sql } from '../db/sql.ts'
import { queryRows, statement } from '../db/statement.ts'
import type { Db } from '../db/statement.ts'
import { columnName } from './column.ts'
import type { Columns, Members, RecordType, RowOf, StoredOf } from './column.ts'

/** Undefined values are not written. */
type Values<Table extends Members> = {
  [Name in keyof StoredOf<Table>]?: RowOf<StoredOf<Table>>[Name] | undefined
}

/** Inserts a row. Columns without a value get the default of the database. */
export async function insertRow<Table extends Members>(
  db: Db,
  recordType: RecordType<string, Table>,
  companyId: string,
  values: Values<Table> & { id: string },
): Promise<void> {
  const names = namesOf(recordType, values)
  const columns = identifiers(['company_id', ...names.map(columnName)])
  const stored = join([sql`$1`, ...valuesOf(recordType, values, names)])
  const insert = sql`INSERT INTO ${identifier(recordType.table)} (${columns}) VALUES (${stored})`
  await queryRows(db, statement(insert), [companyId])
}

/** Inserts any number of rows in one statement. Each has all of these columns. */
export async function insertRows(
  db: Db,
  { table, columns }: Pick<RecordType, 'table' | 'columns'>,
  companyId: string,
  names: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const known = ['id', ...names.filter((name) => name in columns)]
  const listed = identifiers(known.map(columnName))
  const insert = sql`
    INSERT INTO ${identifier(table)} (company_id, ${listed})
    SELECT $1, ${listed} FROM jsonb_populate_recordset(NULL::${identifier(table)}, $2)`
  const objects = rows.map((row) => Object.fromEntries(known.map((name) => [columnName(name), row[name]])))
  await queryRows(db, statement(insert), [companyId, JSON.stringify(objects)])
}

/** Changes these columns of a row, and its time of update, which is always later than before. */
export async function updateRow<Table extends Members>(
  db: Db,
  recordType: RecordType<string, Table>,
  companyId: string,
  id: string,
  values: Values<Table>,
): Promise<void> {
  const names = namesOf(recordType, values)
  const stored = valuesOf(recordType, values, names)
  const changes = names.map((name, i) => sql`${identifier(columnName(name))} = ${stored[i] ?? sql`NULL`}`)
  const update = sql`
    UPDATE ${identifier(recordType.table)} t SET ${join([...changes, NEXT_UPDATE])}
    WHERE t.company_id = $1 AND t.id = ${id}`
  await queryRows(db, statement(update), [companyId])
}

/**
 * The time of an update that is later than the stored one, even within one millisecond, because edits compare it. `now()` is the start
 * of the transaction, which may have waited for one that started later. In UTC, because Citus rejects an addition that could depend on
 * the time zone.
 */
export const laterThan = (stored: Sql, now = sql`now()`) =>
  sql`greatest(${now}, (${stored} AT TIME ZONE 'UTC' + interval '1 millisecond') AT TIME ZONE 'UTC')`

export const NEXT_UPDATE = sql`updated_at = ${laterThan(sql`updated_at`)}`

/** In the order of the columns, so that equal sets of names are one statement. Never a name that is not a column. */
function namesOf({ columns }: Pick<RecordType, 'columns'>, values: object): string[] {
  return Object.keys(columns).filter(
    (name) => name !== 'companyId' && Reflect.get(values, name) !== undefined,
  )
}

function valuesOf({ columns }: { columns: Columns }, values: object, names: readonly string[]): Sql[] {
  return names.map((name) => {
    const value: unknown = Reflect.get(values, name)
    // The driver writes an array as an array of PostgreSQL.
    const type = columns[name]?.facts.type
    const isJson = (type === 'objects' || type === 'object') && value !== null
    return sql`${isJson ? JSON.stringify(value) : (value as string | null)}`
  })
}
