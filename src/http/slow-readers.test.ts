import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createPieces } from './slow-readers.ts'

const MIB = 1024 * 1024

function streamOf(answer: Buffer | Readable): Readable {
  if (!(answer instanceof Readable)) throw new Error('it is in one piece')
  // As the server does: an answer that is cut off ends its connection, not the process.
  return answer.on('error', () => undefined)
}

describe('answers in pieces', () => {
  it('a short one stays as it is', () => {
    const bytes = Buffer.alloc(512 * 1024)
    expect(createPieces()(bytes)).toBe(bytes)
  })

  it('a long one is whole when it is put together again', async () => {
    const bytes = Buffer.from(Array.from({ length: 3 * MIB + 5 }, (_, i) => i % 251))
    expect((await buffer(streamOf(createPieces()(bytes)))).equals(bytes)).toBe(true)
  })

  it('the one that began first makes room when too much is unread', () => {
    const inPieces = createPieces(10 * MIB)
    const [first, second, third] = [4, 4, 4].map((mib) => streamOf(inPieces(Buffer.alloc(mib * MIB))))
    expect([first?.destroyed, second?.destroyed, third?.destroyed]).toEqual([true, false, false])
  })

  it('one that is larger than all the room is sent all the same', () => {
    expect(streamOf(createPieces(MIB)(Buffer.alloc(2 * MIB))).destroyed).toBe(false)
  })

  it('what was read or given up takes no room', async () => {
    const inPieces = createPieces(10 * MIB)
    await buffer(streamOf(inPieces(Buffer.alloc(4 * MIB))))
    streamOf(inPieces(Buffer.alloc(4 * MIB))).destroy()
    const [first, second] = [5, 5].map((mib) => streamOf(inPieces(Buffer.alloc(mib * MIB))))
    expect([first?.destroyed, second?.destroyed]).toEqual([false, false])
  })
})
