/**
 * A public object: its schema, and how its JSON is written straight from the text of a row, member by member in the order
 * of the columns. Building a row and an object first was most of the work of a large response.
 */
import { z } from 'zod'
import { isoFromPostgres } from '../core/schedule/datetime.ts'
import { Computed } from './column.ts'
import type { Column, ColumnType, Members, PublicOf, RecordType, StoredOf } from './column.ts'
import type { Fields } from './fields.ts'
import { CHARACTER_MAX_BYTES, writeAscii, writeBytes, writeText } from './json-bytes.ts'
import { Json } from './json.ts'
import type { Member } from './json.ts'
import type { Packed } from './packed-row.ts'
import { isNullPart, markLength } from './part.ts'
import type { Presentation } from './presentation.ts'
import { publicShape } from './public-schema.ts'

type Value = string | number | boolean | null
type AnyRow = Packed<never, never>
type Compute<Row, Result> = (row: Row, presentation: Presentation) => Result

/** How to calculate the members that are not columns. */
type Computations<Table extends Members, Row> = {
  [Name in Exclude<keyof Table, keyof StoredOf<Table>>]: Compute<Row, Table[Name]['types']['shown']>
}

/** The rows that the public columns can be read from. */
type PublicRow<Table extends Members> = {
  [Name in keyof StoredOf<Table> & keyof PublicOf<Table>]: Table[Name] extends Column<infer Row> ? Row : never
}

export interface PublicObject<Row, Shared, Output> {
  schema: z.ZodObject
  /** With more members after its own. */
  write: (row: Packed<Row, Shared>, presentation: Presentation, members?: readonly Member[]) => Json
  present: (row: Packed<Row, Shared>, presentation: Presentation) => Output
}

export function publicObject<
  const Name extends string,
  Table extends Members,
  Row extends PublicRow<Table>,
  Shared = undefined,
>(
  recordType: RecordType<Name, Table>,
  fields: Fields<Row, Shared>,
  computations: Computations<Table, Packed<Row, Shared>>,
  /** How the API documentation names it. */
  documentation?: { id: string; description: string },
): PublicObject<Row, Shared, { object: Name } & PublicOf<Table>> {
  const shape = { object: z.literal(recordType.name), ...publicShape(recordType) }
  const schema = z.strictObject(shape)
  const plan = planOf(recordType, fields.names, computations as Record<string, Compute<AnyRow, Value>>)
  const writeRow = (row: Packed<Row, Shared>, presentation: Presentation) =>
    writeOwn(plan, row as unknown as AnyRow, presentation)
  return {
    schema: documentation === undefined ? schema : schema.meta(documentation),
    write: (row, presentation, members) => new Json(writeRow(row, presentation), members),
    present: (row, presentation) =>
      JSON.parse(Buffer.from(writeRow(row, presentation), 'latin1').toString()) as {
        object: Name
      } & PublicOf<Table>,
  }
}

/** How a member is written. */
const KINDS = { computed: 0, text: 1, time: 2, digits: 3, boolean: 4, decimal: 5 } as const
type Kind = (typeof KINDS)[keyof typeof KINDS]

/** Text unless stated here. */
const KIND_OF_TYPE: Partial<Record<ColumnType, Kind>> = {
  time: KINDS.time,
  boolean: KINDS.boolean,
  integer: KINDS.digits,
  bigInteger: KINDS.digits,
  money: KINDS.digits,
  // `8.8750` is a number that JSON writes differently.
  percentage: KINDS.decimal,
  quantity: KINDS.decimal,
}

interface OwnMember {
  kind: Kind
  /** The text before its value. */
  before: string
  /** Among the columns of the row, or the computed members. */
  index: number
  nullable: boolean
  mark: number
}

/** The members as lists of numbers, so that the writer reads them from memory in sequence, without lookups. */
interface Plan {
  count: number
  /** The text before each value and after the last, joined, and where each starts. */
  fixed: Uint8Array
  fixedAt: Int32Array
  kinds: Uint8Array
  indexes: Int32Array
  nullable: Uint8Array
  marks: Uint8Array
  computations: readonly Compute<AnyRow, Value>[]
  lastIndex: number
  /** Of everything but texts from the row. */
  fixedBytes: number
}

/** More than any value that is not a text. */
const VALUE_MAX_BYTES = 32

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text))

/** A currency is a code in the row and an object in JSON. */
const CURRENCY = { before: '{"isoCode":', after: '}' }
const NO_INSIDE = { before: '', after: '' }

function planOf(
  { name: objectName, members: declared }: Pick<RecordType, 'name' | 'members'>,
  names: readonly string[],
  computations: Record<string, Compute<AnyRow, Value>>,
): Plan {
  const computed = Object.keys(computations)
  const members: OwnMember[] = []
  let before = `{"object":${JSON.stringify(objectName)},`
  for (const [name, member] of Object.entries(declared)) {
    if (!(member instanceof Computed) && member.facts.isInternal === true) continue
    before += `"${name}":`
    if (member instanceof Computed) {
      members.push({ kind: KINDS.computed, index: computed.indexOf(name), nullable: false, mark: 0, before })
      before = ','
    } else {
      if (!names.includes(name)) throw new Error(`${name} is not read`)
      const inside = member.facts.type === 'currency' ? CURRENCY : NO_INSIDE
      members.push({ ...sourceOf(member, names.indexOf(name)), before: before + inside.before })
      before = `${inside.after},`
    }
  }
  const fixed = [...members.map((member) => member.before), `${before.slice(0, -1)}}`]
  const ends = fixed.map((_, i) => bytesOf(fixed.slice(0, i + 1).join('')).length)
  return {
    count: members.length,
    fixed: bytesOf(fixed.join('')),
    fixedAt: Int32Array.from([0, ...ends]),
    kinds: Uint8Array.from(members, ({ kind }) => kind),
    indexes: Int32Array.from(members, ({ index }) => index),
    nullable: Uint8Array.from(members, ({ nullable }) => Number(nullable)),
    marks: Uint8Array.from(members, ({ mark }) => mark),
    computations: Object.values(computations),
    lastIndex: Math.max(...members.map(({ kind, index }) => (kind === KINDS.computed ? 0 : index))),
    fixedBytes: (ends.at(-1) ?? 0) + members.length * VALUE_MAX_BYTES,
  }
}

function sourceOf(column: Column, index: number): Omit<OwnMember, 'before'> {
  const { type, isNullable, schema } = column.facts
  if (schema !== undefined) throw new Error(`a ${type} with its own schema has to be written by hand`)
  return {
    kind: KIND_OF_TYPE[type] ?? KINDS.text,
    index,
    nullable: isNullable === true,
    mark: markLength(column),
  }
}

/** Nearly every object is shorter. Its text is copied before another is written. */
const scratch = Buffer.allocUnsafeSlow(64 * 1024)

const NO_VALUES: readonly Value[] = []

/** In UTF-8, one character for each byte. */
function writeOwn(plan: Plan, row: AnyRow, presentation: Presentation): string {
  const { computations } = plan
  const values =
    computations.length === 0 ? NO_VALUES : computations.map((compute) => compute(row, presentation))
  let characters = row.end(plan.lastIndex) - row.start(0)
  for (const value of values) if (typeof value === 'string') characters += value.length
  const room = plan.fixedBytes + characters * CHARACTER_MAX_BYTES
  const out = room <= scratch.length ? scratch : Buffer.allocUnsafe(room)
  return out.toString('latin1', 0, writeMembers(out, plan, row, values))
}

function writeMembers(out: Uint8Array, plan: Plan, row: AnyRow, values: readonly Value[]): number {
  const { count, fixed, fixedAt, kinds, indexes, nullable, marks } = plan
  const { text, positions, first } = row
  let at = 0
  let fixedPlace = 0
  for (let i = 0; ; i++) {
    const fixedEnd = fixedAt[i + 1] ?? 0
    while (fixedPlace < fixedEnd) out[at++] = fixed[fixedPlace++] ?? 0
    if (i === count) return at
    const index = indexes[i] ?? 0
    const kind = kinds[i]
    if (kind === KINDS.computed) {
      at = writeValue(out, at, values[index] ?? null)
      continue
    }
    const start = positions[first + index] ?? 0
    const end = (positions[first + index + 1] ?? 0) - 1
    if (nullable[i] === 1 && isNullPart(start, end)) at = writeBytes(out, at, NULL)
    else if (kind === KINDS.text) at = writeText(out, at, text, start + (marks[i] ?? 0), end)
    else if (kind === KINDS.time) at = writeTime(out, at, text, start, end)
    else if (kind === KINDS.digits) at = writeAscii(out, at, text, start, end)
    else if (kind === KINDS.decimal) at = writeValue(out, at, Number(text.slice(start, end)))
    else at = writeBytes(out, at, text.charCodeAt(start) === TRUE_SIGN ? TRUE : FALSE)
  }
}

function writeValue(out: Uint8Array, at: number, value: Value): number {
  if (typeof value === 'string') return writeText(out, at, value, 0, value.length)
  const text = String(value)
  return writeAscii(out, at, text, 0, text.length)
}

const NULL = bytesOf('null')
const TRUE = bytesOf('true')
const FALSE = bytesOf('false')
const TRUE_SIGN = 't'.charCodeAt(0)

const QUOTE = 0x22
const T = 'T'.charCodeAt(0)
const MILLISECONDS = bytesOf('.000Z"')
const SECONDS_LENGTH = '2026-03-01 09:30:00'.length

/** The same as isoFromPostgres, without an intermediate text if the fraction has three digits or none. */
function writeTime(out: Uint8Array, at: number, text: string, start: number, end: number): number {
  const fractionLength = end - start - SECONDS_LENGTH - '+00'.length
  if (fractionLength !== '.123'.length && fractionLength !== 0) {
    return writeValue(out, at, isoFromPostgres(text.slice(start, end)))
  }
  out[at] = QUOTE
  const seconds = writeAscii(out, at + 1, text, start, start + SECONDS_LENGTH)
  out[at + 11] = T
  const after = writeBytes(out, seconds, MILLISECONDS)
  if (fractionLength > 0) writeAscii(out, seconds, text, start + SECONDS_LENGTH, end - '+00'.length)
  return after
}
