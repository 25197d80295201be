/** The bundled PostgreSQL server of one DATA_DIR: started when needed, and started again when it is lost. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Connection } from './connect.ts'
import { dataPathFor, findBinaries } from './embedded-binaries.ts'
import { DATABASE, SERVICE_ROLE, checkCluster, passwordFile } from './embedded-cluster.ts'
import type { Cluster } from './embedded-cluster.ts'
import { prepareCluster } from './embedded-create.ts'
import { PORT, attach, hasEnded, leave, maintenanceConnection } from './embedded-presence.ts'
import { programEnvironment } from './run-program.ts'

export interface EmbeddedServer {
  connection: Connection
  /** Detaches from the server, and stops it if no other process uses it. */
  stop: () => Promise<void>
}

export interface EmbeddedOptions {
  /** Called when the server was lost and is started again, and with warnings for the operator. */
  onProblem?: (message: string) => void
  /** Server settings beside our own, such as `fsync=off` for tests. */
  settings?: string[]
}

/**
 * For big imports: fewer checkpoints, after each of which every changed page is logged whole again. Commits are as
 * durable as before, and unused memory is not allocated.
 */
const TUNING = ['max_wal_size=4GB', 'checkpoint_timeout=15min', 'wal_buffers=16MB']
/** The detail and context of an error hold row values; keep them out of the server's log. */
const LOGGING = ['log_error_verbosity=terse']
const START_TIMEOUT_MS = 60_000
/** Answers that mean "not now": starting up or shutting down, crash under way, stopped by an administrator. */
const PASSING_CODES = new Set(['57P01', '57P02', '57P03', 'ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE'])

/** Attached to a running server. */
interface Presence {
  client: Client
  /** The server's process, if we started it. */
  child: ChildProcess | undefined
}

export async function startEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<EmbeddedServer> {
  const cluster = await prepareCluster(dataDir, options.onProblem)
  const maintenance: Connection = {
    ...maintenanceConnection(cluster.pgData),
    user: SERVICE_ROLE,
    password: readFileSync(passwordFile(dataDir), 'utf8'),
  }
  let stopping = false
  let presence: Promise<Presence>
  let child: ChildProcess | undefined

  const attend = async (): Promise<Presence> => {
    const attached = await startOrAttach(cluster, maintenance, options.settings ?? [], child)
    child = attached.child
    attached.client.once('end', () => {
      if (stopping) return
      options.onProblem?.('the embedded database server went away; starting it again')
      presence = attend()
      presence.catch((error: Error) => options.onProblem?.(error.message))
    })
    return attached
  }

  presence = attend()
  await presence
  return {
    connection: { ...maintenance, database: DATABASE },
    stop: async () => {
      stopping = true
      const attached = await presence.catch(() => null)
      if (attached !== null) await leave(attached.client, cluster, attached.child)
    },
  }
}

/** `child` is the server that we started before, if any: it may still run. */
async function startOrAttach(
  cluster: Cluster,
  connection: Connection,
  settings: string[],
  child: ChildProcess | undefined,
): Promise<Presence> {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    try {
      return { client: await attach(connection), child }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (!PASSING_CODES.has(code ?? '') || Date.now() > deadline) {
        throw new Error(
          `the embedded database server cannot be used: ${message}; see ${logFile(cluster.dataDir)}`,
          { cause: error },
        )
      }
      const notRunning = code === 'ENOENT' || code === 'ECONNREFUSED'
      if (notRunning && (child === undefined || hasEnded(child))) child = await launch(cluster, settings)
      await sleep(20)
    }
  }
}

/** Starts the server in its own session: Ctrl-C is for us, and we stop it after the last request. */
async function launch(cluster: Cluster, settings: string[]): Promise<ChildProcess> {
  const { dataDir, pgData, user } = cluster
  await checkCluster(cluster)
  const log = openSync(logFile(dataDir), logFlag(dataDir), 0o600)
  const own = [
    'listen_addresses=',
    'unix_socket_directories=.',
    'unix_socket_permissions=0700',
    `port=${PORT}`,
    ...TUNING,
    ...LOGGING,
  ]
  const child = spawn(
    join(findBinaries(user), 'postgres'),
    ['-D', dataPathFor(user, pgData), ...[...own, ...settings].flatMap((setting) => ['-c', setting])],
    { cwd: pgData, ...user, detached: true, stdio: ['ignore', log, log], env: programEnvironment() },
  )
  closeSync(log)
  // If the program cannot be started, there is no process, and the next attempt to connect fails.
  child.once('error', () => undefined)
  child.unref()
  return child
}

function logFile(dataDir: string): string {
  return join(dataDir, 'postgres.log')
}

/** Truncates a log of more than 10 MB. */
function logFlag(dataDir: string): 'a' | 'w' {
  const stat = statSync(logFile(dataDir), { throwIfNoEntry: false })
  return stat !== undefined && stat.size > 10_000_000 ? 'w' : 'a'
}
