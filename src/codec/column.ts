/**
 * A column of a record type, stated once: its type, whether it can be null, its default, whether the API shows it, and how
 * the world format treats it. Row types, select lists, public schemas, import, export and their documentation are derived
 * from tables of these (`records/<noun>/columns.ts`). See README.md in this folder.
 */
import type { z } from 'zod'
import { identifier, sql } from '../db/sql.ts'
import type { Sql } from '../db/sql.ts'

export type ColumnType =
  | 'text'
  | 'filledText'
  | 'id'
  | 'time'
  | 'boolean'
  | 'integer'
  | 'bigInteger'
  | 'money'
  | 'percentage'
  | 'quantity'
  | 'currency'
  | 'timeZone'
  | 'country'
  | 'locale'
  | 'color'
  | 'logo'
  | 'revisionContent'
  | 'enum'
  | 'apiKeyHash'
  | 'passwordHash'
  | 'idList'
  | 'networkList'
  | 'endpointUrl'
  | 'endpointTypes'
  | 'slug'
  | 'originList'
  | 'textList'
  | 'object'
  | 'objects'
  | 'json'

interface Facts {
  type: ColumnType
  isNullable?: true
  isInternal?: true
  /** For the API documentation. */
  description?: string | undefined
  /** The values of an enum, and whether later releases may add more. */
  values?: readonly string[]
  isOpen?: true
  /** How the API shows it, if that does not follow from the type. */
  schema?: z.ZodType
  /** The maximum of an integer, if it is less than that of all integers. */
  max?: number
  /** The maximum number of items in a list. */
  itemsMax?: number
  /** The members of the object, or of each object in a list of objects. */
  items?: Columns
  /** The member that is different in each object of a list. */
  distinctBy?: string
  /** The value of a field that is absent from an import. An export omits it. */
  default?: string | number | boolean | readonly []
  /** The record type whose id it holds, if its name does not tell. */
  references?: string
  /** The record belongs to the one it references, which must exist. */
  isOwner?: true
  /** Present exactly when another column has this value. */
  exactlyWith?: { field: string; value: string }
  /** If absent from an import, an existing record keeps its value and a new one gets the current time. */
  isKeptWhenAbsent?: true
  isOutsideWorld?: true
  /** A time that is read as ISO 8601. */
  isIso?: true
  /** An SQL expression, for a column that is read but not stored under its name. */
  sql?: Sql
}

/** As the world format writes it. A list can only be empty by default. */
type DefaultOf<Shown> = [Shown] extends [never] ? readonly [] : Shown & (string | number | boolean)

/** `Row` is the type in a row, `Shown` the type in a public object. */
export class Column<Row = unknown, Shown = unknown, IsPublic extends boolean = boolean> {
  /** Exists only for the compiler. */
  declare readonly types: { row: Row; shown: Shown; isPublic: IsPublic }
  readonly facts: Facts

  constructor(facts: Facts) {
    this.facts = facts
  }

  #with<NewRow = Row, NewShown = Shown, NewPublic extends boolean = IsPublic>(more: Partial<Facts>) {
    return new Column<NewRow, NewShown, NewPublic>({ ...this.facts, ...more })
  }

  nullable(): Column<Row | null, Shown | null, IsPublic> {
    return this.#with({ isNullable: true })
  }

  /** Null unless the other column has this value. */
  onlyWith(field: string, value: string): Column<Row | null, Shown | null, IsPublic> {
    return this.#with({ isNullable: true, exactlyWith: { field, value } })
  }

  default(value: DefaultOf<Shown>): Column<Row, Shown, IsPublic> {
    return this.#with({ default: value })
  }

  /** Not shown by the API. */
  internal(): Column<Row, Shown, false> {
    return this.#with({ isInternal: true })
  }

  /** Shown by the API with this schema. The public object has to be written by hand. */
  shownAs<NewShown>(schema: z.ZodType<NewShown>): Column<Row, NewShown, true> {
    const { isInternal: _, ...facts } = this.facts
    return new Column({ ...facts, schema })
  }

  /** Neither imported nor exported. */
  outsideWorld(): Column<Row, Shown, IsPublic> {
    return this.#with({ isOutsideWorld: true })
  }

  references(recordType: string): Column<Row, Shown, IsPublic> {
    return this.#with({ references: recordType })
  }

  owner(): Column<Row, Shown, IsPublic> {
    return this.#with({ isOwner: true })
  }

  keptWhenAbsent(): Column<Row, Shown, IsPublic> {
    return this.#with({ isKeptWhenAbsent: true })
  }

  /** A time that rows have as ISO 8601 in UTC with milliseconds, as it is shown. */
  iso(): Column<Row, Shown, IsPublic> {
    return this.#with({ isIso: true })
  }

  /** Reads an SQL expression instead of a column of `t`. */
  sql(expression: Sql): Column<Row, Shown, IsPublic> {
    return this.#with({ sql: expression })
  }
}

/** A public member that is not a column. Its value is calculated from the row. */
export class Computed<Shown = unknown> {
  declare readonly types: { shown: Shown; isPublic: true }
  readonly schema: z.ZodType<Shown>

  constructor(schema: z.ZodType<Shown>) {
    this.schema = schema
  }
}

export type Columns = Readonly<Record<string, Column>>
/** In the order of the public object. */
export type Members = Readonly<Record<string, Column | Computed>>

/** The row that these columns make up. */
export type RowOf<Table extends Columns> = { [Name in keyof Table]: Table[Name]['types']['row'] }

/** The public object that they make up. */
export type PublicOf<Table extends Members> = {
  [
    Name in keyof Table as Table[Name]['types']['isPublic'] extends true ? Name : never
  ]: Table[Name]['types']['shown']
}

type ColumnNames<Table extends Members> = {
  [Name in keyof Table]: Table[Name] extends Column ? Name : never
}[keyof Table] &
  string

/** The stored columns of a record type, without computed members. */
export type StoredOf<Table extends Members> = {
  [Name in ColumnNames<Table>]: Extract<Table[Name], Column>
}

/** A record type: the table that stores it and its columns. */
export interface RecordType<Name extends string = string, Table extends Members = Members> {
  name: Name
  table: string
  members: Table
  columns: StoredOf<Table>
}

export function defineColumns<const Name extends string, const Table extends Members>(
  name: Name,
  table: string,
  members: Table,
): RecordType<Name, Table> {
  const columns = Object.entries(members).filter(([, member]) => member instanceof Column)
  for (const [column, { facts }] of columns as [string, Column][]) {
    if (facts.exactlyWith === undefined) continue
    const { field, value } = facts.exactlyWith
    const other = members[field]
    if (!(other instanceof Column && other.facts.values?.includes(value)))
      throw new Error(`${column} depends on ${field}, which is never ${value}`)
  }
  return { name, table, members, columns: Object.fromEntries(columns) as StoredOf<Table> }
}

/** The column of a table with this alias. */
export const columnOf = (table: string, name: string) =>
  sql`${identifier(table)}.${identifier(columnName(name))}`

/** The SQL name of a column: `image_url` for `imageUrl`. */
export function columnName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The record type whose id a column holds. A name such as `leadId` or `staffIds` tells it. */
export function referenceOf(name: string, { facts }: Column): string | undefined {
  return facts.references ?? /^(.+)Ids?$/.exec(name)?.[1]
}
