/**
 * Compressed responses. Compressing runs in the thread pool, never on the event loop. The pool also hashes passwords and
 * resolves names, so only some of its four threads are used at once; while too many responses wait for one, the next is
 * sent as it is.
 */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding } from '../core/requests/accept-encoding.ts'
import type { Encoding } from '../core/requests/accept-encoding.ts'
import { createLimiter } from '../core/requests/limiter.ts'

/** Below this, compressing saves next to nothing. */
const COMPRESS_MIN_BYTES = 2 * 1024
const COMPRESSIBLE = /^(?:text\/|application\/json|image\/svg\+xml)/

/** Output per trip to the thread pool. */
const CHUNK_BYTES = 64 * 1024

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Fast rather than small: a level more costs twice the time for a few percent. */
const COMPRESS: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) =>
    compressBrotli(bytes, {
      chunkSize: CHUNK_BYTES,
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 4,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => compressGzip(bytes, { chunkSize: CHUNK_BYTES, level: 5 }),
}

type Compress = (bytes: Buffer, encoding: Encoding) => Promise<Buffer | null>

/** Gives null while `pendingMax` bodies are compressed or wait for it. */
export function limitedCompress(atOnce: number, pendingMax: number): Compress {
  const limit = createLimiter(atOnce)
  let pending = 0
  return async (bytes, encoding) => {
    if (pending >= pendingMax) return null
    pending++
    try {
      return await limit(() => COMPRESS[encoding](bytes))
    } finally {
      pending--
    }
  }
}

/** Large bodies have a separate limit: small ones must not wait behind them, and each takes much memory. */
const LARGE_BYTES = 512 * 1024
const compressLarge = limitedCompress(1, 3)
const compressSmall = limitedCompress(2, 32)

/** Null: there is too much to compress at the moment, or it would not be smaller. One limit for the process, as its thread pool. */
export async function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer | null> {
  const compressed = await (bytes.length > LARGE_BYTES ? compressLarge : compressSmall)(bytes, encoding)
  return compressed === null || compressed.length >= bytes.length ? null : compressed
}

/** The encoding for a body of this size; null: send it as it is. */
export function chooseEncoding({ raw }: FastifyRequest, bytes: number): Encoding | null {
  const { encoding, refusesIdentity } = acceptedEncoding(raw.headers['accept-encoding'])
  return bytes > COMPRESS_MIN_BYTES || refusesIdentity ? encoding : null
}

/** Compresses every text that is sent, unless its route has done so. */
export function compressResponses(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    if (!isBody(payload) || !isCompressible(reply)) {
      done(null, payload)
      return
    }
    addVary(reply, 'accept-encoding')
    if (request.raw.headers['accept-encoding'] === undefined) {
      done(null, payload)
      return
    }
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
    const encoding = chooseEncoding(request, bytes.length)
    if (encoding === null) {
      done(null, payload)
      return
    }
    const send = (compressed: Buffer | null) => {
      if (compressed !== null) encoded(reply, encoding, compressed)
      done(null, compressed ?? payload)
    }
    compress(bytes, encoding).then(send, done)
  })
}

function isBody(payload: unknown): payload is string | Buffer {
  return typeof payload === 'string' || Buffer.isBuffer(payload)
}

function isCompressible(reply: FastifyReply): boolean {
  const type = reply.getHeader('content-type')
  return typeof type === 'string' && COMPRESSIBLE.test(type) && !reply.hasHeader('content-encoding')
}

/** Sets the headers of a body that was compressed. */
export function encoded(reply: FastifyReply, encoding: Encoding, compressed: Buffer): void {
  reply.header('content-encoding', encoding).header('content-length', compressed.length)
}

/** Adds the name of a request header that the response depends on. */
export function addVary(reply: FastifyReply, name: string): void {
  const names = reply.getHeader('vary')
  if (names === undefined) reply.header('vary', name)
  else if (typeof names === 'string' && !names.split(', ').includes(name))
    reply.header('vary', `${names}, ${name}`)
}
