/** Runs a command with a database connection, and stops everything that was started for it. */
import { runAction } from '../actions/action.ts'
import type { Action } from '../actions/action.ts'
import { SYSTEM } from '../core/change-log/change-types.ts'
import { ApiError } from '../core/requests/errors.ts'
import { readConfig } from '../server/config.ts'
import type { Config } from '../server/config.ts'
import { openPool } from '../db/connect.ts'
import type { Connection } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { createShutdown } from '../server/shutdown.ts'
import type { Shutdown } from '../server/shutdown.ts'
import { report } from './print.ts'

const SIGNAL_NUMBERS: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }

/** Migrates first. */
export function withDatabase<Args extends unknown[]>(
  work: (connection: Connection, ...args: Args) => Promise<void>,
) {
  return withUnmigratedDatabase<Args>(async (connection, _config, ...args) => {
    await migrate(connection, report)
    await work(connection, ...args)
  })
}

export function withUnmigratedDatabase<Args extends unknown[]>(
  work: (connection: Connection, config: Config, ...args: Args) => Promise<void>,
) {
  return withCleanup<Args>((connection, config, _cleanup, ...args) => work(connection, config, ...args))
}

/** The same for a command that starts more: `cleanup` also runs when a signal ends the process. */
export function withCleanup<Args extends unknown[]>(
  work: (connection: Connection, config: Config, cleanup: Shutdown, ...args: Args) => Promise<void>,
) {
  return async (...args: Args): Promise<void> => {
    const config = readConfig(process.env)
    await withOpen(openDatabase(config, report), ({ connection }, shutdown) =>
      work(connection, config, shutdown, ...args),
    )
  }
}

/** The connection of each cell, by name, in the order of CELLS. */
export type Cells = ReadonlyMap<string, Connection>

/** The databases that CELLS names. None of them is migrated. */
export async function withCells(work: (cells: Cells) => Promise<void>): Promise<void> {
  const { cells: urls, dataDir } = readConfig(process.env)
  if (urls.size === 0) throw new Error('CELLS must name the cells and their databases; see docs/cells.md')
  const opening = [...urls].map(async ([name, databaseUrl]) => {
    const { connection, stop } = await openDatabase({ databaseUrl, dataDir }, report)
    return { name, connection, stop }
  })
  const all = Promise.all(opening).then((opened) => ({
    cells: new Map(opened.map(({ name, connection }) => [name, connection])),
    stop: async () => void (await Promise.all(opened.map(({ stop }) => stop()))),
  }))
  await withOpen(all, ({ cells }) => work(cells))
}

async function withOpen<Opened extends { stop: () => Promise<void> }>(
  opening: Promise<Opened>,
  work: (opened: Opened, shutdown: Shutdown) => Promise<void>,
): Promise<void> {
  const shutdown = createShutdown({ signalExitCode: (signal) => 128 + (SIGNAL_NUMBERS[signal] ?? 0) })
  shutdown.add(async () => (await opening.catch(() => undefined))?.stop())
  // If the reader closes the pipe early (`quoting doctor | head`), stop quietly.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', () => void shutdown.run().then(() => process.exit(1)))
  }
  try {
    await work(await opening, shutdown)
  } finally {
    await shutdown.run()
  }
}

/** Runs an action of a company. Its changes are recorded without a user. */
export async function runCommandAction<Input, Result>(
  connection: Connection,
  companyId: string,
  action: Action<Input, Result>,
  input: Input,
): Promise<Result> {
  const pool = openPool(connection, 'console', (error) => report(error.message))
  const presentation = { now: new Date().toISOString(), invoiceUrl: () => '', quoteUrl: () => '' }
  try {
    return await runAction({ pool, companyId, actor: SYSTEM, caller: 'system', presentation }, action, input)
  } finally {
    await pool.end()
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_found'
}
