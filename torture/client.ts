/** An HTTP client that returns every response or failure for inspection. */
import { Agent, request as httpRequest } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'

export interface Answer {
  /** 0 if there is no response. */
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The error code if the request failed, such as ECONNRESET. */
  failure?: string
  sentAt: number
  ms: number
}

export interface Call {
  path: string
  key?: string
  /** POST by default with a body, otherwise GET */
  method?: string
  body?: string
  headers?: Record<string, string>
}

const ANSWER_MAX_MS = 20_000

export interface Client {
  send: (call: Call) => Promise<Answer>
  close: () => void
}

/** Keeps its connection, like most clients, unless `keepAlive` is false. */
export function createClient(port: number, { keepAlive = true } = {}): Client {
  const agent = new Agent({ keepAlive, maxSockets: 1 })
  return { send: (call) => send(port, agent, call), close: () => agent.destroy() }
}

function send(port: number, agent: Agent, { path, key, method, body, headers }: Call): Promise<Answer> {
  const sentAt = performance.now()
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) =>
      resolve({
        status: 0,
        headers: {},
        text: '',
        failure: error.code ?? error.message,
        sentAt,
        ms: performance.now() - sentAt,
      })
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        path,
        agent,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(key === undefined ? {} : { 'x-api-key': key }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        signal: AbortSignal.timeout(ANSWER_MAX_MS),
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', fail)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
            sentAt,
            ms: performance.now() - sentAt,
          }),
        )
      },
    )
    request.on('error', fail)
    request.end(body)
  })
}

/** Error codes while the database is unavailable. */
const UNAVAILABLE_CODES: Record<number, string> = { 500: 'server_error', 503: 'auth_service_unavailable' }

/** Whether the response comes from the endpoint, by the shape and headers of the API. */
export function isOurs(path: string, { status, headers, text }: Answer): boolean {
  if (headers['content-type'] !== 'application/json; charset=utf-8' || headers['x-request-id'] === undefined)
    return false
  try {
    const body = JSON.parse(text) as { error?: unknown; success?: unknown; object?: unknown }
    const isTask = path === '/api/task/create'
    if (status < 300) return isTask ? body.success === true : typeof body.object === 'string'
    if (isTask) return typeof body.error === 'string' && Object.keys(body).length === 1
    const { type, code, message } = body.error as Record<string, unknown>
    return type === 'api_error' && typeof message === 'string' && code === UNAVAILABLE_CODES[status]
  } catch {
    return false
  }
}
