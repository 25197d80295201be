/**
 * A public object: its schema, the fields of the row it is made from, and what follows from those. Its JSON is written
 * straight from the text of the row, field by field in the order of the schema: to make a row and an object first was most
 * of the work of a large answer.
 */
import { z } from 'zod'
import { isoFromPostgres } from '../core/schedule/datetime.ts'
import { CHARACTER_MAX_BYTES, writeAscii, writeBytes, writeText } from './json-bytes.ts'
import { Json } from './json.ts'
import type { Member } from './json.ts'
import type { Field, Fields } from './fields.ts'
import type { Packed, PackedRow } from './packed-row.ts'
import { Currency } from './schemas.ts'
import type { Presentation } from './presentation.ts'

type Value = string | number | boolean | null
type Derive<Row, Derived> = (row: Row, presentation: Presentation) => Derived

/** What is no field of the row must be derived; what is one may be. */
type Derivations<Output, Row> = {
  [Name in Exclude<keyof Output, keyof Row | 'object'>]: Derive<Row, Extract<Output[Name], Value>>
} & { [Name in keyof Output & keyof Row]?: Derive<Row, Extract<Output[Name], Value>> }

export interface PublicObject<Row, Output> {
  schema: z.ZodObject
  /** With more members behind its own. */
  write: (row: Packed<Row>, presentation: Presentation, members?: readonly Member[]) => Json
  present: (row: Packed<Row>, presentation: Presentation) => Output
}

export function publicObject<Row extends object, Schema extends z.ZodObject>(
  schema: Schema,
  fields: Fields<Row, never>,
  derivations: Derivations<z.output<Schema>, Row>,
): PublicObject<Row, z.output<Schema>> {
  const plan = planOf(schema, fields.read, derivations)
  return {
    schema,
    write: (row, presentation, members) => new Json(writeOwn(plan, row, presentation), members),
    present: (row, presentation) =>
      JSON.parse(Buffer.from(writeOwn(plan, row, presentation), 'latin1').toString()) as z.output<Schema>,
  }
}

/** How a member of its own is written. */
const KINDS = { derived: 0, text: 1, time: 2, digits: 3, boolean: 4 } as const
type Kind = (typeof KINDS)[keyof typeof KINDS]

/** One of its own. */
interface OwnMember {
  kind: Kind
  /** What stands before its value. */
  before: string
  /** Among the fields of the row, or what is derived. */
  place: number
  /** Nothing stands for null; so a text that may be null begins with a sign. */
  nullable: boolean
  sign: 0 | 1
}

/** Its members, in lists of numbers: what is read for each of them stands together, and needs no look-up. */
interface Plan {
  count: number
  /** What stands before each value and after the last, one behind the other, and where each begins. */
  fixed: Uint8Array
  fixedAt: Int32Array
  kinds: Uint8Array
  places: Int32Array
  nullable: Uint8Array
  signs: Uint8Array
  derivations: readonly Derive<PackedRow, Value>[]
  lastPlace: number
  /** Of all but texts from the row. */
  fixedBytes: number
}

/** More than any value has that is no text. */
const VALUE_MAX_BYTES = 32

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text))

function planOf(
  schema: z.ZodObject,
  fields: readonly Field[],
  derivations: Record<string, Derive<PackedRow, Value>>,
): Plan {
  const names = Object.keys(derivations)
  const members: OwnMember[] = []
  let before = '{'
  for (const [name, type] of Object.entries(schema.shape)) {
    before += `"${name}":`
    if (type instanceof z.ZodLiteral) before += JSON.stringify(type.value)
    else {
      const source = names.includes(name)
        ? { kind: KINDS.derived, place: names.indexOf(name), nullable: false, sign: 0 as const }
        : fieldSource(name, type, fields)
      const inside = type === Currency && source.kind === KINDS.text ? CURRENCY : NO_INSIDE
      members.push({ ...source, before: before + inside.before })
      before = inside.after
    }
    before += ','
  }
  const fixed = [...members.map((member) => member.before), `${before.slice(0, -1)}}`]
  const ends = fixed.map((_, i) => bytesOf(fixed.slice(0, i + 1).join('')).length)
  return {
    count: members.length,
    fixed: bytesOf(fixed.join('')),
    fixedAt: Int32Array.from([0, ...ends]),
    kinds: Uint8Array.from(members, ({ kind }) => kind),
    places: Int32Array.from(members, ({ place }) => place),
    nullable: Uint8Array.from(members, ({ nullable }) => Number(nullable)),
    signs: Uint8Array.from(members, ({ sign }) => sign),
    derivations: Object.values(derivations),
    lastPlace: Math.max(...members.map(({ kind, place }) => (kind === KINDS.derived ? 0 : place))),
    fixedBytes: (ends.at(-1) ?? 0) + members.length * VALUE_MAX_BYTES,
  }
}

/** A code alone, in the row. */
const CURRENCY = { before: '{"isoCode":', after: '}' }
const NO_INSIDE = { before: '', after: '' }

function fieldSource(name: string, type: z.ZodType, fields: readonly Field[]): Omit<OwnMember, 'before'> {
  const place = fields.findIndex((field) => field.name === name)
  const field = fields[place]
  if (field === undefined || field.type === 'list') throw new Error(`${name} must be derived`)
  const { nullable } = field
  if (nullable !== type instanceof z.ZodNullable) throw new Error(`${name} is null here, but not there`)
  const sign = nullable && field.type === 'text' ? 1 : 0
  if (field.type === 'time' || field.type === 'boolean')
    return { kind: KINDS[field.type], place, nullable, sign }
  const inner = type instanceof z.ZodNullable ? type.unwrap() : type
  if (!(inner instanceof z.ZodNumber)) return { kind: KINDS.text, place, nullable, sign }
  // `8.8750` is a number that JSON would write in another way, and a text is none.
  if (inner.format !== 'safeint' || field.type === 'text') throw new Error(`${name} must be derived`)
  return { kind: KINDS.digits, place, nullable, sign }
}

/** Nearly every object is shorter; and its text is taken out before another is written. */
const scratch = Buffer.allocUnsafeSlow(64 * 1024)

const NO_VALUES: readonly Value[] = []

/** In UTF-8, a character for each byte. */
function writeOwn(plan: Plan, row: PackedRow, presentation: Presentation): string {
  const { derivations } = plan
  const values = derivations.length === 0 ? NO_VALUES : derivations.map((derive) => derive(row, presentation))
  let characters = row.end(plan.lastPlace) - row.start(0)
  for (const value of values) if (typeof value === 'string') characters += value.length
  const room = plan.fixedBytes + characters * CHARACTER_MAX_BYTES
  const out = room <= scratch.length ? scratch : Buffer.allocUnsafe(room)
  return out.toString('latin1', 0, writeMembers(out, plan, row, values))
}

function writeMembers(out: Uint8Array, plan: Plan, row: PackedRow, values: readonly Value[]): number {
  const { count, fixed, fixedAt, kinds, places, nullable, signs } = plan
  const { text, at: partAt, first } = row
  let at = 0
  let fixedPlace = 0
  for (let i = 0; ; i++) {
    const fixedEnd = fixedAt[i + 1] ?? 0
    while (fixedPlace < fixedEnd) out[at++] = fixed[fixedPlace++] ?? 0
    if (i === count) return at
    const place = places[i] ?? 0
    const kind = kinds[i]
    if (kind === KINDS.derived) {
      at = writeValue(out, at, values[place] ?? null)
      continue
    }
    const start = partAt[first + place] ?? 0
    const end = (partAt[first + place + 1] ?? 0) - 1
    if (start === end && nullable[i] === 1) at = writeBytes(out, at, NULL)
    else if (kind === KINDS.text) at = writeText(out, at, text, start + (signs[i] ?? 0), end)
    else if (kind === KINDS.time) at = writeTime(out, at, text, start, end)
    else if (kind === KINDS.digits) at = writeAscii(out, at, text, start, end)
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

/** The same as isoFromPostgres, without a text of its own where all digits of the fraction are there, or none. */
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
