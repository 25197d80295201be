/** A primary and its streaming standby: two real PostgreSQL servers that stop at the end of the test file. */
import { join } from 'node:path'
import { vi } from 'vitest'
import { withClient } from '../../src/db/connect.ts'
import type { Connection } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import { freePort } from './command.ts'
import { findProgram, programFolder, runProgram, startProgram } from './programs.ts'
import type { RunningProgram } from './programs.ts'

export interface Replication {
  primary: Connection
  standby: Connection
  /** Kills the server with SIGKILL, like a power failure. */
  killPrimary: () => Promise<void>
  killStandby: () => Promise<void>
  startStandby: () => Promise<void>
}

const DATABASE = 'quoting'
// Faster settings for temporary data, without durability.
const SETTINGS = ['fsync=off', 'max_connections=100', 'shared_buffers=16MB', 'unix_socket_directories=']
// Reads that conflict with replication are canceled immediately, like on a busy standby.
const STANDBY_SETTINGS = ['max_standby_streaming_delay=0', 'wal_retrieve_retry_interval=200ms']

export async function startReplication(): Promise<Replication> {
  const folder = programFolder()
  const standbyData = join(folder, 'standby')
  const standbyPort = await freePort()
  const program = (name: string) => findProgram(name, 'postgresql')
  const { port: primaryPort, server: primaryServer } = await startPrimary(folder)
  await migrate(at(primaryPort))
  await runProgram(
    program('pg_basebackup'),
    [
      `--pgdata=${standbyData}`,
      `--dbname=postgres://${DATABASE}@127.0.0.1:${primaryPort}`,
      '--write-recovery-conf',
      '--create-slot',
      '--slot=standby',
      '--checkpoint=fast',
      '--no-sync',
    ],
    folder,
  )
  let server: RunningProgram
  const startStandby = async () => {
    server = await startPostgres(folder, standbyData, standbyPort, STANDBY_SETTINGS)
  }
  await startStandby()
  return {
    primary: at(primaryPort),
    standby: at(standbyPort),
    killPrimary: () => primaryServer.kill('SIGKILL'),
    killStandby: () => server.kill('SIGKILL'),
    startStandby,
  }
}

/** Starts the installed PostgreSQL with an empty database. */
export async function startPrimary(
  folder = programFolder(),
  settings: string[] = [],
): Promise<{ port: number; primary: Connection; server: RunningProgram }> {
  const data = join(folder, 'primary')
  const port = await freePort()
  await runProgram(
    findProgram('initdb', 'postgresql'),
    [`--pgdata=${data}`, `--username=${DATABASE}`, '--auth=trust', '--no-sync', '--encoding=UTF8'],
    folder,
  )
  const server = await startPostgres(folder, data, port, settings)
  await withClient(at(port, 'postgres'), (client) => client.query(`CREATE DATABASE ${DATABASE}`))
  return { port, primary: at(port), server }
}

export function at(port: number, database = DATABASE): Connection {
  return { connectionString: `postgres://${DATABASE}@127.0.0.1:${port}/${database}` }
}

export async function startPostgres(
  folder: string,
  data: string,
  port: number,
  settings: string[],
): Promise<RunningProgram> {
  const all = [...SETTINGS, ...settings, 'listen_addresses=127.0.0.1', `port=${port}`]
  const args = ['-D', data, ...all.flatMap((setting) => ['-c', setting])]
  let server: RunningProgram | undefined
  const isUp = async () => {
    // After a kill, processes of the previous server can still run. Then the new one ends, and is started again.
    if (server === undefined || server.hasEnded())
      server = startProgram(findProgram('postgres', 'postgresql'), args, {
        cwd: folder,
        endSignal: 'SIGQUIT',
      })
    await withClient(at(port, 'postgres'), (client) => client.query('SELECT 1'))
    return server
  }
  return vi.waitFor(isUp, { timeout: 20_000, interval: 100 }).catch((error: unknown) => {
    throw new Error(`PostgreSQL does not start: ${server?.output()}`, { cause: error })
  })
}
