/** The latest response of each connection, used by drain and by client errors. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

const LAST_ANSWER = Symbol('last answer')

/** A property of the socket: a map lookup would cost more on every request. */
type Connection = Duplex & { [LAST_ANSWER]?: ServerResponse }

export function noteAnswers(server: Server): void {
  server.prependListener('request', ({ socket }: { socket: Socket }, response) => {
    ;(socket as Connection)[LAST_ANSWER] = response
  })
}

export function lastAnswerOn(connection: Connection): ServerResponse | undefined {
  return connection[LAST_ANSWER]
}
