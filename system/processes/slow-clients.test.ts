/** Clients that send or read so slowly that they keep connections busy. */
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createDatabase } from '../../test/support/database.ts'
import { testEndpoint } from '../../test/support/endpoints.ts'
import { insertCompany } from '../../test/support/records.ts'
import { startServer } from '../../test/support/server.ts'

const KEY = 'key-of-the-first-company'
/** Larger than the socket buffers of the system */
const LARGE = 'x'.repeat(10 * 1024 * 1024)

/** Larger than the socket buffers after compression */
const RANDOM = randomBytes(12 * 1024 * 1024).toString('base64')

const large = testEndpoint('structured', {
  response: z.strictObject({ id: z.string() }),
  answer: async ({ id }) => ({ body: { id: id === 'random' ? RANDOM : LARGE } }),
})
const { pool, connection } = await createDatabase()
await insertCompany(pool, 'co_1', { key: KEY })
const server = await startServer(connection, { endpoints: [large] })
/** Servers for one client each */
const own = await startServer(connection, { endpoints: [large] })
const compressing = await startServer(connection, { endpoints: [large] })

function open(port = server.port): { socket: Socket; closed: Promise<'closed'> } {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  return { socket, closed: new Promise((resolve) => socket.once('close', () => resolve('closed'))) }
}

const REQUEST = `GET /api/test-structured/1 HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEY}\r\n\r\n`
const patience = () => sleep(60_000, 'still open' as const, { ref: false })

describe.concurrent('a connection', { timeout: 90_000 }, () => {
  it('is closed if headers arrive byte by byte', async () => {
    const { socket, closed } = open()
    socket.resume().write('GET /api/test-structured/1 HTTP/1.1\r\n')
    const timer = setInterval(() => socket.write('x'), 1_000)
    expect(await Promise.race([closed, patience()])).toBe('closed')
    clearInterval(timer)
  })

  it('is closed if a body arrives byte by byte', async () => {
    const { socket, closed } = open()
    const head = `POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: 10000\r\n\r\n`
    socket.resume().write(head)
    const timer = setInterval(() => socket.write('x'), 1_000)
    expect(await Promise.race([closed, patience()])).toBe('closed')
    clearInterval(timer)
  })

  it('is closed if the response is not read', async () => {
    const { socket, closed } = open(own.port)
    socket.pause().write(REQUEST)
    await expect.poll(own.countConnections).toBe(1)
    // As soon as for a short response
    await expect.poll(own.countConnections, { timeout: 14_000 }).toBe(0)
    // Only bytes in the buffers of the system arrive.
    let bytes = 0
    socket.on('data', (chunk: Buffer) => (bytes += chunk.length)).resume()
    expect(await Promise.race([closed, patience()])).toBe('closed')
    expect(bytes).toBeLessThan(LARGE.length)
  })

  it('is closed if a compressed response is not read', async () => {
    const { socket } = open(compressing.port)
    const request = REQUEST.replace('/1 ', '/random ').replace('host: x', 'host: x\r\naccept-encoding: gzip')
    socket.pause().write(request)
    await expect.poll(compressing.countConnections).toBe(1)
    await expect.poll(compressing.countConnections, { timeout: 25_000 }).toBe(0)
    socket.destroy()
  })

  it('is closed if no request follows', async () => {
    const { socket, closed } = open()
    socket.resume().write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
    expect(await Promise.race([closed, patience()])).toBe('closed')
  })
})

it('a large response is complete for a client that reads it', async () => {
  const answer = await server.get('/api/test-structured/1', KEY)
  expect((answer.body as { id: string }).id).toHaveLength(LARGE.length)
})
