/** Every invalid request gets its status and error in the shape of the endpoint. */
import { describe, expect, it } from 'vitest'
import { DEMO_KEYS } from '../src/world/demo/demo-world.ts'
import { badRequestError, badRequests } from './support/bad-requests.ts'
import { createDemoDatabase } from './support/database.ts'
import { startServer } from './support/server.ts'

const { connection, pool } = await createDemoDatabase()
const server = await startServer(connection)
const table = badRequests(DEMO_KEYS[0].key)
const countTasks = async () => (await pool.query('SELECT FROM tasks')).rowCount
const tasksBefore = await countTasks()

describe('bad requests', () => {
  it.each(table.map(({ what, bytes, expected }) => [what, bytes, expected] as const))(
    '%s',
    async (_, bytes, expected) => {
      expect(badRequestError(await server.raw(bytes))).toEqual(expected)
    },
  )

  it('are at least 120, and cause no server error and no task', async () => {
    expect(table.length).toBeGreaterThanOrEqual(120)
    expect(new Set(table.map(({ bytes }) => bytes)).size).toBe(table.length)
    expect(server.log.filter(({ level }) => Number(level) >= 40)).toEqual([])
    expect(await countTasks()).toBe(tasksBefore)
  })
})
