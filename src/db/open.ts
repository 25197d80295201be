/** The database to work with: the one at a URL, or the embedded one. */
import type { Connection, Pooler } from './connect.ts'
import { startEmbedded } from './embedded.ts'

export interface OpenDatabase {
  connection: Connection
  /** Stops what this process started. */
  stop: () => Promise<void>
}

export async function openDatabase(
  where: { databaseUrl: string | undefined; pooler?: Pooler | undefined; dataDir: string },
  onProblem: (message: string) => void,
): Promise<OpenDatabase> {
  if (where.databaseUrl === undefined) return startEmbedded(where.dataDir, { onProblem })
  return {
    connection: { connectionString: where.databaseUrl, pooler: where.pooler },
    stop: async () => undefined,
  }
}
