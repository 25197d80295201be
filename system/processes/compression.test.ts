/** Compression of large bodies, and of many at once. */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compress } from '../../src/http/compression.ts'
import { DEMO_KEYS } from '../../src/world/demo/demo-world.ts'
import { callForBytes, decodedText } from '../../test/support/bytes.ts'
import { createDemoDatabase } from '../../test/support/database.ts'
import { testEndpoint } from '../../test/support/endpoints.ts'
import { startServer } from '../../test/support/server.ts'

const MIB = 1024 * 1024
const [{ key: KEY }] = DEMO_KEYS
const { connection } = await createDemoDatabase()

/** Responses of any size: text that compresses well, and text that hardly does. */
const ofSize = testEndpoint('structured', {
  response: z.strictObject({ id: z.string() }),
  answer: async ({ id }) => ({ body: { id: bodyOf(id) } }),
})
const random = randomBytes(3 * MIB).toString('base64')
const bodyOf = (id: string) => (id === 'random' ? random : 'event '.repeat(Number(id) / 6).padEnd(Number(id)))

const server = await startServer(connection)
/** Has no documentation, which would have to describe the endpoint of this test. */
const sized = await startServer(connection, { endpoints: [ofSize] })

const call = ({ port }: { port: number }, path: string, encoding?: string) =>
  callForBytes(port, path, {
    headers: { 'x-api-key': KEY, ...(encoding === undefined ? {} : { 'accept-encoding': encoding }) },
  })

describe('compressing', () => {
  it.each([`${20 * MIB}`, 'random'])('R20: does not change a body of %s characters', async (id) => {
    for (const encoding of ['br', 'gzip']) {
      const answer = await call(sized, `/api/test-structured/${id}`, encoding)
      expect(answer.headers['content-encoding']).toBe(encoding)
      expect(answer.headers['content-length']).toBe(String(answer.bytes.length))
      expect(decodedText(answer) === JSON.stringify({ id: bodyOf(id) })).toBe(true)
    }
  })

  it('leaves the event loop free', async () => {
    let turns = 0
    const count = () => {
      turns++
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    await compress(Buffer.from(random.repeat(5)), 'gzip')
    clearImmediate(timer)
    expect(turns).toBeGreaterThan(20)
  })

  it('sends correct bodies to 60 concurrent requests', async () => {
    const expansions = ['lead', 'location', 'serviceDays', 'services', 'addons', 'booking.events']
    const page = `/api/quotes?limit=100&${expansions.map((path) => `expand[]=data.${path}`).join('&')}`
    const expected = decodedText(await call(server, page))
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => call(server, page, i % 2 === 0 ? 'br' : 'gzip')),
    )
    const served = answers.filter(({ status }) => status === 200)
    expect(served.length).toBeGreaterThan(0)
    for (const answer of served) expect(decodedText(answer) === expected).toBe(true)
  })
})
