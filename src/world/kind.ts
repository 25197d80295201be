/** What a kind of record is, and the words in which the table of kinds is written. */
import type { Span, WorldTable } from '../db/world-table.ts'
import { id, time } from './field-types.ts'
import type { FieldType } from './field-types.ts'
import { shapeOf } from './fields.ts'
import type { Field, Shape } from './fields.ts'

export interface Kind {
  /** The `object` of its records. */
  name: string
  table: WorldTable
  shape: Shape
  /** An array of objects that has a table of its own. */
  children: Children | null
  /** Of these fields exactly one is given. */
  exactlyOneOf: readonly string[]
  /** A column in which no two records of any company agree, and the field to name when two do. */
  unique: { column: string; field: string } | null
  /** How many records one owner may have. */
  mostPerOwner: number | null
  /** Columns that triggers fill from records it owns, and an import fills at once: that spares an update of each row. */
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

type Extras = Partial<Omit<Field, 'name' | 'type' | 'required'>>

/** A field that is optional. What a name such as `leadId` or `staffIds` refers to, the name says. */
export function may(name: string, type: FieldType, extras: Extras = {}): Field {
  const referenced = /^(.+)Ids?$/.exec(name)?.[1]
  return {
    name,
    column: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    type,
    ...(referenced === undefined ? {} : { references: referenced }),
    ...extras,
  }
}

/** A field that is required. */
export function must(name: string, type: FieldType, extras: Extras = {}): Field {
  return { ...may(name, type, extras), required: true }
}

/** A field that is given exactly when another one has a certain value. */
export function exactlyWith(field: string, value: string, name: string, type: FieldType): Field {
  return may(name, type, { exactlyWith: { field, value } })
}

const TIMES: readonly Field[] = [
  may('createdAt', time, { keptWhenAbsent: true }),
  may('updatedAt', time, { keptWhenAbsent: true }),
]

export function kind(
  name: string,
  table: string,
  own: Field[],
  facts: Partial<Pick<Kind, 'children' | 'exactlyOneOf' | 'unique' | 'mostPerOwner' | 'span'>> = {},
): Kind {
  const isCompany = name === 'company'
  const company = isCompany ? [] : [must('companyId', id, { owner: true })]
  const others = facts.children == null ? ['object'] : ['object', facts.children.name]
  const shape = shapeOf([must('id', id), ...company, ...own, ...TIMES], others)
  return {
    name,
    table: describeTable(table, isCompany ? ['id'] : ['company_id', 'id'], shape.columns, shape),
    shape,
    children: null,
    exactlyOneOf: [],
    unique: null,
    mostPerOwner: null,
    span: null,
    ...facts,
  }
}

export function children(name: string, table: string, parentColumn: string, own: Field[]): Children {
  const ordinalColumn = 'ordinal'
  const shape = shapeOf([must('id', id), ...own, ...TIMES])
  const key = ['company_id', parentColumn, 'id']
  const columns = ['company_id', parentColumn, ordinalColumn, ...shape.columns]
  return { name, table: describeTable(table, key, columns, shape), parentColumn, ordinalColumn, shape }
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
