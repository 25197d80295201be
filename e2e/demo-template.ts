/** A database with the demo world and its users, created once per run. Test files clone it. */
import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { openPool, withClient } from '../src/db/connect.ts'
import { DEMO_KEYS } from '../src/world/demo/demo-world.ts'
import { fillWithDemo } from '../src/world/demo/fill-with-demo.ts'
import { onDatabase } from '../test/support/connections.ts'
import { plantUser } from '../test/support/console.ts'

declare module 'vitest' {
  interface ProvidedContext {
    demoTemplate: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server, superuser, template } = project.getProvidedContext()
  const demo = `quoting_demo_${randomBytes(6).toString('hex')}`
  await withClient(server, (client) => client.query(`CREATE DATABASE ${demo} TEMPLATE ${template}`))
  const connection = onDatabase(server, demo)
  await fillWithDemo(connection)
  const pool = openPool(connection, 'data', () => undefined)
  for (const role of ['ADMIN', 'MEMBER'] as const)
    await plantUser({ connection, pool }, DEMO_KEYS[0].company, role)
  // A locale of the company would override the browser language that tests choose.
  await pool.query('UPDATE companies SET locale = NULL')
  await pool.end()
  project.provide('demoTemplate', demo)
  return async () => {
    await withClient(superuser, (client) => client.query(`DROP DATABASE ${demo} WITH (FORCE)`))
  }
}
