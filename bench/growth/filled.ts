/** Creates a database with a world of one size, and measures its import and its size on disk. */
import { rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { withClient } from '../../src/db/connect.ts'
import type { Connection } from '../../src/db/connect.ts'
import { startEmbedded } from '../../src/db/embedded.ts'
import { treeCpuMs } from '../cpu.ts'
import { ageMigrations, databasePidOf, runCommand, urlOf, writeWorld } from '../fill-database.ts'
import { listRequests } from './requests.ts'
import type { Requests } from './requests.ts'
import { nameOf, worldOf } from './sizes.ts'
import type { Size } from './sizes.ts'

export interface ImportFigures {
  lines: number
  seconds: number
  /** CPU time of the command and the database */
  cpuSeconds: number
  /** Peak memory of the command */
  bytes: number
}

export interface DiskFigures {
  tableBytes: number
  indexBytes: number
}

export interface Filled {
  size: Size
  url: string
  databasePid: number
  imported: ImportFigures
  disk: DiskFigures
  requests: Requests
  stop: () => Promise<void>
}

interface Options {
  folder: string
  /** Whether the data set stays on disk. */
  isKept: boolean
}

export async function fill(size: Size, { folder, isKept }: Options): Promise<Filled> {
  const home = join(folder, nameOf(size))
  rmSync(home, { recursive: true, force: true })
  await mkdir(home, { recursive: true })
  const dataDir = join(home, 'data')
  let embedded = await startEmbedded(dataDir)
  const remove = async () => {
    await embedded.stop()
    if (!isKept) rmSync(home, { recursive: true })
  }
  try {
    const imported = await importWorld(size, home, await databasePidOf(embedded.connection))
    await ageMigrations(embedded.connection)
    // Otherwise autovacuum runs during the measurement.
    await withClient(embedded.connection, (client) => client.query('VACUUM ANALYZE'))
    // A shutdown writes all changed pages. Otherwise the checkpointer writes them during the measurement.
    await embedded.stop()
    embedded = await startEmbedded(dataDir)
    const { connection } = embedded
    const requests = await listRequests(connection, size)
    return {
      size,
      url: urlOf(connection),
      databasePid: await databasePidOf(connection),
      imported,
      disk: await measureDisk(connection),
      requests,
      stop: remove,
    }
  } catch (error) {
    await remove()
    throw error
  }
}

async function importWorld(size: Size, home: string, databasePid: number): Promise<ImportFigures> {
  const settings = { DATA_DIR: join(home, 'data') }
  const file = join(home, 'world.ndjson')
  await runCommand(['migrate'], settings)
  const lines = await writeWorld(file, worldOf(size))
  const before = treeCpuMs(databasePid)
  const { seconds, cpuSeconds, bytes } = await runCommand(['import', file], settings)
  const databaseSeconds = (treeCpuMs(databasePid) - before) / 1000
  rmSync(file)
  return { lines, seconds, cpuSeconds: cpuSeconds + databaseSeconds, bytes }
}

async function measureDisk(connection: Connection): Promise<DiskFigures> {
  const { rows } = await withClient(connection, (client) =>
    client.query<{ tables: string; indexes: string }>(
      `SELECT sum(pg_table_size(oid)) AS tables, sum(pg_indexes_size(oid)) AS indexes
       FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    ),
  )
  return { tableBytes: Number(rows[0]?.tables), indexBytes: Number(rows[0]?.indexes) }
}
