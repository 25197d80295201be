/**
 * Closes connections whose callers hardly read what they asked for: each holds an answer in memory, and there is no limit
 * to how many such connections can be opened.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const CHECK_MS = 1_000
/** An answer is to be read within so long, and more time the longer it is. */
const READ_MS = 8_000
const BYTES_PER_MS = 1_000

/** What waited to be read when it was first seen to wait. */
interface Reading {
  doneAt: number
  deadline: number
}

export function closeSlowReaders(server: Server): void {
  const open = new Map<Socket, Reading | null>()
  server.on('connection', (socket: Socket) => {
    open.set(socket, null)
    socket.once('close', () => open.delete(socket))
  })
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [socket, reading] of open) {
      const waiting = socket.writableLength
      if (waiting === 0) {
        if (reading !== null) open.set(socket, null)
      } else if (reading === null || socket.bytesWritten - waiting >= reading.doneAt) {
        open.set(socket, { doneAt: socket.bytesWritten, deadline: now + READ_MS + waiting / BYTES_PER_MS })
      } else if (now > reading.deadline) {
        // A reset, so that the system, too, forgets what it still holds for this caller.
        socket.resetAndDestroy()
      }
    }
  }, CHECK_MS)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}
