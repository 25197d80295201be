/**
 * A query that returns each row as the texts of its columns. The sender knows the columns, so the server does not describe
 * them: the driver's own query asks for that at every run, which is a third of the work of a short statement. It uses
 * internals of the driver, so package.json pins the exact version of `pg`.
 */
import type { Connection, Submittable } from 'pg'
import { allValues } from '../db/statement.ts'
import type { Db, Statement } from '../db/statement.ts'

export type TextRow = (string | null)[]
type Callback = (error: Error | null | undefined, rows?: TextRow[]) => void

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
  const query = new TextQuery(statement, values)
  // Pools and clients accept a query object with a callback, which their types do not declare.
  const send = db.query.bind(db) as unknown as (query: TextQuery, values: undefined, done: Callback) => void
  return new Promise((resolve, reject) => {
    send(query, undefined, (error, rows) => (rows === undefined ? reject(error) : resolve(rows)))
  })
}

class TextQuery implements Submittable {
  /** Undefined if the statement is not prepared. */
  readonly name: string | undefined
  readonly text: string
  /** Set by the driver. */
  callback: Callback | undefined
  readonly #values: readonly (string | null)[]
  readonly #rows: TextRow[] = []

  constructor(statement: Statement, values: readonly unknown[]) {
    this.name = statement.name
    this.text = statement.text
    this.#values = allValues(statement, values).map(parameterText)
  }

  submit(connection: Connection): void {
    // One packet instead of four.
    connection.stream.cork()
    try {
      this.#write(connection)
    } finally {
      connection.stream.uncork()
    }
  }

  #write(connection: Connection): void {
    const { name = '', text } = this
    const { parsedStatements, submittedNamedStatements } = connection as PreparingConnection
    if (name === '' || (parsedStatements[name] ?? submittedNamedStatements[name]) === undefined) {
      connection.parse({ name, text, types: [] }, true)
      if (name !== '') submittedNamedStatements[name] = text
    }
    connection.bind({ statement: name, values: [...this.#values] }, true)
    connection.execute(null, true)
    connection.sync()
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
