/** Puts the demo world into an empty database. */
import { hasCompanies } from '../../records/company/queries.ts'
import { withDb } from '../../db/connect.ts'
import type { Connection } from '../../db/connect.ts'
import { DEMO_WORLD, generateWorld } from './demo-world.ts'
import { importWorld } from '../import.ts'
import { addDemoWebhooks } from './webhooks.ts'

/** Does nothing if a company exists: demo data never mixes with real data. */
export async function fillWithDemo(connection: Connection): Promise<void> {
  if (await withDb(connection, hasCompanies)) return
  const { errors } = await importWorld(connection, demoLines())
  const [first] = errors
  if (first !== undefined) throw new Error(`the demo world is broken: line ${first.line}: ${first.reason}`)
  await withDb(connection, addDemoWebhooks)
}

async function* demoLines(): AsyncGenerator<string> {
  for (const record of generateWorld(DEMO_WORLD)) yield `${JSON.stringify(record)}\n`
}
