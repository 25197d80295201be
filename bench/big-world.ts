/** The big world: 200,000 quotes of 20 companies, created once and kept. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withClient } from '../src/db/connect.ts'
import type { Connection } from '../src/db/connect.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import type { CompanyPlan, WorldOptions } from '../src/world/demo/plan.ts'
import { ageMigrations, databasePidOf, runCommand, urlOf, writeWorld } from './fill-database.ts'

export const LARGE = { id: 'co_large', key: 'eqs_bench_co_large', quotes: 100_000 }
export const SMALL = { id: 'co_small', key: 'eqs_bench_co_small', quotes: 100 }
const OTHERS = 18
const QUOTES = 200_000

export interface BigWorld {
  connection: Connection
  /** In the format of DATABASE_URL */
  url: string
  /** The process id of the postmaster */
  databasePid: number
  transfer: Transfer
  folder: string
  /** Runs the built command line. */
  importFile: (file: string) => Promise<unknown>
  stop: () => Promise<void>
}

/** Duration and peak memory of import and export. */
interface Transfer {
  date: string
  lines: number
  importSeconds: number
  importBytes: number
  exportSeconds: number
  exportBytes: number
}

function companyPlan(id: string, key: string, quotes: number): CompanyPlan {
  return {
    id,
    name: id,
    plan: 'PREMIUM',
    currency: 'USD',
    keys: [{ name: 'Benchmark', key }],
    quotes,
    daysPerQuote: 5,
    linesPerQuote: 12,
    resources: 40,
    staff: 40,
    branches: ['brooklyn', 'chicago', 'denver', 'los_angeles', 'seattle', 'winnipeg'],
  }
}

function worldOptions(): WorldOptions {
  const others = Array.from({ length: OTHERS }, (_, i) =>
    companyPlan(
      `co_other_${i + 1}`,
      `eqs_bench_co_other_${i + 1}`,
      (QUOTES - LARGE.quotes - SMALL.quotes) / OTHERS,
    ),
  )
  const named = [LARGE, SMALL].map(({ id, key, quotes }) => companyPlan(id, key, quotes))
  return { seed: 5, companies: [...named, ...others] }
}

/** Opens the world in the folder or in the database at the URL, and creates it first if it does not exist. */
export async function openBigWorld(folder: string, databaseUrl: string | undefined): Promise<BigWorld> {
  mkdirSync(folder, { recursive: true })
  const dataDir = join(folder, 'data')
  const settings = databaseUrl === undefined ? { DATA_DIR: dataDir } : { DATABASE_URL: databaseUrl }
  const noteFile = join(folder, databaseUrl === undefined ? 'world.json' : 'world-by-url.json')
  const embedded = databaseUrl === undefined ? await startEmbedded(dataDir) : null
  const connection = embedded?.connection ?? { connectionString: databaseUrl ?? '' }
  await runCommand(['migrate'], settings)
  if (!existsSync(noteFile) || !(await isComplete(connection))) {
    writeFileSync(noteFile, JSON.stringify(await createWorld(folder, settings)))
  }
  await ageMigrations(connection)
  return {
    connection,
    url: databaseUrl ?? urlOf(connection),
    databasePid: await databasePidOf(connection),
    transfer: JSON.parse(readFileSync(noteFile, 'utf8')) as Transfer,
    folder,
    importFile: (file) => runCommand(['import', file], settings),
    stop: async () => embedded?.stop(),
  }
}

async function isComplete(connection: Connection): Promise<boolean> {
  const { rows } = await withClient(connection, (client) =>
    client.query<{ count: string }>('SELECT count(*) FROM quotes'),
  )
  return Number(rows[0]?.count) === QUOTES
}

async function createWorld(folder: string, settings: Record<string, string>): Promise<Transfer> {
  const file = join(folder, 'world.ndjson')
  console.log('Creating the big world. This takes a few minutes and happens once.')
  const lines = await writeWorld(file, worldOptions())
  const imported = await runCommand(['import', file], settings)
  rmSync(file)
  const exported = await runCommand(['export'], settings)
  return {
    date: new Date().toISOString().slice(0, 10),
    lines,
    importSeconds: imported.seconds,
    importBytes: imported.bytes,
    exportSeconds: exported.seconds,
    exportBytes: exported.bytes,
  }
}
