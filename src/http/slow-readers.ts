/**
 * Closes connections whose callers hardly read what they asked for: each holds an answer in memory, and there is no limit
 * to how many such connections can be opened.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { onSendHookHandler } from 'fastify'

const CHECK_MS = 1_000
/** What waits is to be read within so long, and more time the more it is. */
const READ_MS = 6_000
const BYTES_PER_MS = 1_000
/** A long answer, read piece by piece in time, all in all within so long. */
const READ_ALL_MS = 120_000
const PIECE_BYTES = 512 * 1024

/** What waited to be read when it was first seen to wait. */
interface Reading {
  doneAt: number
  deadline: number
}

/** Long answers that are not read yet hold no more memory than this; whoever has read for the longest makes room. */
const UNREAD_MAX_BYTES = 320 * 1024 * 1024

export type Pieces = (bytes: Buffer) => Buffer | Readable

/** For `onSend`, after compression: the bytes that wait to be read are those that are sent. */
export function sendInPieces(inPieces: Pieces): onSendHookHandler {
  return (_request, _reply, payload: unknown, done) =>
    done(null, Buffer.isBuffer(payload) ? inPieces(payload) : payload)
}

/** A long answer in pieces: of one that is written at once, nobody could tell whether any of it is being read. */
export function createPieces(unreadMaxBytes = UNREAD_MAX_BYTES): Pieces {
  // The one that began first comes first.
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
        // A reset, so that the system, too, forgets what it still holds for this caller.
        socket.resetAndDestroy()
      }
    }
  }, CHECK_MS)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}
