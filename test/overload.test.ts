/** More requests at once than can be worked on: the others wait in line, and when the line stands still they are refused. */
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { ApiError } from '../src/core/errors.ts'
import { openPool } from '../src/db/connect.ts'
import { atEnd } from './support/at-end.ts'
import { createDatabase } from './support/database.ts'
import { SHAPES, testEndpoint } from './support/endpoints.ts'
import { AUTH_UNAVAILABLE, DENIED, errorOf, inShape } from './support/errors.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'

const KEY = 'key-of-the-first-company'
const PLACES = 4

/** An endpoint whose requests end when the test lets them. */
const atWork = new Map<string, () => void>()
const endpoints = SHAPES.map((shape) =>
  testEndpoint(shape, {
    answer: async ({ id }) => {
      if (id.startsWith('slow')) await new Promise<void>((finish) => atWork.set(id, finish))
      if (id === 'missing') throw new ApiError('not_found')
      return { body: { id } }
    },
  }),
)

endpoints.push(testEndpoint('structured', { method: 'POST', path: '/api/test-structured-post' }))

const { pool, connection } = await createDatabase()
await insertCompany(pool, 'co_1', { key: KEY })
const data = openPool(connection, 'data', () => undefined, PLACES / 2)
atEnd(() => data.end())
const server = await startServer(connection, { endpoints, data })
const tasks = await startServer(connection, { data })

const get = (id: string, shape = 'structured') => server.get(`/api/test-${shape}/${id}`, KEY)

async function waitFor(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(5)
}

/** Requests that take all places; their answers, later. */
async function fill() {
  const answers = Promise.all(Array.from({ length: PLACES }, (_, i) => get(`slow${i}`)))
  await waitFor(() => atWork.size === PLACES)
  return { answers }
}

function finishAll(): void {
  for (const finish of atWork.values()) finish()
  atWork.clear()
}

afterEach(finishAll)

const open = async (state: string) => {
  const { text } = await server.call('/metrics')
  return Number(new RegExp(`^http_requests_open\\{state="${state}"\\} (\\d+)`, 'm').exec(text)?.[1])
}

/** All places are taken, and as many wait as may. Let go, they are all answered. */
async function closeLine() {
  const burst = await makeBurst()
  const expectClosed = async () => {
    expect((await get('one-too-many')).status).toBe(503)
    // At once: whoever waited to be refused would be the last of all.
    expect(await open('waiting')).toBe(100)
  }
  await expectClosed()
  const letGo = async () => {
    finishAll()
    expect(new Set((await burst.answers).map(({ status }) => status))).toEqual(new Set([200]))
  }
  return { expectClosed, letGo }
}

/** On a machine that is too busy, the first of them give up before the last have come: then another one. */
async function makeBurst() {
  // As many may wait as were done lately: what was done before must be long ago.
  await sleep(650)
  await fill()
  const since = performance.now()
  const answers = Promise.all(Array.from({ length: 100 }, () => get('one-of-many')))
  const isTooLate = () => performance.now() - since > 300
  await waitFor(async () => isTooLate() || (await open('waiting')) === 100)
  if (!isTooLate()) return { answers }
  finishAll()
  await answers
  return makeBurst()
}

describe('while all places are taken', () => {
  it('one more waits, and is answered when a place is free', async () => {
    const { answers } = await fill()
    const next = get('next')
    await waitFor(async () => (await open('waiting')) === 1)
    finishAll()
    expect((await next).status).toBe(200)
    expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect([await open('in work'), await open('waiting')]).toEqual([0, 0])
  })

  it.each(SHAPES)('who waits too long gets 503 with retry-after, in the shape %s', async (shape) => {
    await fill()
    const refused = await get('next', shape)
    expect(errorOf(refused)).toEqual(inShape(shape, AUTH_UNAVAILABLE))
    expect(refused.headers['retry-after']).toBe('1')
  })

  it('a burst waits; who would have to wait long behind it is refused at once', async () => {
    const { letGo } = await closeLine()
    const headers = { 'x-api-key': KEY }
    const refused = await Promise.all([
      server.call('/api/test-structured/one-too-many', { method: 'HEAD', headers }),
      server.call('/api/test-structured-post', { method: 'POST', headers, body: '{}' }),
    ])
    expect(refused.map(({ status }) => status)).toEqual([503, 503])
    await letGo()
  })

  it('one whose body does not come takes no place from others', async () => {
    const head = `POST /api/task/create HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEY}\r\ncontent-length: 9\r\n\r\n`
    const sockets = Array.from({ length: 2 * PLACES }, () => connect(tasks.port, '127.0.0.1'))
    for (const socket of sockets) socket.on('error', () => undefined).write(head)
    await sleep(200)
    const answers = await Promise.all(Array.from({ length: PLACES }, () => tasks.get('/api/resources', KEY)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    for (const socket of sockets) socket.destroy()
  })

  it('one whose body comes when there is room again is answered', async () => {
    const { expectClosed, letGo } = await closeLine()
    const socket = connect(server.port, '127.0.0.1')
    await once(socket, 'connect')
    const line = 'POST /api/test-structured-post HTTP/1.1'
    socket.write(`${line}\r\nhost: x\r\nx-api-key: ${KEY}\r\ncontent-length: 2\r\n\r\n`)
    const answer = once(socket, 'data')
    // By the time another is refused, the head is there.
    await expectClosed()
    await letGo()
    socket.write('{}')
    expect(String(await answer)).toMatch(/^HTTP\/1\.1 200 /)
    socket.destroy()
  })

  it('a key that is unknown is denied also while the line is closed', async () => {
    const { expectClosed, letGo } = await closeLine()
    expect((await server.get('/api/test-structured/1', 'a-key-that-is-unknown')).status).toBe(401)
    await expectClosed()
    await letGo()
  })

  it('who comes when the line has stood still for long is refused before those who wait', async () => {
    await fill()
    const timed = async (id: string) => ({ status: (await get(id)).status, at: performance.now() })
    const first = timed('first')
    await sleep(400)
    const second = timed('second')
    await sleep(250)
    const late = await timed('late')
    expect(late.status).toBe(503)
    expect(late.at).toBeLessThan((await second).at)
    expect((await first).status).toBe(503)
  })

  it('a request without a key is denied as ever', async () => {
    await fill()
    expect(errorOf(await server.call('/api/test-structured/1'))).toEqual(DENIED)
  })

  it('probes answer', async () => {
    await fill()
    expect((await server.call('/healthz')).status).toBe(200)
    expect((await server.call('/readyz')).status).toBe(200)
  })
})

it('a caller who goes away keeps the place until its work is done', async () => {
  const calls = Array.from({ length: PLACES }, (_, i) => {
    const path = `/api/test-structured/slow${i}`
    const call = httpRequest({ port: server.port, path, headers: { 'x-api-key': KEY } })
    call.on('error', () => undefined).end()
    return call
  })
  await waitFor(() => atWork.size === PLACES)
  for (const call of calls) call.destroy()
  expect((await get('next')).status).toBe(503)
  finishAll()
  await waitFor(async () => (await open('in work')) === 0)
  expect((await get('next')).status).toBe(200)
})

it('callers who go away before they are answered take no places with them', async () => {
  for (let i = 0; i < 20 * PLACES; i++) {
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

it('denied and failed requests leave their places', async () => {
  for (let i = 0; i < 3 * PLACES; i++) {
    expect((await server.get('/api/test-structured/1', 'a-key-that-is-unknown')).status).toBe(401)
    expect((await get('missing')).status).toBe(404)
  }
  expect(await open('in work')).toBe(0)
})
