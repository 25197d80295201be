/** A real pgbouncer in transaction mode, with fewer connections to the database than clients. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { vi } from 'vitest'
import type { Connection } from '../../src/db/connect.ts'
import { connectionUrl } from './connections.ts'
import { startProxy } from './database-proxy.ts'
import { freePort } from './command.ts'
import { findProgram, programFolder, startProgram } from './programs.ts'

export interface Pgbouncer {
  /** The same database, through pgbouncer. */
  connection: Connection
  /** The rows of SHOW SERVERS: one for each connection to the database */
  showServers: () => Promise<unknown[]>
}

export const SERVER_CONNECTIONS = 3

/** `more` is added to the documented settings. */
export async function startPgbouncer(database: Connection, more = ''): Promise<Pgbouncer> {
  const program = findProgram('pgbouncer', 'pgbouncer')
  // Uses TCP, because pgbouncer's user has no access to the folder of the socket.
  const { host, port, user, password, name } = await reachByTcp(database)
  const folder = programFolder()
  const listenPort = await freePort()
  const settings = documentedSettings({
    quoting: `host=${host} port=${port} dbname=${name}`,
    listen_port: String(listenPort),
    auth_file: join(folder, 'userlist.txt'),
    default_pool_size: String(SERVER_CONNECTIONS),
  })
  writeFileSync(join(folder, 'userlist.txt'), `"${user}" "${password}"\n`)
  writeFileSync(join(folder, 'pgbouncer.ini'), `${settings}unix_socket_dir =\nadmin_users = ${user}\n${more}`)
  const bouncer = startProgram(program, [join(folder, 'pgbouncer.ini')], {
    cwd: folder,
    endSignal: 'SIGTERM',
  })
  const connectionString = `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${listenPort}`
  const showServers = async () => {
    // pgbouncer's console supports only simple queries.
    const client = new Client({ connectionString: `${connectionString}/pgbouncer` })
    await client.connect()
    const { rows } = await client.query<object>('SHOW SERVERS')
    await client.end()
    return rows
  }
  await vi.waitFor(showServers, { timeout: 10_000, interval: 50 }).catch((error: unknown) => {
    throw new Error(`pgbouncer does not start: ${bouncer.output()}`, { cause: error })
  })
  return {
    connection: { connectionString: `${connectionString}/quoting`, pooler: 'transaction' },
    showServers,
  }
}

async function reachByTcp(database: Connection) {
  const { connection } = await startProxy(database)
  const url = new URL(connectionUrl(connection).replace('@/', '@localhost/'))
  return {
    host: url.searchParams.get('host') ?? url.hostname,
    port: url.searchParams.get('port') ?? url.port,
    user: decodeURIComponent(url.username),
    // With trust authentication, the database needs no password, but pgbouncer does.
    password: decodeURIComponent(url.password) || 'unused',
    name: url.pathname.slice(1),
  }
}

/** The configuration that docs/scaling.md shows, with other values for some settings. */
function documentedSettings(values: Record<string, string>): string {
  const document = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8')
  const [, documented = ''] = /```ini\n([^`]+)```/.exec(document) ?? []
  return documented.replaceAll(/^(\w+) = .*$/gm, (line, name: string) =>
    values[name] === undefined ? line : `${name} = ${values[name]}`,
  )
}
