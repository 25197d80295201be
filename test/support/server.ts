/** The real server on a real port, and a client that returns complete responses. */
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { openPool } from '../../src/db/connect.ts'
import type { Connection } from '../../src/db/connect.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { ENDPOINTS } from '../../src/api/endpoints.ts'
import { createChangeListener } from '../../src/changes/listener.ts'
import { buildServer } from '../../src/server/build-server.ts'
import type { ServerParts } from '../../src/server/build-server.ts'
import { Json, jsonBytes } from '../../src/codec/json.ts'
import { createLogger } from '../../src/server/log.ts'
import { atEnd } from './at-end.ts'
import { answerOf, sendRaw } from './raw.ts'
import type { Answer, RawOptions } from './raw.ts'
import { routesOf } from './routes.ts'

export type { Answer } from './raw.ts'

export const APP_SECRET = 'a secret for tests'

export interface CallOptions {
  method?: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
}

export interface TestServer {
  port: number
  /** Every route with its methods: `/api/quotes/:id (GET, HEAD)`. Listing them takes longer than a request. */
  listRoutes: () => string[]
  /** Lines of the log so far. */
  log: Record<string, unknown>[]
  /** Sends the path unchanged. */
  call: (path: string, options?: CallOptions) => Promise<Answer>
  /** Sends the bytes unchanged, and reads one response. */
  raw: (bytes: string | Buffer, options?: RawOptions) => Promise<Answer>
  /** GET with a key. */
  get: (path: string, key: string, headers?: Record<string, string>) => Promise<Answer>
  /** The number of open connections */
  countConnections: () => Promise<number>
  close: () => Promise<void>
}

/** Starts a server that is closed at the end of the test file. */
export async function startServer(
  connection: Connection,
  parts: Partial<ServerParts> & {
    host?: string
    logLevel?: string
    dataConnection?: Connection
    keysConnection?: Connection
  } = {},
): Promise<TestServer> {
  const data = openPool(parts.dataConnection ?? connection, 'data', () => undefined)
  const keys = openPool(parts.keysConnection ?? connection, 'keys', () => undefined)
  const consolePool = openPool(parts.dataConnection ?? connection, 'console', () => undefined)
  const reports = openPool(parts.dataConnection ?? connection, 'reports', () => undefined)
  const log: Record<string, unknown>[] = []
  const destination = { write: (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>) }
  const endpoints = (parts.endpoints ?? ENDPOINTS).map(withCheckedAnswer)
  const logger = createLogger(parts.logLevel ?? 'debug', destination)
  const changes = createChangeListener({ connection, db: consolePool, log: logger })
  const app = buildServer({
    data,
    keys,
    console: consolePool,
    reports,
    logger,
    changes,
    trustedProxies: [],
    rateLimitPerMinute: undefined,
    publicUrl: () => 'http://127.0.0.1:3000',
    appSecrets: [APP_SECRET],
    isMigrated: () => true,
    ...parts,
    endpoints,
  })
  const host = parts.host ?? '127.0.0.1'
  await app.listen({ host, port: 0 })
  const { port } = app.server.address() as AddressInfo
  const close = async () => {
    await changes.stop()
    await app.close()
    await Promise.all(
      [data.end(), keys.end(), consolePool.end(), reports.end()].map((ending) =>
        ending.catch(() => undefined),
      ),
    )
  }
  atEnd(async () => {
    // A browser opens connections in advance. Without a request, they would keep the server open for a minute.
    app.server.closeAllConnections()
    await close()
  })
  const call = (path: string, options: CallOptions = {}) => send(host, port, path, options)
  return {
    port,
    listRoutes: () => routesOf(app.printRoutes({ commonPrefix: false })),
    log,
    call,
    raw: (bytes, options) => sendRaw(port, bytes, options),
    get: (path, key, headers = {}) => call(path, { headers: { 'x-api-key': key, ...headers } }),
    countConnections: () => promisify(app.server.getConnections.bind(app.server))(),
    close,
  }
}

/** Checks every response with its schema, which rejects undeclared members. */
function withCheckedAnswer(endpoint: Endpoint): Endpoint {
  return {
    ...endpoint,
    answer: async (call) => {
      const answer = await endpoint.answer(call)
      const { body } = answer
      endpoint.response.parse(body instanceof Json ? JSON.parse(jsonBytes(body).toString()) : body)
      return answer
    },
  }
}

/** Uses node:http, because fetch normalizes paths and rejects some headers. */
function send(host: string, port: number, path: string, options: CallOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host, port, path, method: options.method ?? 'GET', headers: options.headers ?? {}, agent: false },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          resolve(answerOf(response.statusCode ?? 0, response.headers, text))
        })
      },
    )
    request.on('error', reject)
    request.end(options.body)
  })
}
