/**
 * The bundled PostgreSQL server of one data folder. Any number of our processes share it: the first starts it, the
 * others attach, the last one stops it. Each holds a shared advisory lock for as long as it lives (also ended by
 * kill -9); whoever can change its own into an exclusive one was the last.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readdirSync } from 'node:fs'
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Connection } from './connect.ts'
import {
  bundledMajorVersion,
  dataPathFor,
  findBinaries,
  ownBy,
  runProgram,
  serverEnvironment,
  serverUser,
} from './embedded-binaries.ts'

export interface EmbeddedServer {
  connection: Connection
  /** Lets go of the server, and stops it when no other process of ours uses it. */
  stop: () => Promise<void>
}

export interface EmbeddedOptions {
  /** Told when the server was lost and is started anew. */
  onProblem?: (message: string) => void
  /** Server settings beside our own, such as `fsync=off` for tests. */
  settings?: string[]
}

const USER = 'quoting'
const DATABASE = 'quoting'
const PORT = 5432
/**
 * For a big import: its log does not force checkpoint upon checkpoint, after each of which every page is logged whole
 * again. Nothing here weakens what a commit promises, and nothing takes memory while it is not used.
 */
const TUNING = ['max_wal_size=4GB', 'checkpoint_timeout=15min', 'wal_buffers=16MB']
const PRESENCE_LOCK = 7_230_519
const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 15_000
/** What a Unix socket address holds on Linux (108) and macOS (104), with its closing NUL. */
const SOCKET_PATH_MAX = 103
/** Answers that mean "not now": starting up or shutting down, crash under way, stopped by an administrator. */
const PASSING_CODES = new Set(['57P01', '57P02', '57P03', 'ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE'])

export async function startEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<EmbeddedServer> {
  const pgData = join(dataDir, 'postgres')
  mkdirSync(dataDir, { recursive: true })
  if (!existsSync(join(pgData, 'PG_VERSION'))) await initialize(dataDir, pgData)
  const maintenance = describeConnection(pgData)
  let stopping = false
  let presence: Promise<Client>

  const attend = async (): Promise<Client> => {
    const client = await startOrAttach(dataDir, pgData, maintenance, options.settings ?? [])
    client.once('end', () => {
      if (stopping) return
      options.onProblem?.('the embedded database server went away; starting it again')
      presence = attend()
      presence.catch((error: Error) => options.onProblem?.(error.message))
    })
    return client
  }

  presence = attend()
  await createDatabase(await presence)
  return {
    connection: { ...maintenance, database: DATABASE },
    stop: async () => {
      stopping = true
      const client = await presence.catch(() => null)
      if (client !== null) await leave(client, pgData)
    },
  }
}

/** Makes the data folder under another name first: a start that is killed in the middle leaves nothing half made. */
async function initialize(dataDir: string, pgData: string): Promise<void> {
  removeLeftDrafts(dataDir)
  const user = serverUser(pgData)
  const draft = join(dataDir, `postgres-draft-${process.pid}-${randomBytes(4).toString('hex')}`)
  const data = join(draft, 'data')
  const password = randomBytes(24).toString('base64url')
  for (const folder of [draft, data]) {
    mkdirSync(folder, { mode: 0o700 })
    ownBy(user, folder)
  }
  writeFileSync(join(draft, 'password'), password, { mode: 0o600 })
  ownBy(user, join(draft, 'password'))
  const dataPath = dataPathFor(user, data)
  await runProgram(
    join(findBinaries(user), 'initdb'),
    [
      `--pgdata=${dataPath}`,
      `--pwfile=${dataPath === data ? join(draft, 'password') : `${dataPath}/../password`}`,
      `--username=${USER}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
    ],
    { cwd: data, user },
  )
  renameSync(join(draft, 'password'), join(data, 'password'))
  try {
    renameSync(data, pgData)
  } catch (error) {
    // Another process that started at the same time was faster: its folder is as good.
    if (!existsSync(join(pgData, 'PG_VERSION'))) throw error
  }
  rmSync(draft, { recursive: true, force: true })
}

function removeLeftDrafts(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const pid = /^postgres-draft-(\d+)-/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(dataDir, name), { recursive: true, force: true })
  }
}

/** How to reach the server's maintenance database; says so in words when this user cannot. */
function describeConnection(pgData: string): Connection & { host: string } {
  const made = readFileSync(join(pgData, 'PG_VERSION'), 'utf8').trim()
  if (made !== bundledMajorVersion()) {
    throw new Error(
      `${pgData} was made by PostgreSQL ${made}, but version ${bundledMajorVersion()} is bundled: back it up with the release that made it, then restore into an empty DATA_DIR`,
    )
  }
  const password = readFileSync(join(pgData, 'password'), 'utf8')
  return { host: socketFolder(pgData), port: PORT, user: USER, password, database: 'postgres' }
}

/** The data folder, by a short name where its own is too long for a socket address. */
function socketFolder(pgData: string): string {
  if (Buffer.byteLength(`${pgData}/.s.PGSQL.${PORT}`) <= SOCKET_PATH_MAX) return pgData
  if (!existsSync('/proc/self/fd'))
    throw new Error(`DATA_DIR is too long a path for a Unix socket: ${pgData}`)
  return `/proc/self/fd/${openSync(pgData, 'r')}`
}

/** A connection that says "this process uses the server", to a server that runs. */
async function startOrAttach(
  dataDir: string,
  pgData: string,
  connection: Connection,
  settings: string[],
): Promise<Client> {
  const deadline = Date.now() + START_TIMEOUT_MS
  let server: { running: boolean } | undefined
  for (;;) {
    try {
      return await attach(connection)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (!PASSING_CODES.has(code ?? '') || Date.now() > deadline) {
        throw new Error(`the embedded database server cannot be used: ${message}; see ${logFile(dataDir)}`, {
          cause: error,
        })
      }
      const notRunning = code === 'ENOENT' || code === 'ECONNREFUSED'
      if (notRunning && server?.running !== true) server = launch(dataDir, pgData, settings)
      await sleep(20)
    }
  }
}

async function attach(connection: Connection): Promise<Client> {
  const client = new Client({
    ...connection,
    application_name: 'quoting presence',
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    // Waits while the last user is stopping the server, and then fails with it.
    await client.query('SELECT pg_advisory_lock_shared($1)', [PRESENCE_LOCK])
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

/** Starts the server in a session of its own: Ctrl-C is for us, and we stop it when the last request is answered. */
function launch(dataDir: string, pgData: string, settings: string[]): { running: boolean } {
  const user = serverUser(pgData)
  removeStalePidFile(pgData)
  const log = openSync(logFile(dataDir), logFlag(dataDir), 0o600)
  const own = [
    'listen_addresses=',
    'unix_socket_directories=.',
    'unix_socket_permissions=0700',
    `port=${PORT}`,
    ...TUNING,
  ]
  const child = spawn(
    join(findBinaries(user), 'postgres'),
    ['-D', dataPathFor(user, pgData), ...[...own, ...settings].flatMap((setting) => ['-c', setting])],
    { cwd: pgData, ...user, detached: true, stdio: ['ignore', log, log], env: serverEnvironment() },
  )
  closeSync(log)
  const server = { running: true }
  child.once('exit', () => (server.running = false))
  child.once('error', () => (server.running = false))
  child.unref()
  return server
}

function logFile(dataDir: string): string {
  return join(dataDir, 'postgres.log')
}

/** Starts the log anew when it has grown beyond 10 MB. */
function logFlag(dataDir: string): 'a' | 'w' {
  const stat = statSync(logFile(dataDir), { throwIfNoEntry: false })
  return stat !== undefined && stat.size > 10_000_000 ? 'w' : 'a'
}

/** PostgreSQL trusts a process id in its pid file too readily: after a crash another program may have been given it. */
function removeStalePidFile(pgData: string): void {
  const pid = readServerPid(pgData)
  if (pid === null || !existsSync(`/proc/${pid}/comm`)) return
  if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'postgres') rmSync(join(pgData, 'postmaster.pid'))
}

async function createDatabase(client: Client): Promise<void> {
  const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE])
  if (found.rowCount !== 0) return
  await client.query(`CREATE DATABASE ${DATABASE}`).catch((error: { code?: string }) => {
    // Two processes started at once: the other one made it.
    if (error.code !== '42P04' && error.code !== '23505') throw error
  })
}

async function leave(client: Client, pgData: string): Promise<void> {
  try {
    await client.query('SELECT pg_advisory_unlock_shared($1)', [PRESENCE_LOCK])
    const last = await client.query<{ last: boolean }>('SELECT pg_try_advisory_lock($1) AS last', [
      PRESENCE_LOCK,
    ])
    const pid = readServerPid(pgData)
    if (last.rows[0]?.last === true && pid !== null) await stopServer(pid, pgData)
  } catch {
    // The server is gone already.
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** SIGINT asks for a fast, clean shutdown; a server that hangs is stopped hard (it recovers from its log at the start). */
async function stopServer(pid: number, pgData: string): Promise<void> {
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + STOP_TIMEOUT_MS
  while (readServerPid(pgData) === pid && isAlive(pid)) {
    if (Date.now() > deadline) {
      process.kill(pid, 'SIGQUIT')
      return
    }
    await sleep(10)
  }
}

function readServerPid(pgData: string): number | null {
  try {
    return Number.parseInt(readFileSync(join(pgData, 'postmaster.pid'), 'utf8'), 10) || null
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
