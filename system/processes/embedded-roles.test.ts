/** Rights of the service in its embedded database, and the upgrade of a data folder of the previous release. */
import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { withClient } from '../../src/db/connect.ts'
import type { Connection } from '../../src/db/connect.ts'
import { dataPathFor, findBinaries } from '../../src/db/embedded-binaries.ts'
import { runAsSuperuser, runScript } from '../../src/db/embedded-cluster.ts'
import type { Cluster } from '../../src/db/embedded-cluster.ts'
import { findUnprivilegedUser } from '../../src/db/embedded-user.ts'
import { upgradeCluster } from '../../src/db/embedded-upgrade.ts'
import { startEmbedded } from '../../src/db/embedded.ts'
import { runProgram } from '../../src/db/run-program.ts'
import { atEnd } from '../../test/support/at-end.ts'
import { serverPid } from '../../test/support/embedded.ts'
import { runCommand, temporaryFolder } from '../../test/support/process.ts'

async function queryAll(connection: Connection, sql: string): Promise<unknown[]> {
  const { rows } = await withClient(connection, (client) => client.query<object>(sql))
  return rows
}

const ATTRIBUTES = `
  SELECT rolname, rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls AS "mayMore"
  FROM pg_roles WHERE rolname = current_user`
const OWNERS = `
  SELECT DISTINCT owner::regrole::text FROM (
    SELECT relowner FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT proowner FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT typowner FROM pg_type WHERE typnamespace = 'public'::regnamespace
    UNION ALL SELECT nspowner FROM pg_namespace WHERE nspname = 'public'
    UNION ALL SELECT datdba FROM pg_database WHERE datname = current_database()) owners (owner)`

/** The service connects as an ordinary role that owns its objects. No connection uses the superuser. */
async function expectOrdinaryRole(dataDir: string): Promise<void> {
  const { connection, stop } = await startEmbedded(dataDir)
  try {
    expect(await queryAll(connection, ATTRIBUTES)).toEqual([{ rolname: 'quoting', mayMore: false }])
    expect(await queryAll(connection, OWNERS)).toEqual([{ owner: 'quoting' }])
    const superusers = 'SELECT rolname FROM pg_roles WHERE rolsuper'
    expect(await queryAll(connection, superusers)).toEqual([{ rolname: 'postgres' }])
    for (const password of [connection.password, '', 'postgres']) {
      const asSuperuser = queryAll({ ...connection, user: 'postgres', password }, 'SELECT 1')
      await expect(asSuperuser).rejects.toThrow(/password/)
    }
    const becoming = queryAll(connection, 'ALTER ROLE quoting SUPERUSER')
    await expect(becoming).rejects.toMatchObject({ code: '42501' })
    // Fast imports need this right.
    const may = `SELECT has_parameter_privilege('session_replication_role', 'SET') AS "maySkipChecks"`
    expect(await queryAll(connection, may)).toEqual([{ maySkipChecks: true }])
  } finally {
    await stop()
  }
}

describe('the role of the service', () => {
  it('owns its database and schema, and has no other rights', async () => {
    const DATA_DIR = join(temporaryFolder(), 'data')
    expect(await runCommand(['migrate'], { DATA_DIR })).toMatchObject({ status: 0 })
    await expectOrdinaryRole(DATA_DIR)
  })
})

const OLD_PASSWORD = 'the-password-of-the-previous-release'

/** A folder of the previous release: the service is the superuser, and its password is in the folder. */
async function createOldFolder(): Promise<Cluster> {
  const dataDir = temporaryFolder()
  chmodSync(dataDir, 0o755)
  const pgData = join(dataDir, 'postgres')
  const cluster = { dataDir, pgData, user: await findUnprivilegedUser() }
  mkdirSync(pgData, { mode: 0o700 })
  if (cluster.user !== undefined) chownSync(pgData, cluster.user.uid, cluster.user.gid)
  const path = dataPathFor(cluster.user, pgData)
  await runProgram(
    join(findBinaries(cluster.user), 'initdb'),
    [`--pgdata=${path}`, '--username=quoting', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'],
    { cwd: pgData, user: cluster.user },
  )
  await runScript(cluster, 'cat > pg_hba.conf', 'local all all scram-sha-256\n')
  await runScript(cluster, 'umask 077; cat > password', OLD_PASSWORD)
  await runAsSuperuser(cluster, 'postgres', `ALTER ROLE quoting PASSWORD '${OLD_PASSWORD}';`)
  await runAsSuperuser(cluster, 'postgres', 'CREATE DATABASE quoting;')
  const sql = `
    CREATE TABLE kept (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text);
    INSERT INTO kept (name) VALUES ('Pier 4');
    CREATE DOMAIN kept_id AS text;
    CREATE FUNCTION keep() RETURNS integer LANGUAGE sql AS 'SELECT 1';`
  await runAsSuperuser(cluster, 'quoting', sql)
  return cluster
}

/** Starts the server like a process of the previous release. */
async function startOldServer({ dataDir, pgData, user }: Cluster): Promise<Connection> {
  const settings = ['listen_addresses=', 'unix_socket_directories=.', 'port=5432']
  const child = spawn(
    join(findBinaries(user), 'postgres'),
    ['-D', dataPathFor(user, pgData), ...settings.flatMap((setting) => ['-c', setting])],
    { cwd: pgData, ...user, stdio: 'ignore', env: { LC_ALL: 'C' } },
  )
  atEnd(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGQUIT')
    await once(child, 'exit')
  })
  const connection = {
    host: pgData,
    port: 5432,
    user: 'quoting',
    password: OLD_PASSWORD,
    database: 'postgres',
  }
  const answers = () => queryAll(connection, 'SELECT 1').catch(() => null)
  while (serverPid(dataDir) === null || (await answers()) === null) await sleep(20)
  return connection
}

describe('a data folder of the previous release', () => {
  it('is upgraded by the first of concurrent processes', async () => {
    const { dataDir } = await createOldFolder()
    const commands = [1, 2].map(() => runCommand(['migrate'], { DATA_DIR: dataDir }))
    for (const command of commands) expect(await command).toMatchObject({ status: 0, stderr: '' })
    await expectOrdinaryRole(dataDir)
    const { connection, stop } = await startEmbedded(dataDir)
    expect(await queryAll(connection, 'SELECT * FROM kept')).toEqual([{ id: 1, name: 'Pier 4' }])
    await expect(queryAll({ ...connection, password: OLD_PASSWORD }, 'SELECT 1')).rejects.toThrow(/password/)
    await stop()
    expect(existsSync(join(dataDir, 'postgres', 'password'))).toBe(false)
    expect(readFileSync(join(dataDir, 'postgres-password'), 'utf8')).not.toBe(OLD_PASSWORD)
    expect(statSync(join(dataDir, 'postgres-password'))).toMatchObject({ uid: process.getuid?.() })
  })

  it('keeps its password if another process has just finished the upgrade', async () => {
    const cluster = await createOldFolder()
    expect((await runCommand(['migrate'], { DATA_DIR: cluster.dataDir })).status).toBe(0)
    const file = join(cluster.dataDir, 'postgres-password')
    const password = readFileSync(file, 'utf8')
    await upgradeCluster(cluster)
    expect(readFileSync(file, 'utf8')).toBe(password)
    expect(existsSync(`${file}-upgrade`)).toBe(false)
  })

  it('is upgraded if its server is still running', async () => {
    const cluster = await createOldFolder()
    await startOldServer(cluster)
    const { status, stderr } = await runCommand(['migrate'], { DATA_DIR: cluster.dataDir })
    expect([status, stderr]).toEqual([0, ''])
    await expectOrdinaryRole(cluster.dataDir)
  })

  it('is not upgraded while a process of that release uses it', async () => {
    const cluster = await createOldFolder()
    const connection = await startOldServer(cluster)
    await withClient(connection, async (client) => {
      await client.query('SELECT pg_advisory_lock_shared(7230519)')
      const { status, stderr } = await runCommand(['migrate'], { DATA_DIR: cluster.dataDir })
      expect([status, stderr]).toEqual([
        1,
        `quoting: ${cluster.dataDir} is in use by a process of the previous release: stop it, then start again\n`,
      ])
      expect(await queryAll(connection, ATTRIBUTES)).toEqual([{ rolname: 'quoting', mayMore: true }])
    })
  })
})
