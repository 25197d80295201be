/**
 * How rows travel. All rows of a list come as one text, their fields between separators and their number before them: a
 * value per field would be a call out of JavaScript each, and most of the work of reading. A text that holds a separator
 * itself shows by the number of parts; those rare lists are read again, one value per field, and so are very long ones.
 */
import { PackedRow, SEPARATOR, indexParts, joinParts } from './packed-row.ts'
import type { Packed, PackedRowClass } from './packed-row.ts'

/** Times and amounts stay text, too; but that text is never empty. */
type FieldType = 'text' | 'time' | 'amount' | 'number' | 'boolean' | 'list' | 'given'

export interface Field {
  name: string
  type: FieldType
  nullable: boolean
  expression: string
}

/** As a column has it; undefined when it was too long. */
type ListText = string | null | undefined

/** What a kind of row consists of, in SQL and back. A field of type `given` is not read, but comes beside. */
export interface Fields<Row, Given = undefined> {
  /** Those that are read, in their order. */
  read: readonly Field[]
  /** A select list of one column per field, of the table called `t`. */
  columns: string
  /** A row as one text, of the table called `t`. */
  packed: string
  /** The rows of a whole list; undefined when it is too long, or a text in it holds a separator. */
  unpackRows: (list: ListText, given: Given) => Packed<Row>[] | undefined
  /** The same as plain objects, for what is read more than once or handed on as it is. */
  unpack: (list: ListText, given: Given) => Row[] | undefined
  /** A row from its columns. */
  rowOf: (values: readonly (string | null)[], given: Given) => Packed<Row>
  objectOf: (values: readonly (string | null)[], given: Given) => Row
}

/** More than any answer has that is not refused. A text of half a gigabyte would be more than JavaScript can hold. */
const LIST_MAX_BYTES = 64 * 1024 * 1024

/** Behind the rows that `packedList` is of: no list at all, rather than one that is too long. */
export const unlessTooLong = (column: string) =>
  `HAVING coalesce(sum(octet_length(${column})), 0) <= ${LIST_MAX_BYTES}`

/** The list that `unpack` takes, of packed rows in a column. */
export const packedList = (column: string) => `concat_ws(E'\\x1F', count(*), string_agg(${column}, E'\\x1F'))`

/**
 * A last column beside `packedList`: whether the cursor's row was found, in the snapshot that the page is read from. Where
 * the page has rows it was, so PostgreSQL runs the query for an empty page only.
 */
export const cursorColumn = (cursor: string | null) =>
  cursor === null ? '' : `, CASE WHEN count(*) > 0 OR EXISTS (${cursor}) THEN '' ELSE '${NO_CURSOR}' END`

const NO_CURSOR = 'no cursor'

/** Of a row with or without that column. */
export const isCursorFound = (row: readonly (string | null)[]) => row.at(-1) !== NO_CURSOR

export const packedListOfOne = (packed: string) => `concat_ws(E'\\x1F', 1, ${packed})`

/**
 * Names with their types, `text` unless said: `id sentAt?:time guestCount:number` are read from `id`, `sent_at` (may
 * be null) and `guest_count`. Fields that are no columns have their expression beside.
 */
export function defineFields<Row extends object, Given = undefined>(
  names: string,
  expressions: Partial<Record<keyof Row & string, string>> = {},
): Fields<Row, Given> {
  const all = names
    .trim()
    .split(/\s+/)
    .map((text) => parseField(text, expressions))
  const read = all.filter(({ type }) => type !== 'given')
  const build = objectBuilder(all) as (parts: readonly string[], start: number, given: Given) => Row
  const RowOfFields = rowClass(all) as PackedRowClass<Row, Given>
  const packedValues = (values: readonly (string | null)[]) =>
    read.map((field, i) => packedValue(field, values[i] ?? null))
  return {
    read,
    columns: read.map(({ name, expression }) => `${expression} AS "${name}"`).join(', '),
    packed: `concat_ws(E'\\x1F', ${read.map(packedField).join(', ')})`,
    unpackRows: (list, given) => {
      if (typeof list !== 'string') return undefined
      const at = indexParts(list, read.length)
      if (at === undefined) return undefined
      const count = (at.length - 1) / read.length
      return Array.from({ length: count }, (_, i) => new RowOfFields(list, at, i * read.length, given))
    },
    unpack: (list, given) => {
      if (typeof list !== 'string') return undefined
      const parts = list.split(SEPARATOR)
      const count = Number(parts[0])
      if (parts.length !== 1 + count * read.length) return undefined
      return Array.from({ length: count }, (_, i) => build(parts, 1 + i * read.length, given))
    },
    rowOf: (values, given) => {
      const { text, at } = joinParts(packedValues(values))
      return new RowOfFields(text, at, 0, given)
    },
    objectOf: (values, given) => build(packedValues(values), 0, given),
  }
}

const FIELD = /^(\w+)(\?)?(?::(time|amount|number|boolean|list|given))?$/

function parseField(text: string, expressions: Record<string, string | undefined>): Field {
  const [, name, question, type = 'text'] = FIELD.exec(text) ?? []
  // A boolean is printed in two ways, and there is none that may be absent.
  if (name === undefined || (type === 'boolean' && question !== undefined))
    throw new Error(`not a field: ${text}`)
  const column = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return {
    name,
    type: type as FieldType,
    nullable: question !== undefined,
    expression: expressions[name] ?? `t.${column}`,
  }
}

/** An absent value is nothing at all between two separators; so a text that may be absent begins with a sign. */
function packedField({ type, nullable, expression }: Field): string {
  if (!nullable) return expression
  return type === 'text' ? `coalesce('=' || ${expression}, '')` : `coalesce(${expression}::text, '')`
}

function packedValue({ type, nullable }: Field, value: string | null): string {
  if (value === null) return ''
  return nullable && type === 'text' ? `=${value}` : value
}

/** A row whose fields are read from its text when they are asked for. */
function rowClass(fields: readonly Field[]): unknown {
  class RowOfFields extends PackedRow {}
  let place = 0
  for (const field of fields) {
    const isGiven = field.type === 'given'
    const own = isGiven ? -1 : place++
    const read = isGiven ? undefined : partReader(field)
    Object.defineProperty(RowOfFields.prototype, field.name, {
      get(this: PackedRow): unknown {
        return read === undefined ? this.given : read(this.part(own))
      },
    })
  }
  return RowOfFields
}

/** Written out, too, so that it is said once how a part is read. */
function partReader(field: Field): (part: string) => unknown {
  // oxlint-disable-next-line typescript/no-implied-eval
  const read = new Function('list', 'p', `return ${memberOf(field, 'p')}`) as (
    list: (text: string) => string[],
    part: string,
  ) => unknown
  return (part) => read(parseList, part)
}

/**
 * A function from the parts of a row to an object, written out: an object literal with constant names is made at once,
 * while one that is filled name by name costs more than everything else in reading a row. The names are constants of
 * this project.
 */
function objectBuilder(
  fields: readonly Field[],
): (parts: readonly string[], start: number, given: unknown) => unknown {
  let place = 0
  const members = fields.map(
    (field) =>
      `${JSON.stringify(field.name)}: ${field.type === 'given' ? 'given' : memberOf(field, `p[i + ${place++}]`)}`,
  )
  // oxlint-disable-next-line typescript/no-implied-eval
  const build = new Function('list', 'p', 'i', 'given', `return {${members.join(', ')}}`) as (
    list: (text: string) => string[],
    parts: readonly string[],
    start: number,
    given: unknown,
  ) => unknown
  return (parts, start, given) => build(parseList, parts, start, given)
}

function memberOf({ type, nullable }: Field, part: string): string {
  const values: Record<FieldType, string> = {
    given: '',
    text: nullable ? `${part}.slice(1)` : part,
    time: part,
    amount: part,
    number: `+${part}`,
    boolean: `${part} === 't'`,
    list: `list(${part})`,
  }
  return nullable ? `${part} === '' ? null : ${values[type]}` : values[type]
}

/** An array of texts as PostgreSQL prints it: `{a,"b c"}`. */
function parseList(text: string): string[] {
  if (text === '{}') return []
  if (!text.includes('"')) return text.slice(1, -1).split(',')
  // Elements with anything special in them are quoted, with backslashes before quotes and backslashes.
  return Array.from(text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|[^,]+/gs), ([element, quoted]) =>
    quoted === undefined ? element : quoted.replaceAll(/\\(.)/gs, '$1'),
  )
}
