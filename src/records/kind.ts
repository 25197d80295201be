/**
 * A kind of record that people keep in the application. Lists, pages, forms, writes and CSV follow from it. To add a kind, add a
 * folder with its columns and its kind, and a line in kinds.ts.
 */
import { z } from 'zod'
import type { FieldErrors } from '../core/requests/errors.ts'
import type { AuditedNoun, RecordPath } from '../core/record-kinds.ts'
import { bodyShape } from '../codec/body-schema.ts'
import type { Column, Columns, RecordType } from '../codec/column.ts'
import { defineFields } from '../codec/fields.ts'
import type { Fields } from '../codec/fields.ts'

/** The values of a record by column, as rows have them. */
export type RecordValues = Readonly<Record<string, unknown>>

export interface StoredRecord extends RecordValues {
  id: string
  archivedAt: string | null
  createdAt: string
  updatedAt: string
}

/** A column that holds ids of these records. */
interface Use {
  table: 'quotes' | 'line_items'
  column: string
  isList?: true
}

interface KindFacts {
  path: RecordPath
  /** Null for contacts, which are in the change log. */
  noun: AuditedNoun | null
  /** How messages name a record: `service charge`. */
  label: string
  idPrefix: string
  /** The columns that can be written, in the order of the form. */
  editable: readonly string[]
  /** Columns that lists can be filtered by. */
  filters?: readonly string[]
  /** Columns with values that never change once a quote refers to the record (N6), and where it does. */
  fixed?: readonly string[]
  uses?: readonly Use[]
  /** The column of the company that names the record of new quotes. */
  companyDefault?: { column: string; isList: boolean } | null
  /** Schemas of columns that are stricter than their type. */
  schemas?: Readonly<Record<string, z.ZodType>>
  /** Further columns that are shown, such as the name of a referenced record. */
  shown?: Columns
  /** Rules between columns. */
  check?: (values: RecordValues) => FieldErrors
  nameOf?: (values: RecordValues) => string
}

export interface RecordKind extends Required<Omit<KindFacts, 'schemas'>> {
  recordType: AnyRecordType
  /** Everything that is shown of a record. */
  fields: Fields<StoredRecord>
  /** The members of a new record, and of changes to one. */
  NewValues: z.ZodType<RecordValues>
  Changes: z.ZodType<RecordValues>
}

type AnyRecordType = RecordType<string, Columns>

export function defineKind(
  { name: recordName, table, columns }: Pick<RecordType, 'name' | 'table' | 'columns'>,
  facts: KindFacts,
): RecordKind {
  const { editable, schemas = {}, shown = {} } = facts
  const recordType: AnyRecordType = { name: recordName, table, members: columns, columns }
  const shape: Shape = { ...bodyShape(recordType, ...editable), ...schemas }
  const read = ['id', ...editable, 'archivedAt', 'createdAt', 'updatedAt']
  const own = Object.fromEntries(read.map((name) => [name, recordType.columns[name] as Column]))
  return {
    filters: [],
    fixed: [],
    uses: [],
    companyDefault: null,
    check: () => ({}),
    nameOf: ({ name }) => String(name),
    ...facts,
    shown,
    recordType,
    fields: defineFields({ ...own, ...shown }) as unknown as Fields<StoredRecord>,
    NewValues: z.strictObject(requireMembers(shape, recordType.columns)),
    Changes: z.strictObject(shape),
  }
}

type Shape = Record<string, z.ZodType>

/** A new record must have the columns that have neither null nor a default. */
function requireMembers(shape: Shape, columns: Columns): Shape {
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => {
      const { isNullable, default: fallback } = columns[name]?.facts ?? {}
      const isRequired = isNullable !== true && fallback === undefined
      return [name, isRequired && schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema]
    }),
  )
}
