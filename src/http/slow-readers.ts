/**
 * Closes connections whose clients read their response too slowly: each one holds a response in memory, and anyone can open
 * any number of them.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { onSendHookHandler } from 'fastify'

const CHECK_MS = 1_000
/** Time to read the buffered bytes, plus more for many bytes. */
const READ_MS = 6_000
const BYTES_PER_MS = 1_000
/** Time to read a whole long response, however steadily it is read. */
const READ_ALL_MS = 120_000
const PIECE_BYTES = 512 * 1024

/** The buffered bytes when they were first seen. */
interface Reading {
  doneAt: number
  deadline: number
}

/** Memory limit for long responses that are not read yet. The oldest one is dropped to make room. */
const UNREAD_MAX_BYTES = 320 * 1024 * 1024

export type Pieces = (bytes: Buffer) => Buffer | Readable

/** For `onSend`, after compression, so that the limit counts the bytes that are sent. */
export function sendInPieces(inPieces: Pieces): onSendHookHandler {
  return (_request, _reply, payload: unknown, done) =>
    done(null, Buffer.isBuffer(payload) ? inPieces(payload) : payload)
}

/** Sends a long response in pieces. If it is written at once, we cannot tell whether the client reads any of it. */
export function createPieces(unreadMaxBytes = UNREAD_MAX_BYTES): Pieces {
  // Oldest first.
  const unread = new Set<Readable>()
  let unreadBytes = 0
  return (bytes) => {
    if (bytes.length <= PIECE_BYTES) return bytes
    let start = 0
    const giveUp = () => pieces.destroy(new Error('the answer was read too slowly'))
    const timer = setTimeout(giveUp, READ_ALL_MS).unref()
    const pieces = new Readable({
      highWaterMark: PIECE_BYTES,
      read() {
        this.push(start < bytes.length ? bytes.subarray(start, start + PIECE_BYTES) : null)
        start += PIECE_BYTES
      },
      destroy(error, done) {
        clearTimeout(timer)
        unread.delete(pieces)
        unreadBytes -= bytes.length
        done(error)
      },
    })
    unread.add(pieces)
    unreadBytes += bytes.length
    for (const first of unread) {
      if (unreadBytes <= unreadMaxBytes || first === pieces) break
      first.destroy(new Error('the answer was read too slowly while others waited to be'))
    }
    return pieces
  }
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
        // A reset, so that the kernel also drops its buffers for this client.
        socket.resetAndDestroy()
      }
    }
  }, CHECK_MS)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}
