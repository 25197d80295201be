/**
 * Schemas of the members of a write, derived from the columns of a record type. Messages begin with a verb: the error that is
 * reported puts the member in front (core/requests/body-errors.ts).
 */
import { z } from 'zod'
import { hasAtMostCodePoints } from '../core/ids.ts'
import { isCurrencyCode } from '../core/pricing/currencies.ts'
import { cutToMilliseconds, parseDateTime } from '../core/schedule/datetime.ts'
import { isTimeZone } from '../core/schedule/time-zones.ts'
import type { Column, ColumnType, Columns, Members, RecordType, StoredOf } from './column.ts'

const TEXT_MAX = 10_000
const INTEGER_MAX = 2 ** 31 - 1
const CENTS_MAX = 100_000_000_000
/** White space in Unicode, with U+0085, and in JavaScript, with U+FEFF. */
export const VISIBLE = /[^\p{White_Space}\ufeff]/u

export const bodyText = (max = TEXT_MAX) =>
  z
    .string('must be a string')
    .refine((text) => hasAtMostCodePoints(text, max), `must have at most ${max} characters`)
    .refine((text) => !text.includes('\0'), 'must not contain a NUL character')

const filledBodyText = () => bodyText().refine((text) => VISIBLE.test(text), 'must not be empty or blank')

const EMAIL_MAX = 320
const EMAIL = /^[^\s@]+@[^\s@]+$/u

/** Adds the check of an email address to a member with text. */
export const asEmail = <Text extends z.ZodType<string | null | undefined>>(text: Text) =>
  text.refine(
    (sent) => sent == null || (EMAIL.test(sent) && hasAtMostCodePoints(sent, EMAIL_MAX)),
    `must be an email address of at most ${EMAIL_MAX} characters`,
  )

const URL_MAX = 2_000

const isHttps = (url: string) =>
  url.length <= URL_MAX && URL.canParse(url) && new URL(url).protocol === 'https:'

/** Adds the check of a URL that pages load over TLS. */
export const asHttpsUrl = <Text extends z.ZodType<string | null | undefined>>(text: Text) =>
  text.refine(
    (sent) => sent == null || isHttps(sent),
    `must be an https URL of at most ${URL_MAX} characters`,
  )

/** A reference. Whether the record exists is checked later; an id that no record can have is not found then. */
export const bodyId = () => z.string('must be a string')

/** ISO 8601 in UTC with milliseconds, as it is stored. */
export const bodyTime = () =>
  z
    .string(TIME_MESSAGE)
    .transform((text, context) => {
      const instant = parseDateTime(text)
      if (instant !== null) return cutToMilliseconds(instant)
      context.addIssue({ code: 'custom', message: TIME_MESSAGE })
      return z.NEVER
    })
    .pipe(z.string().meta({ format: 'date-time' }))

const TIME_MESSAGE = 'must be an ISO 8601 date-time with a time zone, such as 2026-05-01T09:30:00Z'

export const bodyInteger = (min: number, max: number) => {
  const message = `must be an integer from ${min} to ${max}`
  return z.int(message).min(min, message).max(max, message)
}

/** Minor units of a currency. */
export const bodyAmount = (minCents: number) => bodyInteger(minCents, CENTS_MAX)

const decimal = (pattern: RegExp, max: number, message: string) =>
  z
    .union([z.number(message), z.string(message)], message)
    .transform((value, context) => {
      const text = String(value)
      if (pattern.test(text) && Number(text) <= max) return text
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })
    // Documented as it is sent.
    .pipe(z.string().meta({ type: ['number', 'string'] }))

const bodyIds = (max: number) =>
  z
    .array(bodyId(), 'must be an array of ids')
    .max(max, `must have at most ${max} ids`)
    .superRefine((ids, context) => {
      const repeated = ids.findIndex((id, i) => ids.indexOf(id) !== i)
      if (repeated === -1) return
      context.addIssue({ code: 'custom', path: [repeated], message: 'is there twice' })
    })

const IDS_MAX = 1_000

const SCHEMAS: Partial<Record<ColumnType, (column: Column) => z.ZodType>> = {
  text: () => bodyText(),
  filledText: filledBodyText,
  id: bodyId,
  time: bodyTime,
  boolean: () => z.boolean('must be true or false'),
  integer: ({ facts: { max = INTEGER_MAX } }) => bodyInteger(0, max),
  money: () => bodyAmount(0),
  percentage: () =>
    decimal(/^\d{1,3}(\.\d{1,6})?$/, 100, 'must be a number from 0 to 100 with at most 6 decimals'),
  quantity: () =>
    decimal(/^\d{1,7}(\.\d{1,4})?$/, 1_000_000, 'must be a number from 0 to 1000000 with at most 4 decimals'),
  currency: () => z.string('must be a string').refine(isCurrencyCode, 'must be an ISO 4217 currency code'),
  timeZone: () =>
    z.string('must be a string').refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin'),
  enum: ({ facts: { values = [] } }) => z.enum(values, `must be one of ${values.join(', ')}`),
  idList: ({ facts: { itemsMax = Infinity } }) => bodyIds(Math.min(itemsMax, IDS_MAX)),
  objects: ({ facts }) => bodyObjects(facts),
}

const OBJECTS_MAX = 200

/** A list of objects, as it is stored: every member is there, and decimals are numbers. */
function bodyObjects({ items = {}, distinctBy }: Column['facts']): z.ZodType {
  const shape = Object.entries(items).map(([name, column]) => [name, itemSchema(column)] as const)
  return z
    .array(z.strictObject(Object.fromEntries(shape), 'must be an object'), 'must be an array of objects')
    .max(OBJECTS_MAX, `must have at most ${OBJECTS_MAX} entries`)
    .superRefine((list, context) => {
      const fail = (path: (string | number)[], message: string) =>
        context.addIssue({ code: 'custom', path, message })
      for (const [i, object] of list.entries()) {
        const { name, message } = findConditionError(items, object) ?? {}
        if (name !== undefined && message !== undefined) fail([i, name], message)
        if (distinctBy === undefined) continue
        if (list.findIndex((other) => other[distinctBy] === object[distinctBy]) < i)
          fail([i, distinctBy], 'is there twice')
      }
    })
}

function itemSchema(column: Column): z.ZodType {
  const { type, isNullable, default: fallback } = column.facts
  const schema = SCHEMAS[type]?.(column)
  if (schema === undefined) throw new Error(`a ${type} cannot be written in a list of objects`)
  const stored = type === 'quantity' || type === 'percentage' ? schema.transform(Number) : schema
  if (isNullable === true) return stored.nullable().default(null)
  return fallback === undefined ? stored : stored.default(fallback)
}

/** A member that is there although another one says that it is not, or the other way around. */
export function findConditionError(
  columns: Columns,
  object: Readonly<Record<string, unknown>>,
): { name: string; message: string } | null {
  for (const [name, { facts }] of Object.entries(columns)) {
    if (facts.exactlyWith === undefined) continue
    const { field, value } = facts.exactlyWith
    const isExpected = object[field] === value
    if (isExpected === ((object[name] ?? null) !== null)) continue
    const message = isExpected ? `is required if ${field} is ${value}` : `is only for ${field} ${value}`
    return { name, message }
  }
  return null
}

/** The value of a column in a write, as it is stored. */
type Written<Table extends Members, Name extends keyof StoredOf<Table>> =
  StoredOf<Table>[Name] extends Column<infer Row> ? Row : never

type BodyShape<Table extends Members, Name extends keyof StoredOf<Table>> = {
  [Key in Name]: z.ZodOptional<z.ZodType<Written<Table, Key>>>
}

/** All optional: members that are not sent do not change. Only nullable columns accept null. */
export function bodyShape<Table extends Members, Name extends keyof StoredOf<Table> & string>(
  { columns }: RecordType<string, Table>,
  ...names: readonly Name[]
): BodyShape<Table, Name> {
  const shape = names.map((name) => {
    const column = columns[name] as Column
    const schema = SCHEMAS[column.facts.type]?.(column)
    if (schema === undefined) throw new Error(`${name} cannot be written through the API`)
    const { description, isNullable } = column.facts
    const full = (isNullable === true ? schema.nullable() : schema).optional()
    return [name, description === undefined ? full : full.meta({ description })]
  })
  return Object.fromEntries(shape) as BodyShape<Table, Name>
}

/** In a create, null is the same as absent, also in nested objects. Unknown members stay, so that they are reported. */
export function withoutNulls(body: object, { shape }: z.ZodObject): object {
  const entries = Object.entries(body) as [string, unknown][]
  return Object.fromEntries(
    entries
      .filter(([name, value]) => value !== null || !Object.hasOwn(shape, name))
      .map(([name, value]) => [
        name,
        Object.hasOwn(shape, name) ? withoutNestedNulls(value, shape[name]) : value,
      ]),
  )
}

function withoutNestedNulls(value: unknown, schema: unknown): unknown {
  if (schema instanceof z.ZodOptional) return withoutNestedNulls(value, schema.unwrap())
  if (typeof value !== 'object' || value === null) return value
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item: unknown) => withoutNestedNulls(item, schema.element))
  }
  return schema instanceof z.ZodObject && !Array.isArray(value) ? withoutNulls(value, schema) : value
}

/** Members of the parsed body in the order in which they were sent: later checks report the first error of the body. */
export function inOrderOf<Body>(body: unknown, parsed: Body): Body {
  return ordered(body, parsed) as Body
}

function ordered(sent: unknown, parsed: unknown): unknown {
  if (Array.isArray(parsed)) {
    return Array.isArray(sent) ? parsed.map((item: unknown, i) => ordered(sent[i], item)) : parsed
  }
  if (!isObject(parsed) || !isObject(sent)) return parsed
  const names = [...new Set([...Object.keys(sent), ...Object.keys(parsed)])]
  return Object.fromEntries(
    names
      .filter((name) => Object.hasOwn(parsed, name))
      .map((name) => [name, ordered(sent[name], parsed[name])]),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
