/**
 * One PostgreSQL server for the whole run: the bundled one in a temporary folder, or the one of TEST_DATABASE_URL. The
 * template database is migrated once, and each test file clones it (test/support/database.ts).
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { withClient } from '../../src/db/connect.ts'
import type { Connection } from '../../src/db/connect.ts'
import { SERVICE_ROLE, runAsSuperuser } from '../../src/db/embedded-cluster.ts'
import { prepareCluster } from '../../src/db/embedded-create.ts'
import { startEmbedded } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { demoTemplateOf, onDatabase } from './connections.ts'
import { isRunning } from './embedded.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** With the role of the service, which can also create databases in tests */
    server: Connection
    /** For tests that change catalogs or roles. */
    superuser: Connection
    template: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server, superuser, stop } = await startServer()
  const template = `quoting_template_${randomBytes(6).toString('hex')}`
  await withClient(server, (client) => client.query(`CREATE DATABASE ${template}`))
  await migrate(onDatabase(server, template))
  project.provide('server', server)
  project.provide('superuser', superuser)
  project.provide('template', template)
  return async () => {
    await withClient(superuser, async (client) => {
      await client.query(`DROP DATABASE ${template} WITH (FORCE)`)
      const demo = demoTemplateOf(template)
      for (const name of [demo, `${demo}_unfinished`])
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    })
    await stop()
  }
}

/** Faster settings for temporary data: without durability, and without vacuuming of clones that exist for seconds. */
const SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
  'jit=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=256MB',
  'max_connections=200',
]
/** A folder in memory on Linux, where a clone takes a third of the time. A run needs about 400 MB. */
const IN_MEMORY = '/dev/shm'
const NEEDED_BYTES = 2 ** 30

function findFolder(): string {
  if (!existsSync(IN_MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(IN_MEMORY)
  return bavail * bsize > NEEDED_BYTES ? IN_MEMORY : tmpdir()
}

const PREFIX = 'quoting-cluster-'

/** Removes the folders of killed runs. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent).filter((one) => one.startsWith(PREFIX))) {
    const pid = Number(name.slice(PREFIX.length).split('-')[0])
    if (!isRunning(pid)) rmSync(join(parent, name), { recursive: true, force: true })
  }
}

interface Server {
  server: Connection
  superuser: Connection
  stop: () => Promise<void>
}

async function startServer(): Promise<Server> {
  const url = process.env['TEST_DATABASE_URL']
  if (url !== undefined && url !== '') {
    const server = { connectionString: url }
    return { server, superuser: server, stop: async () => undefined }
  }
  const parent = findFolder()
  removeLeftovers(parent)
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`))
  const cluster = await prepareCluster(folder)
  const password = randomBytes(24).toString('base64url')
  await runAsSuperuser(
    cluster,
    'postgres',
    `ALTER ROLE ${SERVICE_ROLE} CREATEDB; CREATE ROLE tester SUPERUSER LOGIN PASSWORD '${password}';`,
  )
  const embedded = await startEmbedded(folder, { settings: SETTINGS })
  const stop = async () => {
    await embedded.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  // An interrupted run skips the teardown, so this handler shuts down the server immediately.
  process.once('exit', () => {
    const pidFile = join(folder, 'postgres', 'postmaster.pid')
    if (existsSync(pidFile)) process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGQUIT')
    rmSync(folder, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
  const server = embedded.connection
  return { server, superuser: { ...server, user: 'tester', password }, stop }
}
