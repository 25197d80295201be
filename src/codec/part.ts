/**
 * How a value becomes a part of a packed list, and back. This is the only place that knows how null is encoded: as an empty
 * part. So a text that can be null, and can be empty, starts with a mark when it is not null. No other type is ever empty.
 */
import { isoFromPostgres } from '../core/schedule/datetime.ts'
import { literal, sql } from '../db/sql.ts'
import type { Sql } from '../db/sql.ts'
import type { Column, ColumnType } from './column.ts'

const MARK = '='

/** How many characters stand before the value in a part that is not null. */
export function markLength({ facts: { type, isNullable } }: Column): number {
  return type === 'text' && isNullable === true ? MARK.length : 0
}

export function isNullPart(start: number, end: number): boolean {
  return start === end
}

/** SQL of the part of a value. */
export function partSql(column: Column, value: Sql): Sql {
  if (column.facts.isNullable !== true) return value
  return markLength(column) === 0
    ? sql`coalesce(${value}::text, '')`
    : sql`coalesce(${literal(MARK)} || ${value}, '')`
}

/** The part of a value that was read in its own column. */
export function partOf(column: Column, value: string | null): string {
  if (value === null) return ''
  return markLength(column) === 0 ? value : MARK + value
}

type Read = (part: string) => unknown

const asText: Read = (part) => part

const READERS: Record<ColumnType, Read> = {
  text: asText,
  filledText: asText,
  id: asText,
  time: asText,
  boolean: (part) => part === 't',
  integer: Number,
  bigInteger: asText,
  money: Number,
  percentage: asText,
  quantity: asText,
  currency: asText,
  timeZone: asText,
  country: asText,
  locale: asText,
  color: asText,
  logo: asText,
  revisionContent: asText,
  enum: asText,
  apiKeyHash: asText,
  passwordHash: asText,
  idList: parseList,
  networkList: parseList,
  endpointUrl: asText,
  endpointTypes: parseList,
  slug: asText,
  originList: parseList,
  textList: parseList,
  object: (part) => JSON.parse(part) as unknown,
  objects: (part) => JSON.parse(part) as unknown,
  json: asText,
}

/** Reads the value of a part. */
export function partReader(column: Column): Read {
  const { type, isNullable, isIso } = column.facts
  const read = isIso === true ? isoFromPostgres : READERS[type]
  if (isNullable !== true) return read
  // PostgreSQL prints a boolean as `t` or as `true`, depending on whether it is converted to text first.
  if (type === 'boolean') throw new Error('a boolean column cannot be null')
  const start = markLength(column)
  if (start > 0) return (part) => (isNullPart(0, part.length) ? null : part.slice(start))
  return (part) => (isNullPart(0, part.length) ? null : read(part))
}

/** An array of texts as PostgreSQL prints it: `{a,"b c"}`. */
function parseList(text: string): string[] {
  if (text === '{}') return []
  if (!text.includes('"')) return text.slice(1, -1).split(',')
  // Elements with special characters are quoted, with backslashes before quotes and backslashes.
  return Array.from(text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|[^,]+/gs), ([element, quoted]) =>
    quoted === undefined ? element : quoted.replaceAll(/\\(.)/gs, '$1'),
  )
}
