/**
 * A query that returns each row as the texts of its columns. The sender knows the columns, so the server does not describe
 * them: the driver's own query asks for that at every run, which is a third of the work of a short statement. It uses
 * internals of the driver, so package.json pins the exact version of `pg`.
 */
import type { Connection, Submittable } from 'pg'
import type { Limiter } from '../core/requests/limiter.ts'
import { isDistributed, markDistributed } from '../db/distributed.ts'
import { refuseLost } from '../db/lost-companies.ts'
import { allValues } from '../db/statement.ts'
import type { Db, Statement, StatementCall } from '../db/statement.ts'

export type TextRow = (string | null)[]
type Callback<Result> = (error: Error | null | undefined, result?: Result) => void

/** Properties of the driver's connection that its types do not declare. */
interface PreparingConnection extends Connection {
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
}

export async function queryTexts(
  db: Db,
  statement: Statement,
  values: readonly unknown[],
): Promise<TextRow[]> {
  refuseLost(statement.text, values[0])
  if (db instanceof StatementGroup) return db.add(statement, values)
  return submit<TextRow[]>(db, new TextQuery(statement, values))
}

/** Pools and clients accept a query object with a callback, which their types do not declare. */
async function submit<Result>(db: Db, query: Submittable): Promise<Result> {
  const send = db.query.bind(db) as unknown as (
    query: Submittable,
    values: undefined,
    done: Callback<Result>,
  ) => void
  return new Promise((resolve, reject) => {
    send(query, undefined, (error, result) => (result === undefined ? reject(error) : resolve(result)))
  })
}

class TextQuery implements Submittable {
  /** Undefined if the statement is not prepared. */
  readonly name: string | undefined
  readonly text: string
  /** Set by the driver. */
  callback: Callback<TextRow[]> | undefined
  readonly #values: readonly (string | null)[]
  readonly #rows: TextRow[] = []

  constructor(statement: Statement, values: readonly unknown[]) {
    this.name = statement.name
    this.text = statement.text
    this.#values = textsOf(statement, values)
  }

  submit(connection: Connection): void {
    inOnePacket(connection, () => {
      const { name = '', text } = this
      const { parsedStatements, submittedNamedStatements } = connection as PreparingConnection
      if (name === '' || (parsedStatements[name] ?? submittedNamedStatements[name]) === undefined) {
        if (name !== '') forget(connection, name)
        connection.parse({ name, text, types: [] }, true)
        if (name !== '') submittedNamedStatements[name] = text
      }
      connection.bind({ statement: name, values: [...this.#values] }, true)
      connection.execute(null, true)
    })
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.#rows.push(fields)
  }

  handleCommandComplete(): void {
    // handleReadyForQuery reports the end.
  }

  handleError(error: Error): void {
    this.callback?.(error)
  }

  handleReadyForQuery(): void {
    this.callback?.(null, this.#rows)
  }
}

/** Inside a transaction: sends the statements in one packet. If one fails, those after it do not run. */
export async function runTogether(db: Db, calls: readonly StatementCall[]): Promise<void> {
  for (const { statement, values } of calls) refuseLost(statement.text, values[0])
  await submit<TextRow[][]>(db, new GroupQuery(calls))
}

interface GroupedStatement extends StatementCall {
  resolve: (rows: TextRow[]) => void
  reject: (error: unknown) => void
}

/**
 * Sends all statements of the same tick in one packet, and the server runs them one after the other: to wake up a server
 * process costs as much as a short statement. Only for a pool, since a pool closes the connection on which a statement failed:
 * it is not known then which of the statements it has prepared.
 */
export class StatementGroup implements Db {
  readonly query: Db['query']
  readonly #db: Db
  readonly #limit: Limiter
  #waiting: GroupedStatement[] = []

  constructor(db: Db, limit: Limiter) {
    this.#db = db
    this.#limit = limit
    this.query = (sent) => db.query(sent)
    if (isDistributed(db)) markDistributed(this)
  }

  async add(statement: Statement, values: readonly unknown[]): Promise<TextRow[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement, values, resolve, reject })
      if (this.#waiting.length === 1) process.nextTick(() => void this.#send())
    })
  }

  async #send(): Promise<void> {
    const group = this.#waiting
    this.#waiting = []
    try {
      const lists = await this.#limit(() => submit<TextRow[][]>(this.#db, new GroupQuery(group)))
      for (const [i, { resolve }] of group.entries()) resolve(lists[i] ?? [])
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
}

class GroupQuery implements Submittable {
  /** Set to false if a pooler runs the statements (db/connect.ts). */
  isPrepared = true
  /** Set by the driver. */
  callback: Callback<TextRow[][]> | undefined
  readonly statements: readonly Statement[]
  readonly #values: readonly (string | null)[][]
  readonly #newNames: Record<string, string> = {}
  readonly #lists: TextRow[][] = [[]]

  constructor(group: readonly StatementCall[]) {
    this.statements = group.map(({ statement }) => statement)
    this.#values = group.map(({ statement, values }) => textsOf(statement, values))
  }

  submit(connection: Connection): void {
    inOnePacket(connection, () => {
      const { parsedStatements } = connection as PreparingConnection
      for (const [i, { name: ownName = '', text }] of this.statements.entries()) {
        const name = this.isPrepared ? ownName : ''
        if (name === '' || (parsedStatements[name] ?? this.#newNames[name]) === undefined) {
          if (name !== '') {
            this.#newNames[name] = text
            forget(connection, name)
          }
          connection.parse({ name, text, types: [] }, true)
        }
        connection.bind({ statement: name, values: this.#values[i] ?? [] }, true)
        connection.execute(null, true)
      }
    })
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.#lists.at(-1)?.push(fields)
  }

  handleCommandComplete(): void {
    this.#lists.push([])
  }

  handleError(error: Error): void {
    this.callback?.(error)
  }

  handleReadyForQuery(connection: Connection): void {
    Object.assign((connection as PreparingConnection).parsedStatements, this.#newNames)
    this.callback?.(null, this.#lists)
  }
}

/** If a group failed, the server can have the statement, although the driver does not know. To close an unknown one is no error. */
function forget(connection: Connection, name: string): void {
  connection.close({ type: 'S', name }, true)
}

/** Sends all messages in one packet. */
function inOnePacket(connection: Connection, write: () => void): void {
  connection.stream.cork()
  try {
    write()
    connection.sync()
  } finally {
    connection.stream.uncork()
  }
}

function textsOf(statement: Statement, values: readonly unknown[]): (string | null)[] {
  return allValues(statement, values).map(parameterText)
}

function parameterText(value: unknown): string | null {
  if (typeof value === 'string' || value === null) return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `{${value.map(elementText).join(',')}}`
  throw new TypeError('a value must be a scalar or a list')
}

const SPECIAL = /["\\]/

/** Texts are quoted, so that no character in them is special to the array. */
function elementText(value: string | number): string {
  if (typeof value === 'number') return String(value)
  return `"${SPECIAL.test(value) ? value.replaceAll(/["\\]/g, String.raw`\$&`) : value}"`
}
