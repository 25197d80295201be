/** Debian's PostgreSQL, which can be killed, frozen and restarted. */
import { chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { withClient } from '../src/db/connect.ts'
import type { Connection } from '../src/db/connect.ts'
import { findUnprivilegedUser } from '../src/db/embedded-user.ts'
import { atEnd } from './at-end.ts'
import type { Program } from './item.ts'
import { freePort } from '../test/support/command.ts'
import { signalIfRunning, treeOf } from './process-tree.ts'
import { findProgram, runProgram, startProgram, waitUntil } from './programs.ts'
import type { Running } from './programs.ts'

const INITDB: Program = { name: 'initdb', debianPackage: 'postgresql' }
const POSTGRES: Program = { name: 'postgres', debianPackage: 'postgresql' }
export const POSTGRES_PROGRAMS: readonly Program[] = [INITDB, POSTGRES]

const DATABASE = 'quoting'

/** Each commit takes 3 ms longer, as on a slow disk, so that kills often hit one. */
export const SLOW_COMMITS = ['commit_delay=3000', 'commit_siblings=0']

export interface Postgres {
  url: string
  connection: Connection
  /** Resolves with the `performance.now()` of its first response. */
  start: () => Promise<number>
  /** Sends SIGKILL to its postmaster. */
  kill: () => Promise<void>
  /** Sends SIGSTOP to all of its processes: connections remain without responses. */
  freeze: () => void
  thaw: () => void
}

/** Starts a server with an empty database. */
export async function startPostgres(folder: string, settings: string[] = []): Promise<Postgres> {
  // PostgreSQL does not run as root.
  const user = await findUnprivilegedUser()
  const data = join(folder, 'postgres')
  mkdirSync(data, { mode: 0o700 })
  if (user !== undefined) chownSync(data, user.uid, user.gid)
  const options = { cwd: data, logFile: join(folder, 'postgres.log'), user }
  const initdb = [
    `--pgdata=${data}`,
    `--username=${DATABASE}`,
    '--auth=trust',
    '--no-sync',
    '--encoding=UTF8',
  ]
  await runProgram(findProgram(INITDB), initdb, options)
  const port = await freePort()
  const own = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', ...settings]
  const args = ['-D', data, ...own.flatMap((setting) => ['-c', setting])]
  let server: Running | undefined

  const isUp = async () => {
    // After a kill, processes of the previous server can still hold its memory. Then the new one ends, and is started again.
    if (server === undefined || server.hasEnded()) server = startProgram(findProgram(POSTGRES), args, options)
    return answers(at(port, 'postgres'))
  }
  const start = () => waitUntil('PostgreSQL starts', isUp, { everyMs: 5 })
  const signalAll = (signal: NodeJS.Signals) => {
    if (server === undefined || server.hasEnded()) return
    // The postmaster first, so that it starts no other process.
    for (const pid of treeOf(server.pid)) signalIfRunning(pid, signal)
  }
  const kill = async () => {
    server?.kill('SIGKILL')
    await server?.ended
  }
  await start()
  await withClient(at(port, 'postgres'), (client) => client.query(`CREATE DATABASE ${DATABASE}`))
  atEnd(async () => {
    if (server === undefined || server.hasEnded()) return
    signalAll('SIGCONT')
    server.kill('SIGQUIT')
    await server.ended
  })
  const connection = at(port, DATABASE)
  return {
    url: connection.connectionString,
    connection,
    start,
    kill,
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
  }
}

function at(port: number, database: string): { connectionString: string } {
  return { connectionString: `postgres://${DATABASE}@127.0.0.1:${port}/${database}` }
}

function answers(connection: Connection): Promise<boolean> {
  return withClient(connection, (client) => client.query('SELECT 1')).then(
    () => true,
    () => false,
  )
}
