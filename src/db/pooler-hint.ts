/** Tells the operator which setting is missing when a connection pooler is in the way. */
import { Client } from 'pg'
import type { ClientConfig } from 'pg'

const HINT =
  'the database seems to be behind a connection pooler such as pgbouncer: set DATABASE_POOLER=transaction (docs/scaling.md)'

/** A statement that another connection prepared, or that this one did not. */
const PREPARED_STATEMENT_CODES = new Set(['26000', '42P05'])

/** An error that a pooler causes because it carries no options or no prepared statements. */
export function isPoolerError({ code, message }: { code?: string | undefined; message: string }): boolean {
  return PREPARED_STATEMENT_CODES.has(code ?? '') || message.includes('unsupported startup parameter')
}

/** A client for a connection without a pooler: errors that show that there is one say what to set. */
export class DirectClient extends Client {
  constructor(config?: ClientConfig) {
    super(config)
    // Before the client sees it: the message is the same in the log, on the command line, and wherever else it is shown.
    this.connection.on('errorMessage', (error: Error & { code?: string }) => {
      if (isPoolerError(error)) error.message = `${error.message}; ${HINT}`
    })
  }
}
