/**
 * Detects workers of a distributed database that do not respond: their machine is off or stuck, or the network drops packets. The
 * coordinator responds meanwhile, so hang-watch.ts finds nothing. A worker whose server has ended reports an error by itself.
 */
import type { Pool } from 'pg'
import { openPool } from './connect.ts'
import type { Connection } from './connect.ts'
import { setLostCompanies } from './lost-companies.ts'
import { findLostWorkers, listCompaniesOn } from './workers.ts'

interface WorkerWatchOptions {
  pools: readonly Pool[]
  primary: Connection
  /** Closes the connections of the pools, since their statements may wait for the worker. */
  cut: () => void
  log: { warn: (details: object, message: string) => void }
}

/** A worker that does not respond takes another second to detect (`citus.node_connection_timeout`). */
const LOOK_MS = 1_000
/** On a busy machine a worker may miss one. */
const MISSES = 2

/** Returns a function that stops it. */
export function watchWorkers({ pools, primary, cut, log }: WorkerWatchOptions): () => Promise<void> {
  const checks = openPool(primary, 'hang', () => undefined)
  let misses: ReadonlyMap<string, number> = new Map()
  let lost: readonly string[] = []
  let asking: Promise<void> | undefined

  const look = async (): Promise<void> => {
    const missed = await findLostWorkers(checks)
    misses = new Map(missed.map((worker) => [worker, (misses.get(worker) ?? 0) + 1]))
    const found = missed.filter((worker) => (misses.get(worker) ?? 0) >= MISSES)
    if (found.length === 0 && lost.length === 0) return
    const companies = found.length === 0 ? [] : await listCompaniesOn(checks, found)
    setLostCompanies(new Set(companies))
    const isNew = found.some((worker) => !lost.includes(worker))
    lost = found
    if (!isNew) return
    log.warn(
      { workers: found, companies: companies.length },
      'workers do not respond: their companies get 503',
    )
    cut()
  }
  const looking = setInterval(() => {
    const isWaiting = pools.some(({ totalCount, idleCount }) => totalCount > idleCount)
    if (isWaiting || misses.size > 0 || lost.length > 0)
      asking ??= look()
        // The coordinator does not respond either, which hang-watch.ts finds.
        .catch(() => undefined)
        .finally(() => (asking = undefined))
  }, LOOK_MS)
  looking.unref()
  return async () => {
    clearInterval(looking)
    await asking
    setLostCompanies(new Set())
    await checks.end()
  }
}
