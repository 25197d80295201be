/**
 * A public object: its schema, the fields of the row it is made from, and what follows from those. Its JSON is written
 * straight from the text of the row, field by field in the order of the schema: to make a row and an object first was most
 * of the work of a large answer.
 */
import { z } from 'zod'
import { isoFromPostgres } from '../core/datetime.ts'
import { CHARACTER_MAX_BYTES, writeAscii, writeBytes, writeText } from '../core/json-bytes.ts'
import { Json } from '../core/json.ts'
import type { Member } from '../core/json.ts'
import type { Field, Fields } from '../db/fields.ts'
import type { Packed, PackedRow } from '../db/packed-row.ts'
import { Currency } from './fields.ts'
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

type FieldKind = 'text' | 'time' | 'digits' | 'boolean'

/** One of its own. */
interface OwnMember {
  kind: FieldKind | 'derived'
  /** What stands before its value. */
  before: Uint8Array
  /** Among the fields of the row, or what is derived. */
  place: number
  /** Nothing stands for null; so a text that may be null begins with a sign. */
  nullable: boolean
  sign: 0 | 1
}

interface Plan {
  members: readonly OwnMember[]
  derivations: readonly Derive<PackedRow, Value>[]
  after: Uint8Array
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
        ? { kind: 'derived' as const, place: names.indexOf(name), nullable: false, sign: 0 as const }
        : fieldSource(name, type, fields)
      const inside = type === Currency && source.kind === 'text' ? CURRENCY : NO_INSIDE
      members.push({ ...source, before: bytesOf(before + inside.before) })
      before = inside.after
    }
    before += ','
  }
  const after = bytesOf(`${before.slice(0, -1)}}`)
  return {
    members,
    derivations: Object.values(derivations),
    after,
    lastPlace: Math.max(...members.map(({ kind, place }) => (kind === 'derived' ? 0 : place))),
    fixedBytes: members.reduce((sum, member) => sum + member.before.length + VALUE_MAX_BYTES, after.length),
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
  if (field.type === 'time' || field.type === 'boolean') return { kind: field.type, place, nullable, sign }
  const inner = type instanceof z.ZodNullable ? type.unwrap() : type
  if (!(inner instanceof z.ZodNumber)) return { kind: 'text', place, nullable, sign }
  // `8.8750` is a number that JSON would write in another way, and a text is none.
  if (inner.format !== 'safeint' || field.type === 'text') throw new Error(`${name} must be derived`)
  return { kind: 'digits', place, nullable, sign }
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
  let at = 0
  for (const member of plan.members) {
    at = writeBytes(out, at, member.before)
    const { kind, place } = member
    at =
      kind === 'derived' ? writeValue(out, at, values[place] ?? null) : writeField(out, at, kind, member, row)
  }
  return out.toString('latin1', 0, writeBytes(out, at, plan.after))
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

function writeField(
  out: Uint8Array,
  at: number,
  kind: FieldKind,
  { place, nullable, sign }: OwnMember,
  row: PackedRow,
): number {
  const { text } = row
  const start = row.start(place)
  const end = row.end(place)
  if (nullable && start === end) return writeBytes(out, at, NULL)
  if (kind === 'text') return writeText(out, at, text, start + sign, end)
  if (kind === 'time') return writeTime(out, at, text, start, end)
  if (kind === 'digits') return writeAscii(out, at, text, start, end)
  return writeBytes(out, at, text.charCodeAt(start) === TRUE_SIGN ? TRUE : FALSE)
}

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
