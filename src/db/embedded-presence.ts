/**
 * Any number of our processes share one embedded server: the first starts it, the others attach, the last one stops it.
 * Each holds a shared advisory lock as long as it lives; a killed process loses it with its connection. The process that
 * can turn its lock into an exclusive one is the last.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { Client } from 'pg'
import type { Connection } from './connect.ts'
import { stopByPidFile } from './embedded-cluster.ts'
import type { Cluster } from './embedded-cluster.ts'

export const PORT = 5432
const PRESENCE_LOCK = 7_230_519
const STOP_TIMEOUT_MS = 15_000
/** The size of a Unix socket address on Linux (108) and macOS (104), with its closing NUL. */
const SOCKET_PATH_MAX = 103

/** The database that every cluster has; locks count only within one database. */
export function maintenanceConnection(pgData: string): Connection & { host: string } {
  return { host: socketFolder(pgData), port: PORT, database: 'postgres' }
}

/** The data folder, by a short name where its own is too long for a socket address. */
function socketFolder(pgData: string): string {
  if (Buffer.byteLength(`${pgData}/.s.PGSQL.${PORT}`) <= SOCKET_PATH_MAX) return pgData
  if (!existsSync('/proc/self/fd'))
    throw new Error(`DATA_DIR is too long a path for a Unix socket: ${pgData}`)
  return `/proc/self/fd/${openSync(pgData, 'r')}`
}

/** A connection that keeps the server running. */
export async function attach(connection: Connection): Promise<Client> {
  const client = new Client({
    ...connection,
    application_name: 'quoting presence',
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    // Waits while the last process stops the server, and then fails with it.
    await client.query('SELECT pg_advisory_lock_shared($1)', [PRESENCE_LOCK])
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

/** Stops the server if no other process uses it. `child` is the server's process if we started it. */
export async function leave(
  client: Client,
  cluster: Cluster,
  child: ChildProcess | undefined,
): Promise<void> {
  let isGone = false
  client.once('end', () => (isGone = true))
  try {
    await client.query('SELECT pg_advisory_unlock_shared($1)', [PRESENCE_LOCK])
    const { rows } = await client.query<{ last: boolean }>('SELECT pg_try_advisory_lock($1) AS last', [
      PRESENCE_LOCK,
    ])
    if (rows[0]?.last !== true) return
    if (child === undefined || hasEnded(child)) await stopByPidFile(cluster)
    else await stopChild(child)
  } catch (error) {
    if (!isGone) throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** SIGINT asks for a clean shutdown. A server that hangs is stopped at once; it recovers at its next start. */
async function stopChild(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGINT')
  const timers = [
    setTimeout(() => child.kill('SIGQUIT'), STOP_TIMEOUT_MS),
    setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS + 3_000),
  ]
  await exited
  for (const timer of timers) clearTimeout(timer)
}
