/**
 * The end of a server, in an order in which no request fails: whoever asks whether it is ready hears "no" while it still
 * serves; then it takes no new connection, and tells those that are open with their next answer that it was the last.
 */
import { Server as TcpServer } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { lastAnswerOn } from './last-answers.ts'

export interface Drain {
  /** Someone has asked whether the server is ready. */
  noteProbe: () => void
  hasBegun: () => boolean
  /** Before it listens: connections are to be known, so that each is told which answer is its last. */
  register: (app: FastifyInstance) => void
  /** Whether each answer from now on is the last on its connection. */
  isClosing: () => boolean
  run: (app: FastifyInstance) => Promise<void>
}

/** A proxy that watches us has asked within this time. */
const PROBE_AGE_MAX_MS = 10_000
/** For such a proxy to ask again and to send its requests elsewhere. */
const NOTICE_MS = 2_000
/** For a client that is about to send its next request on a connection that it keeps. */
const LAST_REQUEST_MS = 500
/** For requests under way. */
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
      // The listening alone: the server's own close would also cut idle connections, with a request on its way in some.
      TcpServer.prototype.close.call(app.server)
      await waitForLastRequests(app)
      await close(app)
    },
  }
}

/**
 * Of several requests sent at once, the last one's answer is the last; where only earlier ones are still under way, the
 * connection ends behind them without notice. What is asked later is told by itself.
 */
function endAfterAnswer(socket: Socket): void {
  const answer = lastAnswerOn(socket)
  if (answer?.headersSent === false) answer.setHeader('connection', 'close')
}

/** No longer than needed where no connection is left. */
async function waitForLastRequests(app: FastifyInstance): Promise<void> {
  const count = () =>
    new Promise<number>((resolve) => app.server.getConnections((_, connections) => resolve(connections)))
  const deadline = performance.now() + LAST_REQUEST_MS
  while ((await count()) > 0 && performance.now() < deadline) await sleep(10)
}

/** Waits for requests under way, but not for ever. */
async function close(app: FastifyInstance): Promise<void> {
  // A connection that was busy when the close began becomes idle later, and would be kept for the next request.
  const closingIdle = setInterval(() => app.server.closeIdleConnections(), 20)
  const deadline = setTimeout(() => app.server.closeAllConnections(), UNDER_WAY_MS)
  await app.close()
  clearInterval(closingIdle)
  clearTimeout(deadline)
}
