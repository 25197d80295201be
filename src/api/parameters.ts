/** Query parameters: each schema checks and documents; here they are applied in the order in which they were sent. */
import { z } from 'zod'
import { parseDateTime } from '../core/schedule/datetime.ts'
import { timeRange } from '../core/schedule/time-range.ts'
import type { TimeRange } from '../core/schedule/time-range.ts'
import { ApiError } from '../core/requests/errors.ts'
import { LIMIT_DEFAULT, LIMIT_MAX } from '../core/requests/page.ts'
import { valueAsSent } from '../core/requests/query.ts'
import type { QueryPairs } from '../core/requests/query.ts'

/** A query schema: names as they are sent (`created_at[gt]`), each reading one string. */
export type QuerySchema = z.ZodObject<Record<string, z.ZodType>>

export const LIMIT_MESSAGE = `limit must be an integer between 1 and ${LIMIT_MAX}`

export const pageLimit = z
  .string()
  .regex(/^\d+$/, LIMIT_MESSAGE)
  .transform(Number)
  .pipe(z.int(LIMIT_MESSAGE).min(1, LIMIT_MESSAGE).max(LIMIT_MAX, LIMIT_MESSAGE))
  .default(LIMIT_DEFAULT)
  .meta({ description: 'Number of objects per page.', example: 2 })

/**
 * The parameters every list has. The examples of all parameters of a list go together: an import that sends them all
 * gets data from the demo world.
 */
export const pageParameters = (lastId: string) => ({
  limit: pageLimit,
  starting_after: z.string().optional().meta({
    description:
      'Id of the last object of the previous page. An id that is unknown or does not match the other filters returns an empty page with the header `x-cursor: not-found`.',
    example: lastId,
  }),
})

/** Of every list, as OpenAPI describes it. */
export const CURSOR_HEADER = {
  'x-cursor': {
    description:
      '`not-found` if the page is empty because the object of `starting_after` is unknown, was deleted or no longer matches the filters. Then the list has not ended. Absent otherwise.',
    schema: { type: 'string', enum: ['not-found'] },
  },
}

/** A filter by the exact id of a related object. */
export const idFilter = (what: string, field: string, example: string) =>
  z
    .string()
    .optional()
    .meta({ description: `Exact id of the ${what} (\`${field}\`).`, example })

/** A bound in time, given as a full date-time with its zone. */
export const dateTime = (name: string, description: string, end = '2027-12-31T23:59:59Z') =>
  z
    .string()
    .transform((value, context) => {
      const instant = parseDateTime(value)
      if (instant !== null) return instant
      context.addIssue({ code: 'custom', message: dateTimeMessage(name, value) })
      return z.NEVER
    })
    .pipe(z.string().meta({ format: 'date-time' }))
    .optional()
    .meta({ description, example: /\[gte?\]/.test(name) ? '2026-01-01T00:00:00Z' : end })

function dateTimeMessage(name: string, value: string): string {
  const message = `${name} must be an ISO 8601 date-time with a time zone, such as 2026-05-01T09:30:00Z`
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d\S{0,13} \d\d:\d\d$/.test(value)
    ? `${message}; the + of an offset must be sent as %2B`
    : message
}

/** A filter with two values. */
export const trueOrFalse = (name: string, description: string, example = true) =>
  z
    .enum(['true', 'false'], `${name} must be true or false`)
    .transform((text) => text === 'true')
    .pipe(z.boolean())
    .optional()
    .meta({ description, example })

/** A filter with a fixed set of values. */
export const oneOfFilter = <const Values extends readonly [string, ...string[]]>(
  name: string,
  values: Values,
  description: string,
  example: Values[number],
) =>
  z
    .enum(values, `${name} must be one of ${values.join(', ')}`)
    .optional()
    .meta({ description, example })

/** A filter by a time, which has four parameters. */
export interface TimeFilter {
  what: string
}

export const timeFilter = (what: string): TimeFilter => ({ what })

/** The four bounds of a time: `created_at[gt]` and so on. */
export function dateTimeBounds<const Name extends string>(name: Name, what: string, end?: string) {
  const bound = (operator: string, when: string) =>
    dateTime(`${name}[${operator}]`, `${what} ${when} this time.`, end)
  const bounds = {
    [`${name}[gt]`]: bound('gt', 'after'),
    [`${name}[gte]`]: bound('gte', 'at or after'),
    [`${name}[lt]`]: bound('lt', 'before'),
    [`${name}[lte]`]: bound('lte', 'at or before'),
  }
  return bounds as Record<`${Name}[${'gt' | 'gte' | 'lt' | 'lte'}]`, ReturnType<typeof dateTime>>
}

/** The range of these bounds; null without bounds. */
export function rangeOf<Name extends string>(
  values: Partial<Record<`${Name}[${'gt' | 'gte' | 'lt' | 'lte'}]`, string | undefined>>,
  name: Name,
): TimeRange | null {
  return timeRange({
    gt: values[`${name}[gt]`],
    gte: values[`${name}[gte]`],
    lt: values[`${name}[lt]`],
    lte: values[`${name}[lte]`],
  })
}

/** A parameter that can be repeated, or hold several values with commas between them. Each distinct value counts once. */
export function repeatable<const Values extends readonly string[]>(
  name: string,
  values: Values,
  max: number,
  meta: { description: string; example: string[] },
) {
  return z
    .string()
    .transform((text, context) => {
      const items = [...new Set(text.split(','))]
      const unknown = items.find((item) => !values.includes(item))
      if (unknown === undefined && items.length <= max) return items
      const message =
        unknown === undefined
          ? `${name} must have at most ${max} different values`
          : `${name} must be one of ${values.join(', ')}`
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })
    .pipe(z.array(z.enum(values)).max(max))
    .default([])
    .meta({ ...meta, [REPEATABLE]: true })
}

const REPEATABLE = 'repeatable'

/** Collects a requested expansion path, or throws. */
type ExpandReader = (path: string) => void

/**
 * Reads the parameters that the schema knows. Others are ignored, so that clients and service can be upgraded in any
 * order. An invalid known parameter is always an error, since a silently dropped filter would show wrong data.
 */
export function readParameters<Schema extends QuerySchema>(
  schema: Schema,
  pairs: QueryPairs,
  readExpand?: ExpandReader,
): z.output<Schema> {
  const { names, required, bases, defaults, repeatables } = shapeOf(schema)
  const texts: Record<string, string> = {}
  const values: Record<string, unknown> = {}
  for (const [name, value] of pairs) {
    if (readExpand !== undefined && /^expand(\[\d*\])?$/.test(name)) {
      for (const path of valueAsSent(value).split(',')) readExpand(path)
    } else if (names.includes(name)) {
      if (repeatables.has(name)) texts[name] = name in texts ? `${texts[name]},${value}` : value
      else if (name in values) throw invalid(name, `${name} must be given only once`)
      values[name] = readValue(schema, name, texts[name] ?? value)
    } else if (bases.has(baseOf(name)) || baseOf(name) === 'expand') {
      refuseMisspelling(readExpand === undefined ? names : [...names, 'expand[]'], name)
    }
  }
  const missing = required.find((name) => !(name in values))
  if (missing !== undefined) throw invalid(missing, `${missing} is required`)
  // Each value was parsed by its own schema.
  return { ...defaults, ...values } as z.output<Schema>
}

export const isRequired = (parameter?: z.ZodType) => parameter?.safeParse(undefined).success === false

interface QueryShape {
  names: string[]
  required: string[]
  /** Without brackets. A set, since a query can have thousands of other names. */
  bases: ReadonlySet<string>
  /** The values of absent parameters. */
  defaults: Record<string, unknown>
  repeatables: ReadonlySet<string>
}

const shapes = new WeakMap<QuerySchema, QueryShape>()

/** Cached, since it is the same for every request. */
function shapeOf(schema: QuerySchema): QueryShape {
  const known = shapes.get(schema)
  if (known !== undefined) return known
  const names = Object.keys(schema.shape)
  const required = names.filter((name) => isRequired(schema.shape[name]))
  const defaults = Object.fromEntries(
    names.map((name) => [name, schema.shape[name]?.safeParse(undefined).data]),
  )
  const repeatables = new Set(names.filter((name) => schema.shape[name]?.meta()?.[REPEATABLE] === true))
  const shape = { names, required, bases: new Set(names.map(baseOf)), defaults, repeatables }
  shapes.set(schema, shape)
  return shape
}

function readValue(schema: QuerySchema, name: string, value: string): unknown {
  const result = schema.shape[name]?.safeParse(value)
  if (result?.success === true) return result.data
  throw invalid(name, result?.error.issues[0]?.message ?? `${name} is invalid`)
}

function baseOf(name: string): string {
  const bracket = name.indexOf('[')
  return bracket === -1 ? name : name.slice(0, bracket)
}

/** A known name with brackets it does not take, or without those it needs. */
function refuseMisspelling(names: string[], name: string): void {
  const base = baseOf(name)
  const spellings = names.filter((known) => known === base || known.startsWith(`${base}[`))
  if (spellings.length > 0) throw invalid(name, `${name} is not supported; use ${spellings.join(', ')}`)
}

/** For objects without relations. */
export function refuseExpand(what: string): (path: string) => never {
  return (path) => {
    const problem = path === '' ? 'leave expand out' : `unknown path "${path}"`
    throw invalid('expand', `${what} cannot be expanded: ${problem}`)
  }
}

function invalid(param: string, message: string): ApiError {
  return new ApiError('invalid_parameter', { message, param })
}
