/** A list of fields as one thing: reads an object of the world format into columns, and columns back into the object. */
import type { FieldType, Report } from './field-types.ts'

export interface Field {
  name: string
  column: string
  type: FieldType
  required?: true
  /** The value of an absent field. Exports omit it. */
  default?: string | number | boolean | readonly []
  /** The kind whose id it holds. */
  references?: string
  /** The record belongs to the one it references, which must exist. */
  owner?: true
  /** Given exactly when that other field has that value. */
  exactlyWith?: { field: string; value: string }
  /** Absent, a record that is replaced keeps what is stored, and a new one gets the moment of the import. */
  keptWhenAbsent?: true
  /** Taken in, never given out: the field that holds it in an export shares its column. */
  importOnly?: true
}

export interface Shape {
  fields: readonly Field[]
  columns: readonly string[]
  byName: ReadonlyMap<string, { field: Field; index: number }>
  required: readonly Field[]
  conditional: readonly Field[]
  /** Names in the object that are no fields of this shape, but read by someone else. */
  others: ReadonlySet<string>
  /** A row whose fields are all absent. */
  blank: readonly (string | null)[]
}

export type JsonObject = Record<string, unknown>

export function shapeOf(fields: readonly Field[], others: readonly string[] = []): Shape {
  const columns = [...new Set(fields.map((field) => field.column))]
  const byName = new Map(
    fields.map((field) => [field.name, { field, index: columns.indexOf(field.column) }] as const),
  )
  return {
    fields,
    columns,
    byName,
    required: fields.filter((field) => field.required),
    conditional: fields.filter((field) => field.exactlyWith),
    others: new Set(others),
    blank: columns.map((column) => storeDefault(fields.find((field) => field.column === column))),
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The object's values in the order of the shape's columns. Invalid values are reported under their path, and null.
 * Only the object's own names are looked at, so that `__proto__` is a name like any other.
 */
export function storeObject(
  shape: Shape,
  object: JsonObject,
  prefix: string,
  report: Report,
): (string | null)[] {
  const row = shape.blank.slice()
  for (const name of Object.keys(object)) {
    const known = shape.byName.get(name)
    const value = object[name]
    if (known !== undefined) {
      if (value !== null) row[known.index] = known.field.type.store(value, prefix + name, report)
    } else if (!shape.others.has(name)) report(prefix + printable(name), 'is not a field of this kind')
  }
  for (const { name } of shape.required) {
    if (isAbsent(object[name])) report(prefix + name, 'is required')
  }
  for (const field of shape.conditional) checkCondition(shape, field, object, prefix, report)
  return row
}

/** The stored values, in the order of the fields, without what an absent field means anyway. */
export function showObject(
  fields: readonly Field[],
  stored: readonly unknown[],
  into: JsonObject,
): JsonObject {
  for (const [index, field] of fields.entries()) {
    const value = stored[index]
    if (value === null) continue
    const shown = field.type.show(value)
    if (!isDefault(field, shown)) into[field.name] = shown
  }
  return into
}

/** An array of objects that is stored as one JSON value. */
export function objectList(shape: Shape, distinctBy?: string): FieldType {
  const distinctIndex = shape.fields.findIndex(({ name }) => name === distinctBy)
  return {
    store: (value, path, report) => {
      const rows = storeObjects(shape, value, path, report)
      const values = rows.map((row) => row[distinctIndex] ?? null)
      for (const [index, one] of values.entries()) {
        if (one === null || values.indexOf(one) === index) continue
        report(`${path}[${index}].${distinctBy}`, `is the same as in ${path}[${values.indexOf(one)}]`)
      }
      return JSON.stringify(
        rows.map((row) =>
          Object.fromEntries(shape.fields.map((field, i) => [field.name, row[i] && field.type.show(row[i])])),
        ),
      )
    },
    show: (stored) =>
      (stored as JsonObject[]).map((object) => {
        const values = shape.fields.map((field) => object[field.name] ?? null)
        return showObject(shape.fields, values, {})
      }),
    isList: true,
    items: shape.fields,
  }
}

/** An object that is stored as one JSON value. */
export function oneObject(shape: Shape): FieldType {
  return {
    store: (value, path, report) => {
      if (!isJsonObject(value)) {
        report(path, 'must be an object')
        return null
      }
      const row = storeObject(shape, value, `${path}.`, report)
      return JSON.stringify(showObject(shape.fields, row, {}))
    },
    show: (stored) => {
      const object = stored as JsonObject
      return showObject(
        shape.fields,
        shape.fields.map(({ name }) => object[name] ?? null),
        {},
      )
    },
    items: shape.fields,
  }
}

/** The rows of an array of objects; one that is no object is reported, and a blank row. */
export function storeObjects(
  shape: Shape,
  value: unknown,
  path: string,
  report: Report,
): (string | null)[][] {
  if (!Array.isArray(value)) {
    report(path, 'must be an array of objects')
    return []
  }
  return value.map((object: unknown, index) => {
    if (isJsonObject(object)) return storeObject(shape, object, `${path}[${index}].`, report)
    report(`${path}[${index}]`, 'must be an object')
    return shape.blank.slice()
  })
}

export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

function checkCondition(
  shape: Shape,
  field: Field,
  object: JsonObject,
  prefix: string,
  report: Report,
): void {
  if (field.exactlyWith === undefined) return
  const { field: other, value } = field.exactlyWith
  if (isWrong(shape.byName.get(other)?.field, object[other])) return
  const expected = object[other] === value
  if (expected === !isAbsent(object[field.name])) return
  if (expected) report(prefix + field.name, `is required when ${other} is ${value}`)
  else report(prefix + field.name, `goes only with ${other} ${value}`)
}

/** Whether the field is reported anyway: what would follow from its value is then unknown. */
function isWrong(field: Field | undefined, value: unknown): boolean {
  if (isAbsent(value)) return field?.required === true
  return field?.type.values?.some((one) => one === value) === false
}

function isDefault(field: Field, shown: unknown): boolean {
  return (
    shown === field.default || (Array.isArray(field.default) && Array.isArray(shown) && shown.length === 0)
  )
}

function storeDefault(field: Field | undefined): string | null {
  if (field?.default === undefined) return null
  return field.type.store(field.default, field.name, (path, reason) => {
    throw new Error(`the default of ${path} ${reason}`)
  })
}

/** A name from outside in one line of bounded length. */
function printable(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name).slice(1, -1)
}
