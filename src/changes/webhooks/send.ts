/** One attempt to deliver a webhook: an HTTP request whose response counts within a time limit. */
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { StoredAttempt } from '../../records/webhook-delivery/columns.ts'
import { AddressError, createLookup, refuseLiteral } from './addresses.ts'
import type { AddressOptions } from './addresses.ts'

/** Stored for the administrator. */
const SHOWN_MAX_BYTES = 1_024
/** Read and dropped, so that the connection can be used again. */
const READ_MAX_BYTES = 64 * 1_024
/** Idle connections are closed before most servers close them. */
const IDLE_MS = 4_000

export interface Message {
  url: string
  headers: Record<string, string>
  body: string
}

export interface AttemptOutcome extends StoredAttempt {
  isDelivered: boolean
  /** The response header. */
  retryAfter: string | undefined
}

export interface Sender {
  /** Null if it was aborted by `close`. */
  send: (message: Message) => Promise<AttemptOutcome | null>
  /** Ends all requests. */
  close: () => void
}

export function createSender(options: AddressOptions & { timeoutMs: number }): Sender {
  const lookup = createLookup(options)
  const agentOptions = { keepAlive: true, timeout: IDLE_MS, lookup }
  const agents = { http: new HttpAgent(agentOptions), https: new HttpsAgent(agentOptions) }

  const exchange = (message: Message, signal: AbortSignal): Promise<Exchange> =>
    new Promise((resolve, reject) => {
      const isSecure = message.url.toLowerCase().startsWith('https:')
      const sent = (isSecure ? httpsRequest : httpRequest)(
        message.url,
        {
          method: 'POST',
          agent: isSecure ? agents.https : agents.http,
          headers: { ...message.headers, 'content-length': Buffer.byteLength(message.body) },
          signal,
        },
        (response) => resolve(readResponse(response)),
      )
      sent.on('error', (error: NodeJS.ErrnoException) =>
        reject(sent.reusedSocket && error.code === 'ECONNRESET' ? new StaleConnection() : error),
      )
      sent.end(message.body)
    })

  const running = new Set<AbortController>()
  let isClosed = false
  return {
    send: async (message) => {
      const at = new Date().toISOString()
      const startedAt = performance.now()
      const controller = new AbortController()
      running.add(controller)
      const timer = setTimeout(() => controller.abort(), options.timeoutMs)
      const result = await attempt(async () => {
        refuseLiteral(message.url, options)
        return exchange(message, controller.signal)
      })
      clearTimeout(timer)
      running.delete(controller)
      if (isClosed) return null
      const isLate = controller.signal.aborted && result.status === null
      const error = isLate ? `No response within ${options.timeoutMs / 1_000} s` : result.error
      const status = isLate ? null : result.status
      const durationMs = Math.round(performance.now() - startedAt)
      const isDelivered = error === null && status !== null && status >= 200 && status < 300
      return { ...result, at, durationMs, status, error, isDelivered }
    },
    close: () => {
      isClosed = true
      for (const controller of running) controller.abort()
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

interface Exchange {
  status: number
  response: string
  retryAfter: string | undefined
}

/** The server closed the idle connection just before the request was sent. It is sent once more. */
class StaleConnection extends Error {}

type Attempted = Pick<AttemptOutcome, 'status' | 'error' | 'response' | 'retryAfter'>

async function attempt(run: () => Promise<Exchange>): Promise<Attempted> {
  try {
    const exchanged = await run().catch((error: unknown) => {
      if (error instanceof StaleConnection) return run()
      throw error
    })
    const { status } = exchanged
    const error = status >= 300 && status < 400 ? 'Redirects are not followed' : null
    return { ...exchanged, error }
  } catch (error) {
    return { status: null, error: describe(error), response: '', retryAfter: undefined }
  }
}

/** Resolves when the body is complete, long enough, or ends early: the status counts, not the body. */
async function readResponse(response: IncomingMessage): Promise<Exchange> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (bytes < SHOWN_MAX_BYTES) chunks.push(chunk)
      bytes += chunk.length
      // Leaving the loop closes the connection.
      if (bytes > READ_MAX_BYTES) break
    }
  } catch {
    // The connection was closed, or the time is over.
  }
  const shown = Buffer.concat(chunks).subarray(0, SHOWN_MAX_BYTES)
  return {
    status: response.statusCode ?? 0,
    // PostgreSQL cannot store NUL.
    response: shown.toString('utf8').replaceAll('\0', ''),
    retryAfter: response.headers['retry-after'],
  }
}

const MESSAGES: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed before the response',
  ENOTFOUND: 'The host name does not resolve',
  ENODATA: 'The host name does not resolve',
  EAI_AGAIN: 'The host name could not be resolved',
  ETIMEOUT: 'The host name could not be resolved in time',
  ETIMEDOUT: 'The connection could not be established in time',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed',
  CERT_HAS_EXPIRED: 'The certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host',
}

/** For the administrator of the company. Never the message of the error, which can contain addresses. */
function describe(error: unknown): string {
  if (error instanceof AddressError) return error.message
  const { code = '' } = error as NodeJS.ErrnoException
  return MESSAGES[code] ?? (code === '' ? 'The request failed' : `The request failed (${code})`)
}
