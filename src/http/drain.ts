/**
 * Shuts the server down without failing a request. Readiness probes fail first, while the server still serves. Then it
 * accepts no new connections, and the next response on each open connection says `connection: close`.
 */
import { Server as TcpServer } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { lastAnswerOn } from './last-answers.ts'

export interface Drain {
  /** A readiness probe has arrived. */
  noteProbe: () => void
  hasBegun: () => boolean
  /** Call before listening: connections are tracked, so that the last response on each can announce the close. */
  register: (app: FastifyInstance) => void
  /** Whether each response from now on is the last on its connection. */
  isClosing: () => boolean
  run: (app: FastifyInstance) => Promise<void>
}

/** A proxy with health checks probes at least this often. */
const PROBE_AGE_MAX_MS = 10_000
/** Gives such a proxy time to probe again and to route requests elsewhere. */
const NOTICE_MS = 2_000
/** Gives a keep-alive client time to send the request that it is about to send. */
const LAST_REQUEST_MS = 500
/** Gives active requests time to finish. */
const UNDER_WAY_MS = 5_000

export function createDrain(): Drain {
  let probedAt = -Infinity
  let begun = false
  let closing = false
  const open = new Set<Socket>()
  return {
    noteProbe: () => (probedAt = performance.now()),
    hasBegun: () => begun,
    isClosing: () => closing,
    register: (app) => {
      app.server.on('connection', (socket: Socket) => {
        open.add(socket)
        socket.once('close', () => open.delete(socket))
      })
    },
    run: async (app) => {
      begun = true
      if (performance.now() - probedAt < PROBE_AGE_MAX_MS) await sleep(NOTICE_MS)
      closing = true
      for (const socket of open) endAfterAnswer(socket)
      // Stops listening only. `server.close` would also cut idle connections that are about to carry a request.
      TcpServer.prototype.close.call(app.server)
      await waitForLastRequests(app)
      await close(app)
    },
  }
}

/**
 * Of several pipelined requests, the response to the last one announces the close. If only earlier ones are still active,
 * the connection ends after them without notice. Later requests get the header themselves.
 */
function endAfterAnswer(socket: Socket): void {
  const answer = lastAnswerOn(socket)
  if (answer?.headersSent === false) answer.setHeader('connection', 'close')
}

/** Returns early when no connection is left. */
async function waitForLastRequests(app: FastifyInstance): Promise<void> {
  const count = () =>
    new Promise<number>((resolve) => app.server.getConnections((_, connections) => resolve(connections)))
  const deadline = performance.now() + LAST_REQUEST_MS
  while ((await count()) > 0 && performance.now() < deadline) await sleep(10)
}

/** Waits for active requests, up to a limit. */
async function close(app: FastifyInstance): Promise<void> {
  // A connection that was busy when the close began becomes idle later and would be kept alive.
  const closingIdle = setInterval(() => app.server.closeIdleConnections(), 20)
  const deadline = setTimeout(() => app.server.closeAllConnections(), UNDER_WAY_MS)
  await app.close()
  clearInterval(closingIdle)
  clearTimeout(deadline)
}
