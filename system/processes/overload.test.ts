/** Requests above the number of slots wait in a queue, and are rejected if it is too long. */
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { ApiError } from '../../src/core/requests/errors.ts'
import { openPool } from '../../src/db/connect.ts'
import { atEnd } from '../../test/support/at-end.ts'
import { createDatabase } from '../../test/support/database.ts'
import { SHAPES, testEndpoint } from '../../test/support/endpoints.ts'
import { AUTH_UNAVAILABLE, DENIED, errorOf, inShape } from '../../test/support/errors.ts'
import { insertCompany } from '../../test/support/records.ts'
import { startServer } from '../../test/support/server.ts'

const KEY = 'key-of-the-first-company'
const SLOTS = 4

/** Slow requests of this endpoint end when the test finishes them. */
const working = new Map<string, () => void>()
const workUntilFinished = (id: string) => new Promise<void>((finish) => working.set(id, finish))
const endpoints = SHAPES.map((shape) =>
  testEndpoint(shape, {
    answer: async ({ id, runLarge }) => {
      if (id.startsWith('slow')) await workUntilFinished(id)
      if (id.startsWith('large')) await runLarge(() => workUntilFinished(id))
      if (id === 'missing') throw new ApiError('not_found')
      return { body: { id } }
    },
  }),
)

endpoints.push(testEndpoint('structured', { method: 'POST', path: '/api/test-structured-post' }))

const { pool, connection } = await createDatabase()
await insertCompany(pool, 'co_1', { key: KEY })
const data = openPool(connection, 'data', () => undefined, SLOTS / 2)
atEnd(() => data.end())
const server = await startServer(connection, { endpoints, data })
const tasks = await startServer(connection, { data })

const get = (id: string, shape = 'structured') => server.get(`/api/test-${shape}/${id}`, KEY)

async function waitFor(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(5)
}

/** Fills all slots. Returns the responses, which arrive later. */
async function fill() {
  const answers = Promise.all(Array.from({ length: SLOTS }, (_, i) => get(`slow${i}`)))
  await waitFor(() => working.size === SLOTS)
  return { answers }
}

function finishAll(): void {
  for (const finish of working.values()) finish()
  working.clear()
}

afterEach(finishAll)

const open = async (state: string) => {
  const { text } = await server.call('/metrics')
  return Number(new RegExp(`^http_requests_open\\{state="${state}"\\} (\\d+)`, 'm').exec(text)?.[1])
}

/** Takes all slots and fills the queue. */
async function fillQueue() {
  // Waits for the end of two windows of 300 ms, because the limit depends on their throughput. No event signals that.
  for (let window = 0; window < 2; window++) {
    await sleep(350)
    await get('alone')
  }
  await fill()
  const answers = Promise.all(Array.from({ length: 100 }, () => get('one-of-many')))
  await waitFor(async () => (await open('waiting')) === 100)
  const expectFull = async () => {
    expect((await get('one-too-many')).status).toBe(503)
    // It was rejected on arrival, while the others still wait.
    expect(await open('waiting')).toBe(100)
  }
  await expectFull()
  const serveAll = async () => {
    finishAll()
    expect(new Set((await answers).map(({ status }) => status))).toEqual(new Set([200]))
  }
  return { expectFull, serveAll }
}

describe('E4: while all slots are used', () => {
  it('another request waits, and gets a response when a slot is free', async () => {
    const { answers } = await fill()
    const next = get('next')
    await waitFor(async () => (await open('waiting')) === 1)
    finishAll()
    expect((await next).status).toBe(200)
    expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect([await open('in work'), await open('waiting')]).toEqual([0, 0])
  })

  it('a request that waits too long gets 503 with retry-after, in the error shape of its endpoint', async () => {
    await fill()
    const rejected = await Promise.all(
      SHAPES.map(async (shape) => ({ shape, answer: await get('next', shape) })),
    )
    for (const { shape, answer } of rejected) {
      expect(errorOf(answer)).toEqual(inShape(shape, AUTH_UNAVAILABLE))
      expect(answer.headers['retry-after']).toBe('1')
    }
  })

  it('a burst waits, and further requests are rejected on arrival if the queue is full', async () => {
    const { serveAll } = await fillQueue()
    const headers = { 'x-api-key': KEY }
    const rejected = await Promise.all([
      server.call('/api/test-structured/one-too-many', { method: 'HEAD', headers }),
      server.call('/api/test-structured-post', { method: 'POST', headers, body: '{}' }),
    ])
    expect(rejected.map(({ status }) => status)).toEqual([503, 503])
    await serveAll()
  })

  it('a request is accepted if a short queue has not moved for a second', async () => {
    await fill()
    const first = get('first')
    // Only time must pass here.
    await sleep(1_000)
    const later = Promise.all(Array.from({ length: 8 }, () => get('later')))
    await waitFor(async () => (await open('waiting')) === 9)
    finishAll()
    expect((await first).status).toBe(200)
    expect(new Set((await later).map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('a request without its body uses no slot', async () => {
    const head = `POST /api/task/create HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEY}\r\ncontent-length: 9\r\n\r\n`
    const sockets = Array.from({ length: 2 * SLOTS }, () => connect(tasks.port, '127.0.0.1'))
    for (const socket of sockets) socket.on('error', () => undefined).write(head)
    await expect.poll(tasks.countConnections).toBe(2 * SLOTS)
    const answers = await Promise.all(Array.from({ length: SLOTS }, () => tasks.get('/api/resources', KEY)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    for (const socket of sockets) socket.destroy()
  })

  it('a request is served if its body arrives when the queue is short again', async () => {
    const { expectFull, serveAll } = await fillQueue()
    const socket = connect(server.port, '127.0.0.1')
    await once(socket, 'connect')
    const line = 'POST /api/test-structured-post HTTP/1.1'
    socket.write(`${line}\r\nhost: x\r\nx-api-key: ${KEY}\r\ncontent-length: 2\r\n\r\n`)
    const answer = once(socket, 'data')
    // When another request is rejected, the head of this one has arrived.
    await expectFull()
    await serveAll()
    socket.write('{}')
    expect(String(await answer)).toMatch(/^HTTP\/1\.1 200 /)
    socket.destroy()
  })

  it('an unknown key is denied while the queue is full', async () => {
    const { expectFull, serveAll } = await fillQueue()
    expect((await server.get('/api/test-structured/1', 'a-key-that-is-unknown')).status).toBe(401)
    await expectFull()
    await serveAll()
  })

  it('a request without a key is denied', async () => {
    await fill()
    expect(errorOf(await server.call('/api/test-structured/1'))).toEqual(DENIED)
  })

  it('probes respond', async () => {
    await fill()
    expect((await server.call('/healthz')).status).toBe(200)
    expect((await server.call('/readyz')).status).toBe(200)
  })
})

describe('requests that use much memory', () => {
  it('run one at a time in order, without delaying other requests', async () => {
    const large = Array.from({ length: 2 * SLOTS }, (_, i) => get(`large${i}`))
    await waitFor(async () => (await open('waiting')) === large.length - 1)
    expect((await get('small')).status).toBe(200)
    const order: string[] = []
    while (order.length < large.length) {
      await waitFor(() => working.size > 0)
      expect(working.size).toBe(1)
      order.push(...working.keys())
      finishAll()
    }
    expect(new Set((await Promise.all(large)).map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(order).size).toBe(large.length)
    await waitFor(async () => (await open('in work')) === 0)
  })
})

it('a request of a disconnected client keeps its slot until its work is done', async () => {
  const calls = Array.from({ length: SLOTS }, (_, i) => {
    const path = `/api/test-structured/slow${i}`
    const call = httpRequest({ port: server.port, path, headers: { 'x-api-key': KEY } })
    call.on('error', () => undefined).end()
    return call
  })
  await waitFor(() => working.size === SLOTS)
  for (const call of calls) call.destroy()
  const next = get('next')
  await waitFor(async () => (await open('waiting')) === 1)
  expect(await open('in work')).toBe(SLOTS)
  finishAll()
  expect((await next).status).toBe(200)
  await waitFor(async () => (await open('in work')) === 0)
})

it('requests of clients that disconnect before the response release their slots', async () => {
  for (let i = 0; i < 20 * SLOTS; i++) {
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => undefined)
    const key = i % 2 === 0 ? KEY : 'a-key-that-is-unknown'
    const line = i % 4 < 2 ? 'GET /api/test-structured/1' : 'POST /api/test-structured-post'
    const head = `${line} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-length: 10\r\n\r\n`
    await once(socket, 'connect')
    socket.write(head)
    if (i % 3 !== 0) await sleep(1)
    socket.destroy()
  }
  await waitFor(async () => (await open('in work')) === 0)
  expect((await get('next')).status).toBe(200)
})

it('denied and failed requests release their slots', async () => {
  for (let i = 0; i < 3 * SLOTS; i++) {
    expect((await server.get('/api/test-structured/1', 'a-key-that-is-unknown')).status).toBe(401)
    expect((await get('missing')).status).toBe(404)
  }
  expect(await open('in work')).toBe(0)
})
