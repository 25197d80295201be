/** Content that is the same for all clients: compressed once, with an entity tag, so that clients download it only once. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Encoding } from '../core/requests/accept-encoding.ts'
import { isKnownEtag, weakEtag } from '../core/requests/etag.ts'
import { addVary, chooseEncoding, compress, encoded } from './compression.ts'

interface Variants {
  etag: string
  compressed: Map<Encoding, Promise<Buffer | null>>
}

/** By the buffer itself: a route keeps one, and sends it again and again. */
const known = new WeakMap<Buffer, Variants>()

/** Sends the content or, to a client that has it, a 304. Type and caching are the route's to set. */
export async function sendStatic(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Buffer,
): Promise<FastifyReply> {
  const variants = known.get(content) ?? { etag: weakEtag(content), compressed: new Map() }
  known.set(content, variants)
  addVary(reply.header('etag', variants.etag), 'accept-encoding')
  if (isKnownEtag(request.headers['if-none-match'], variants.etag)) return reply.code(304).send()
  const encoding = chooseEncoding(request, content.length)
  if (encoding === null) return reply.send(content)
  const compressed = await compressOnce(variants, content, encoding)
  if (compressed === null) return reply.send(content)
  encoded(reply, encoding, compressed)
  return reply.send(compressed)
}

async function compressOnce(
  { compressed }: Variants,
  content: Buffer,
  encoding: Encoding,
): Promise<Buffer | null> {
  const compressing = compressed.get(encoding) ?? compress(content, encoding)
  compressed.set(encoding, compressing)
  let result: Buffer | null = null
  try {
    result = await compressing
  } finally {
    // Too busy, or it failed: the next request tries again.
    if (result === null) compressed.delete(encoding)
  }
  return result
}
