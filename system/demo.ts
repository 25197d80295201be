/** A server with the demo world on a real port, like `quoting serve --demo`. */
import type { Pool } from 'pg'
import { DEMO_KEYS } from '../src/world/demo/demo-world.ts'
import { fillWithDemo } from '../src/world/demo/fill-with-demo.ts'
import { createDatabase } from '../test/support/database.ts'
import { startServer } from '../test/support/server.ts'

export async function startDemo(): Promise<{ url: string; key: string; pool: Pool }> {
  const { connection, pool } = await createDatabase()
  await fillWithDemo(connection)
  const [{ key }] = DEMO_KEYS
  let url = ''
  const { port } = await startServer(connection, { publicUrl: () => url, demoKey: () => key })
  url = `http://127.0.0.1:${port}`
  return { url, key, pool }
}
