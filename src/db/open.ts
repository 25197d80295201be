/** Opens the database: the one at DATABASE_URL, which may have several servers, or the embedded one. */
import type { Connection, Pooler } from './connect.ts'
import { splitDatabaseUrl } from './database-urls.ts'
import { startEmbedded } from './embedded.ts'
import { followPrimary } from './primary.ts'

export interface OpenDatabase {
  connection: Connection
  /** Stops everything that this process started. */
  stop: () => Promise<void>
}

export async function openDatabase(
  where: {
    databaseUrl: string | undefined
    pooler?: Pooler | undefined
    isDistributed?: boolean
    dataDir: string
  },
  onProblem: (message: string) => void,
): Promise<OpenDatabase> {
  const { databaseUrl, pooler, isDistributed } = where
  if (databaseUrl === undefined) return startEmbedded(where.dataDir, { onProblem })
  const [first, ...others] = splitDatabaseUrl(databaseUrl) as [string, ...string[]]
  if (others.length === 0)
    return { connection: { connectionString: first, pooler, isDistributed }, stop: async () => undefined }
  const primary = followPrimary([first, ...others])
  return { connection: { connectionString: first, pooler, primary, isDistributed }, stop: primary.stop }
}
