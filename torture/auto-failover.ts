/** Two PostgreSQL servers with synchronous replication, and Debian's pg_auto_failover, which promotes the standby if the primary is lost. */
import { appendFileSync, chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { withClient } from '../src/db/connect.ts'
import { findUnprivilegedUser } from '../src/db/embedded-user.ts'
import { freePort } from '../test/support/command.ts'
import { atEnd } from './at-end.ts'
import type { Program } from './item.ts'
import { signalIfRunning, treeOf } from './process-tree.ts'
import { findProgram, runProgram, startProgram, waitUntil } from './programs.ts'
import type { Running } from './programs.ts'

const AUTOCTL: Program = { name: 'pg_autoctl', debianPackage: 'pg-auto-failover-cli' }
const POSTGRES: Program = { name: 'postgres', debianPackage: 'postgresql-15-auto-failover' }
export const FAILOVER_PROGRAMS: readonly Program[] = [AUTOCTL, POSTGRES]

const DATABASE = 'quoting'

/** The defaults wait at least 20 seconds before a failover. */
const MONITOR_SETTINGS = `
pgautofailover.health_check_period = 500
pgautofailover.health_check_timeout = 1000
pgautofailover.health_check_max_retries = 1
pgautofailover.health_check_retry_delay = 200
pgautofailover.node_considered_unhealthy_timeout = 3000
pgautofailover.primary_demote_timeout = 3000
pgautofailover.startup_grace_period = 1000
`

interface FailoverNode {
  url: string
  /** Kills all of its processes, like a power failure. */
  kill: () => Promise<void>
  start: () => void
  isPrimary: () => Promise<boolean>
}

export interface FailoverCluster {
  nodes: readonly [FailoverNode, FailoverNode]
  /** Waits for a primary and a synchronous standby, and returns both. */
  settle: () => Promise<[primary: FailoverNode, standby: FailoverNode]>
}

export async function startFailoverCluster(folder: string): Promise<FailoverCluster> {
  const autoctl = await prepareAutoctl(folder)
  const monitorPort = await freePort()
  await autoctl.create('monitor', ['monitor'], monitorPort)
  appendFileSync(join(autoctl.home, 'monitor/postgresql.conf'), MONITOR_SETTINGS)
  const monitorUrl = `postgres://autoctl_node@127.0.0.1:${monitorPort}/pg_auto_failover`
  autoctl.run('monitor')
  await waitUntil('the monitor starts', () => answers(monitorUrl, 'SELECT 1'), { everyMs: 100 })

  const addNode = async (name: string): Promise<FailoverNode> => {
    const port = await freePort()
    const args = [`--name=${name}`, `--dbname=${DATABASE}`, `--username=${DATABASE}`]
    await autoctl.create(name, ['postgres', ...args, `--monitor=${monitorUrl}`], port)
    let running = autoctl.run(name)
    const url = `postgres://${DATABASE}@127.0.0.1:${port}/${DATABASE}`
    return {
      url,
      kill: () => killTree(running),
      start: () => {
        running = autoctl.run(name)
      },
      isPrimary: () => answers(url, 'SELECT 1 WHERE NOT pg_is_in_recovery()'),
    }
  }
  const first = await addNode('first')
  await waitUntil('the first server accepts writes', first.isPrimary, { everyMs: 100 })
  const nodes = [first, await addNode('second')] as const
  const isSettled = () => answers(monitorUrl, SETTLED)
  return {
    nodes,
    settle: async () => {
      await waitUntil('there are a primary and a standby', isSettled, { timeoutMs: 120_000, everyMs: 100 })
      const [a, b] = nodes
      return (await a.isPrimary()) ? [a, b] : [b, a]
    },
  }
}

interface Autoctl {
  home: string
  create: (name: string, args: string[], port: number) => Promise<void>
  /** Ends with the item. */
  run: (name: string) => Running
}

/** pg_autoctl as a user without privileges, with everything in one folder. */
async function prepareAutoctl(folder: string): Promise<Autoctl> {
  const user = await findUnprivilegedUser()
  const home = join(folder, 'failover')
  // Without the second folder, pg_autoctl writes to a folder in /tmp, which can belong to another user.
  for (const created of [home, join(home, 'run')]) {
    mkdirSync(created, { mode: 0o700 })
    if (user !== undefined) chownSync(created, user.uid, user.gid)
  }
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_RUNTIME_DIR: join(home, 'run'),
    // Sockets, because Debian's folder for them belongs to another user.
    PG_REGRESS_SOCK_DIR: home,
    PGHOST: home,
    LC_ALL: 'C.UTF-8',
  }
  const program = findProgram(AUTOCTL)
  const common = [
    `--pgctl=${join(findProgram(POSTGRES), '../pg_ctl')}`,
    '--hostname=127.0.0.1',
    '--auth=trust',
    '--no-ssl',
  ]
  const options = (name: string) => ({ cwd: home, logFile: join(folder, `${name}.log`), user, env })
  return {
    home,
    create: (name, args, port) => {
      const where = [`--pgdata=${join(home, name)}`, `--pgport=${port}`]
      return runProgram(program, ['create', ...args, ...where, ...common], options(name))
    },
    run: (name) => {
      const running = startProgram(program, ['run', `--pgdata=${join(home, name)}`], options(name))
      atEnd(async () => {
        if (!running.hasEnded()) await killTree(running)
      })
      return running
    },
  }
}

/** The primary waits for the standby at every commit. */
const SETTLED = `SELECT 1 FROM pgautofailover.node GROUP BY formationid
  HAVING array_agg(reportedstate::text ORDER BY reportedstate::text) = '{primary,secondary}'
    AND bool_and(reportedstate = goalstate)`

/** Whether the query has a row. */
async function answers(url: string, query: string): Promise<boolean> {
  try {
    const { rows } = await withClient({ connectionString: url }, (client) => client.query(query))
    return rows.length > 0
  } catch {
    return false
  }
}

async function killTree(running: Running): Promise<void> {
  for (const pid of treeOf(running.pid)) signalIfRunning(pid, 'SIGKILL')
  await running.ended
}
