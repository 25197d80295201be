/** Opens the database: the one at DATABASE_URL, or the embedded one. */
import type { Connection, Pooler } from './connect.ts'
import { startEmbedded } from './embedded.ts'

export interface OpenDatabase {
  connection: Connection
  /** Stops everything that this process started. */
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
