/** Statements and the ways to run them. They only take `Sql`, so a text from anywhere else does not compile. */
import { createHash } from 'node:crypto'
import type { ClientBase, Submittable } from 'pg'
import { refuseLost } from './lost-companies.ts'
import type { Sql } from './sql.ts'

declare const isSent: unique symbol

/** The driver's query object. Only this file creates one. */
interface Sent {
  name?: string
  text: string
  values?: unknown[]
  rowMode?: 'array'
  [isSent]: true
}

interface Result<Row> {
  rows: Row[]
  rowCount: number | null
}

/** Runs statements: a pool, or a client inside a transaction. */
export interface Db {
  query: (query: Sent) => Promise<Result<object>>
}

export interface DbPool extends Db {
  connect: () => Promise<Db & { release: (error?: Error | boolean) => void }>
  options: { max: number }
}

declare const isStatement: unique symbol

/** A statement that each connection prepares once, under a name derived from its text. */
export interface Statement {
  /** Undefined if it is not prepared. */
  name: string | undefined
  text: string
  /** Of the parameters in its fragments. They come after the values of the positions that the text itself has. */
  values: readonly unknown[]
  [isStatement]: true
}

/** A statement and the values of its positions. */
export interface StatementCall {
  statement: Statement
  values: readonly unknown[]
}

/**
 * The text either has positions only, whose values each call passes; or it has parameters, and `$1` is the company:
 *
 *     const FIND_TASK = statement(sql`SELECT … WHERE company_id = $1 AND id = $2`)
 *     const listTasks = statement(sql`SELECT … WHERE company_id = $1 AND event_id = ${eventId}`)
 */
export function statement(sql: Sql): Statement {
  const { text, values } = renderStatement(sql)
  return { name: nameOf(text), text, values } as unknown as Statement
}

/** By shape. */
const shaped = new Map<string, Statement>()

/**
 * The same for a long text that is needed at every request. Statements of equal shape must have equal texts, so that only the
 * first one is rendered.
 */
export function shapedStatement(shape: string, sql: Sql): Statement {
  const known = shaped.get(shape)
  if (known === undefined) {
    const created = statement(sql)
    shaped.set(shape, created)
    return created
  }
  const values = sql.values()
  if (values.length !== known.values.length) throw new Error(`two statements of the shape ${shape}`)
  return { ...known, values }
}

/** A statement of a rare shape. It is planned each time, for its actual values. */
export function unpreparedStatement(sql: Sql): Statement {
  return { name: undefined, ...renderStatement(sql) } as unknown as Statement
}

function renderStatement(sql: Sql): { text: string; values: unknown[] } {
  const rendered = sql.render(2)
  const { text, values } = rendered
  if (values.length > 0 && !names.has(text) && sql.hasPositionsFrom(2))
    throw new Error(`positions and parameters in one statement: ${text}`)
  return rendered
}

/** By text: hashing takes longer than finding it here. */
const names = new Map<string, string>()
const NAMES_MAX = 1_000

function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    if (names.size >= NAMES_MAX) names.clear()
    name = createHash('sha1').update(text).digest('base64url').slice(0, 20)
    names.set(text, name)
  }
  return name
}

export function allValues({ values: own }: Statement, values: readonly unknown[]): readonly unknown[] {
  return own.length === 0 ? values : [...values, ...own]
}

export async function queryRows<Row extends object>(
  db: Db,
  query: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const { name, text } = query
  refuseLost(text, values[0])
  const sent = { text, values: [...allValues(query, values)] }
  return (await db.query((name === undefined ? sent : { name, ...sent }) as Sent)).rows as Row[]
}

/** Runs SQL that is not prepared: several statements without parameters, or one with any. */
export async function run<Row extends object>(db: Db, sql: Sql): Promise<Result<Row>> {
  return (await db.query(sql.render(1) as unknown as Sent)) as Result<Row>
}

/** The same with rows as arrays of columns. */
export async function runArrays(db: Db, sql: Sql): Promise<unknown[][]> {
  const { rows } = await db.query({ ...sql.render(1), rowMode: 'array' } as unknown as Sent)
  return rows as unknown[][]
}

/** Starts a COPY on a client: `streamOf` is a function of pg-copy-streams. */
export function copy<Stream extends Submittable>(
  client: Db,
  streamOf: (text: string) => Stream,
  sql: Sql,
): Stream {
  return (client as ClientBase).query(streamOf(sql.render(1).text))
}
