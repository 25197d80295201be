/** A real Citus cluster: a coordinator and two workers. Stops at the end of the test file. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withClient } from '../../src/db/connect.ts'
import type { Connection } from '../../src/db/connect.ts'
import { atEnd } from './at-end.ts'
import { programFolder } from './programs.ts'
import type { RunningProgram } from './programs.ts'
import { at, startPostgres, startPrimary } from './standby.ts'

// Few shards, because each import creates its tables on all of them.
const SETTINGS = [
  'shared_preload_libraries=citus',
  'max_prepared_transactions=200',
  'wal_level=logical',
  'max_worker_processes=32',
  'citus.shard_count=4',
  // Results must not depend on the time zone of the server.
  'timezone=Asia/Kolkata',
]

interface Worker {
  port: number
  /** Kills the server with SIGKILL, like a power failure. */
  kill: () => Promise<void>
  start: () => Promise<void>
  /** Suspends its processes. Connections stay open. Returns a function that resumes them. */
  freeze: () => () => void
}

export interface Cluster {
  coordinator: Connection
  workers: Worker[]
  /** Registers the workers with the coordinator. */
  addWorkers: () => Promise<void>
  /** Creates an empty database on the same servers, and registers the workers. */
  addDatabase: (name: string) => Promise<Connection>
}

export async function startCluster(): Promise<Cluster> {
  const { port, primary: coordinator } = await startServer()
  const workers = [await startWorker(), await startWorker()]
  const addWorkers = (to = coordinator) =>
    withClient(to, async (client) => {
      await client.query("SELECT citus_set_coordinator_host('127.0.0.1', $1)", [port])
      for (const worker of workers)
        await client.query("SELECT citus_add_node('127.0.0.1', $1)", [worker.port])
    })
  const addDatabase = async (name: string) => {
    for (const server of [port, ...workers.map((worker) => worker.port)]) {
      await withClient(at(server, 'postgres'), (client) => client.query(`CREATE DATABASE ${name}`))
      await withClient(at(server, name), (client) => client.query('CREATE EXTENSION citus'))
    }
    await addWorkers(at(port, name))
    return at(port, name)
  }
  return { coordinator, workers, addWorkers: () => addWorkers(), addDatabase }
}

async function startServer() {
  const folder = programFolder()
  const started = await startPrimary(folder, SETTINGS)
  await withClient(started.primary, (client) => client.query('CREATE EXTENSION citus'))
  return { ...started, folder }
}

async function startWorker(): Promise<Worker> {
  const { port, folder, server: first } = await startServer()
  let server: RunningProgram = first
  return {
    port,
    kill: () => server.kill('SIGKILL'),
    start: async () => {
      server = await startPostgres(folder, join(folder, 'primary'), port, SETTINGS)
    },
    freeze: () => {
      const all = processesOf(join(folder, 'primary'))
      // Ignores processes that have just ended.
      const signal = (name: NodeJS.Signals) => spawnSync('kill', [`-${name}`, ...all])
      let isFrozen = true
      const thaw = () => {
        if (isFrozen) signal('SIGCONT')
        isFrozen = false
      }
      signal('SIGSTOP')
      // A suspended process would keep running after the test.
      atEnd(async () => thaw())
      return thaw
    },
  }
}

/** The server of the data folder and its processes. */
function processesOf(data: string): string[] {
  const [pid = ''] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
  const children = execFileSync('pgrep', ['-P', pid], { encoding: 'utf8' }).trim().split('\n')
  return [pid, ...children]
}

/** The port of the worker with the records of a company. */
export async function workerOf(coordinator: Connection, companyId: string): Promise<number> {
  const { rows } = await withClient(coordinator, (client) =>
    client.query<{ port: number }>(
      `SELECT n.nodeport AS port FROM pg_dist_placement p JOIN pg_dist_node n USING (groupid)
       WHERE p.shardid = get_shard_id_for_distribution_column('quotes', $1::text)`,
      [companyId],
    ),
  )
  return rows[0]?.port ?? 0
}
