import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createPieces } from './slow-readers.ts'

const MIB = 1024 * 1024

function streamOf(answer: Buffer | Readable): Readable {
  if (!(answer instanceof Readable)) throw new Error('the response is not a stream')
  // Like the server: an aborted response ends its connection, not the process.
  return answer.on('error', () => undefined)
}

describe('responses in pieces', () => {
  it('leaves a short response unchanged', () => {
    const bytes = Buffer.alloc(512 * 1024)
    expect(createPieces()(bytes)).toBe(bytes)
  })

  it('splits a long response without loss', async () => {
    const bytes = Buffer.from(Array.from({ length: 3 * MIB + 5 }, (_, i) => i % 251))
    expect((await buffer(streamOf(createPieces()(bytes)))).equals(bytes)).toBe(true)
  })

  it('aborts the oldest response if too much is unread', () => {
    const inPieces = createPieces(10 * MIB)
    const [first, second, third] = [4, 4, 4].map((mib) => streamOf(inPieces(Buffer.alloc(mib * MIB))))
    expect([first?.destroyed, second?.destroyed, third?.destroyed]).toEqual([true, false, false])
  })

  it('sends a response that is larger than the limit', () => {
    expect(streamOf(createPieces(MIB)(Buffer.alloc(2 * MIB))).destroyed).toBe(false)
  })

  it('does not count bytes that were read or aborted', async () => {
    const inPieces = createPieces(10 * MIB)
    await buffer(streamOf(inPieces(Buffer.alloc(4 * MIB))))
    streamOf(inPieces(Buffer.alloc(4 * MIB))).destroy()
    const [first, second] = [5, 5].map((mib) => streamOf(inPieces(Buffer.alloc(mib * MIB))))
    expect([first?.destroyed, second?.destroyed]).toEqual([false, false])
  })
})
