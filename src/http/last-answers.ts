/** The last answer begun on each connection: known to whoever has to do with the connection rather than a request. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

const LAST_ANSWER = Symbol('last answer')

/** On the connection itself: a map from it would cost more, at every request. */
type Connection = Duplex & { [LAST_ANSWER]?: ServerResponse }

export function noteAnswers(server: Server): void {
  server.prependListener('request', ({ socket }: { socket: Socket }, response) => {
    ;(socket as Connection)[LAST_ANSWER] = response
  })
}

export function lastAnswerOn(connection: Connection): ServerResponse | undefined {
  return connection[LAST_ANSWER]
}
