/** A server with a request log, and the entries of the log. */
import type { Pool } from 'pg'
import { openPool } from '../../src/db/connect.ts'
import type { Connection } from '../../src/db/connect.ts'
import { createRequestLog } from '../../src/api/request-log.ts'
import type { RequestLog } from '../../src/api/request-log.ts'
import type { ServerParts } from '../../src/server/build-server.ts'
import { atEnd } from './at-end.ts'
import { startServer } from './server.ts'
import type { TestServer } from './server.ts'

export interface LoggingServer extends TestServer {
  requestLog: RequestLog
  /** Messages about the request log itself. */
  messages: { level: string; message: string }[]
}

export async function startLoggingServer(
  connection: Connection,
  parts: Partial<ServerParts> & { logConnection?: Connection; logPool?: Pool } = {},
): Promise<LoggingServer> {
  const log = parts.logPool ?? openPool(parts.logConnection ?? connection, 'log', () => undefined)
  if (parts.logPool === undefined) atEnd(() => log.end())
  const messages: LoggingServer['messages'] = []
  const requestLog = createRequestLog({
    pool: log,
    isMigrated: parts.isMigrated ?? (() => true),
    log: {
      info: (_, message) => messages.push({ level: 'info', message }),
      warn: (_, message) => messages.push({ level: 'warn', message }),
    },
  })
  const server = await startServer(connection, { ...parts, requestLog })
  atEnd(() => requestLog.stop())
  return { ...server, requestLog, messages }
}

/** The stored entries of a company, oldest first. */
export async function readLog(pool: Pool, companyId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT id, at, key_id, method, path, status, duration_us, request_id, denial, error_code, error_message, error_param
     FROM request_log WHERE company_id = $1 ORDER BY id`,
    [companyId],
  )
  return rows
}
