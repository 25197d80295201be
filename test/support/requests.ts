/** A server with test endpoints, and requests to it. */
import { z } from 'zod'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { ENDPOINTS } from '../../src/api/endpoints.ts'
import { pageParameters, readParameters } from '../../src/api/parameters.ts'
import { createDatabase } from './database.ts'
import { TEST_ENDPOINTS, testEndpoint } from './endpoints.ts'
import { insertCompany, insertResource, insertStaff } from './records.ts'
import { startServer } from './server.ts'

export const KEY = 'key-of-the-first-company'

const FilterQuery = z.object({
  ...pageParameters('item_9'),
  lead_id: z.string().optional(),
  'created_at[gt]': z.string().optional(),
  'created_at[gte]': z.string().optional(),
})

/** A list with some filters of quotes. It responds with the parsed parameters. */
const filtered: Endpoint = testEndpoint('structured', {
  path: '/api/test-filters',
  query: FilterQuery,
  answer: async ({ query }) => {
    const paths: string[] = []
    const values = readParameters(FilterQuery, query, (path) => paths.push(path))
    return { body: { id: JSON.stringify({ ...values, paths }) } }
  },
})

export const json = { 'content-type': 'application/json' }

export async function createRequestServer() {
  const { pool, connection } = await createDatabase()
  const server = await startServer(connection, { endpoints: [...ENDPOINTS, ...TEST_ENDPOINTS, filtered] })

  /** Without the test endpoints, which are not documented */
  const documented = await startServer(connection)

  await insertCompany(pool, 'co_1', { key: KEY })
  await insertResource(pool, 'co_1', 'res_1')
  await insertStaff(pool, 'co_1', 'staff_1')

  const get = (path: string) => server.get(path, KEY)
  return { pool, server, get, documented }
}
