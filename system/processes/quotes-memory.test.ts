/** Memory of repeated requests. */
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ENDPOINTS } from '../../src/api/endpoints.ts'
import { DEMO_KEYS } from '../../src/world/demo/demo-world.ts'
import { createDemoDatabase } from '../../test/support/database.ts'
import { ALL_PATHS, expandQuery } from '../../test/support/quotes.ts'
import { startServer } from '../../test/support/server.ts'

/** Set it higher to look for a slow leak. */
const MEMORY_REQUESTS = Number(process.env['MEMORY_REQUESTS'] ?? 30)

describe('a page of 100 quotes with 20 expansions', () => {
  it('does not use more memory at every request', async () => {
    const demo = await createDemoDatabase()
    const [{ key }] = DEMO_KEYS
    // Measures the service without the schema check that tests add to each response.
    const endpoints = ENDPOINTS.map((endpoint) => ({ ...endpoint, response: z.looseObject({}) }))
    const demoServer = await startServer(demo.connection, { logLevel: 'error', endpoints })
    const path = `/api/quotes?limit=100&${expandQuery(ALL_PATHS.slice(6), 'data.')}`
    const read = async (times: number) => {
      let bytes = 0
      for (let i = 0; i < times; i++) bytes = (await demoServer.get(path, key)).text.length
      return bytes
    }
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    // The minimum of several samples: buffers are freed in another thread, on a busy machine some time after the collection.
    const heapAfter = async (times: number) => {
      await read(times)
      let least = Infinity
      for (let look = 0; look < 10; look++) {
        collectGarbage()
        const { heapUsed, external } = process.memoryUsage()
        least = Math.min(least, heapUsed + external)
        await sleep(50)
      }
      return least
    }
    const bytes = await read(10)
    expect(bytes).toBeGreaterThan(100_000)
    // Enough that what is compiled and cached once is there.
    const first = await heapAfter(Math.max(5, MEMORY_REQUESTS / 5))
    const rest = [await heapAfter(MEMORY_REQUESTS / 2), await heapAfter(MEMORY_REQUESTS / 2)]
    // A tenth of every response, if it was kept, would be more.
    const grown = Math.min(...rest.map((heap) => heap - first))
    expect(grown).toBeLessThan(bytes)
  }, 600_000)
})
