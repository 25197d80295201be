/** Records and inputs for tests of the import. */
import { createDatabase } from './database.ts'
import type { TestRecord } from './world.ts'

export function answer(id: string, response: string, times: TestRecord = {}): TestRecord {
  return { id, questionId: 'ask', response, ...times }
}

export async function createImportDatabase() {
  const { pool, connection } = await createDatabase()
  return { connection, pool }
}
