/** Records the statements that the service sends for a request. */
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import type { Pool } from 'pg'
import { createChangeListener } from '../src/changes/listener.ts'
import { openPool } from '../src/db/connect.ts'
import type { Connection } from '../src/db/connect.ts'
import { buildServer } from '../src/server/build-server.ts'

export interface SentStatement {
  text: string
  /** As sent to the database */
  values: string[]
}

export interface Watched {
  /** The statements that the service sends for this path. */
  statementsOf: (path: string) => Promise<SentStatement[]>
  /** Executions of prepared statements that were planned again. */
  countCustomPlans: () => Promise<number>
  stop: () => Promise<void>
}

/** A server in this process with one observed connection. */
export async function watchService(connection: Connection, key: string): Promise<Watched> {
  const sent: SentStatement[] = []
  const data = openPool(connection, 'data', () => undefined)
  data.options.max = 1
  watch(data, sent)
  const keys = openPool(connection, 'keys', () => undefined)
  const consolePool = openPool(connection, 'console', () => undefined)
  const reports = openPool(connection, 'reports', () => undefined)
  const logger = pino({ level: 'silent' })
  const app: FastifyInstance = buildServer({
    data,
    keys,
    console: consolePool,
    reports,
    logger,
    changes: createChangeListener({ connection, db: consolePool, log: logger }),
    trustedProxies: [],
    rateLimitPerMinute: undefined,
    publicUrl: () => 'http://localhost',
    appSecrets: ['benchmark'],
    isMigrated: () => true,
  })
  return {
    statementsOf: async (path) => {
      sent.length = 0
      const answer = await app.inject({ url: path, headers: { 'x-api-key': key } })
      if (answer.statusCode !== 200)
        throw new Error(`${path} responded with ${answer.statusCode}: ${answer.body}`)
      return [...sent]
    },
    countCustomPlans: async () => {
      const { rows } = await data.query<{ plans: string | null }>(
        'SELECT sum(custom_plans) AS plans FROM pg_prepared_statements',
      )
      return Number(rows[0]?.plans ?? 0)
    },
    stop: async () => {
      await app.close()
      await Promise.all([data.end(), keys.end(), consolePool.end(), reports.end()])
    },
  }
}

interface DriverConnection {
  parse: (statement: { name: string; text: string }) => void
  bind: (bound: { statement: string; values: (string | null)[] }) => void
}

/** Observes the driver: texts by the names of prepared statements, and bound values. */
function watch(pool: Pool, sent: SentStatement[]): void {
  pool.on('connect', (client) => {
    const connection = (client as unknown as { connection: DriverConnection }).connection
    const texts = new Map<string, string>()
    const { parse, bind } = connection
    connection.parse = (statement) => {
      texts.set(statement.name, statement.text)
      Reflect.apply(parse, connection, [statement])
    }
    connection.bind = (bound) => {
      sent.push({ text: texts.get(bound.statement) ?? '', values: bound.values.map(String) })
      Reflect.apply(bind, connection, [bound])
    }
  })
}
