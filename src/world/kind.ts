/** A kind of record in the world format: a record type and the rules that its columns do not state. */
import type { RecordType } from '../codec/column.ts'
import type { Span, WorldTable } from '../db/world-table.ts'
import { fieldsOf } from './column-fields.ts'
import type { FieldType } from './field-types.ts'
import { shapeOf } from './fields.ts'
import type { Field, Shape } from './fields.ts'

export interface Kind {
  /** The `object` of its records. */
  name: string
  table: WorldTable
  shape: Shape
  /** An array of objects that has its own table. */
  children: Children | null
  /** Exactly one of these fields is present. */
  exactlyOneOf: readonly string[]
  /** A column whose values are unique across companies, and the field to name when two are equal. */
  unique: { column: string; field: string; isNullable?: true } | null
  /** How many records one owner may have. */
  mostPerOwner: number | null
  /** Columns that together are different for each record of a company, and the field to name when two are equal. */
  distinct: { columns: readonly string[]; field: string } | null
  /** A column with the SHA-256 of another one. */
  hash: { column: string; of: string } | null
  /** Columns that never change once a record is stored. */
  frozen: readonly string[]
  /** Columns derived from records it owns. An import inserts a row with them, which saves an update of each row. */
  span: Span | null
}

export interface Children {
  /** The field that holds them. */
  name: string
  /** Its columns are the company, the parent's id, the place in the array and those of the shape. */
  table: WorldTable
  parentColumn: string
  ordinalColumn: string
  shape: Shape
}

/** The record types of the world format differ in their columns only. */
type AnyRecordType = Pick<RecordType, 'name' | 'table' | 'columns'>

interface Facts extends Partial<
  Pick<
    Kind,
    'children' | 'exactlyOneOf' | 'unique' | 'mostPerOwner' | 'distinct' | 'hash' | 'frozen' | 'span'
  >
> {
  /** A field that an import accepts instead of a column's own, by the name of that column. */
  importedAs?: Record<string, { name: string; type: FieldType }>
}

export function kind({ name, table, columns }: AnyRecordType, facts: Facts = {}): Kind {
  const { importedAs = {}, ...rules } = facts
  const others = rules.children == null ? ['object'] : ['object', rules.children.name]
  const fields = fieldsOf(columns).flatMap((field) => withImported(field, importedAs[field.name]))
  const shape = shapeOf(inOrder(fields), others)
  return {
    name,
    table: describeTable(table, name === 'company' ? ['id'] : ['company_id', 'id'], shape.columns, shape),
    shape,
    children: null,
    exactlyOneOf: [],
    unique: null,
    mostPerOwner: null,
    distinct: null,
    hash: null,
    frozen: [],
    span: null,
    ...rules,
  }
}

/** Both are optional, since either can be given. */
function withImported(field: Field, imported: { name: string; type: FieldType } | undefined): Field[] {
  if (imported === undefined) return [field]
  const { required: _, ...optional } = field
  return [{ ...imported, column: field.column, importOnly: true }, optional]
}

const FIRST = ['id', 'companyId']
const LAST = ['createdAt', 'updatedAt']

/** Import and export find the id in the first column and the company in the second. Times come last in a line. */
function inOrder(fields: readonly Field[]): Field[] {
  const named = (names: readonly string[]) =>
    names.flatMap((name) => fields.filter((field) => field.name === name))
  const others = fields.filter(({ name }) => !FIRST.includes(name) && !LAST.includes(name))
  return [...named(FIRST), ...others, ...named(LAST)]
}

export function children(name: string, { table, columns }: AnyRecordType, parentColumn: string): Children {
  const ordinalColumn = 'ordinal'
  const shape = shapeOf(inOrder(fieldsOf(columns)))
  const key = ['company_id', parentColumn, 'id']
  const all = ['company_id', parentColumn, ordinalColumn, ...shape.columns]
  return { name, table: describeTable(table, key, all, shape), parentColumn, ordinalColumn, shape }
}

function describeTable(
  name: string,
  key: readonly string[],
  columns: readonly string[],
  { fields }: Shape,
): WorldTable {
  const kept = fields.filter((field) => field.keptWhenAbsent).map((field) => field.column)
  return { name, key, columns, keptWhenAbsent: kept }
}
