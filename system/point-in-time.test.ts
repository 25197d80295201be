/** Recovery to a point in time with Debian's PostgreSQL and the commands of docs/backup.md. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { withClient } from '../src/db/connect.ts'
import type { Connection } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import { fillWithDemo } from '../src/world/demo/fill-with-demo.ts'
import { freePort } from '../test/support/command.ts'
import { connectionUrl } from '../test/support/connections.ts'
import { READY } from '../test/support/embedded.ts'
import { runCommand, startCommand } from '../test/support/process.ts'
import { findProgram, programFolder, runProgram } from '../test/support/programs.ts'
import { at, startPostgres, startPrimary } from '../test/support/standby.ts'

const APP_SECRET = 'a secret of thirty-two characters'
const HEADERS = { 'x-api-key': 'eqs_demo_harborlight', 'content-type': 'application/json' }

const folder = programFolder()
const [archive, base] = [join(folder, 'archive'), join(folder, 'base')]
const run = (name: string, ...args: string[]) => runProgram(findProgram(name, 'postgresql'), args, folder)
const shell = (script: string) => runProgram('/bin/sh', ['-c', script], folder)

const docs = readFileSync(new URL('../docs/backup.md', import.meta.url), 'utf8')
const [, archiveCommand = ''] = /^archive_command = '(.*)'$/m.exec(docs) ?? []
const [, recover = ''] = /^```sh\n(cp -a [^]*?)```$/m.exec(docs) ?? []
const NAMED = "recovery_target_name = 'before_the_change'"

/** The service as a process on this database. */
async function serve(connection: Connection) {
  const settings = { DATABASE_URL: connectionUrl(connection), APP_SECRET, PORT: '0', LOG_LEVEL: 'error' }
  const server = startCommand(['serve'], settings)
  const [, url = ''] = await server.waitFor(READY)
  const createTask = async (description: string) => {
    const response = await fetch(`${url}/api/task/create`, {
      method: 'POST',
      headers: HEADERS,
      body: JSON.stringify({ eventId: 'event_0246_1', description }),
    })
    expect(response.status).toBe(201)
    return ((await response.json()) as { task: { id: string } }).task.id
  }
  const statusOf = async (id: string) => (await fetch(`${url}/api/tasks/${id}`, { headers: HEADERS })).status
  const stop = async () => {
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  }
  return { settings, createTask, statusOf, stop }
}

async function readValue(connection: Connection, text: string): Promise<string> {
  const { rows } = await withClient(connection, (client) => client.query<{ value: string }>(text))
  return String(rows[0]?.value)
}

/** Writes before and after the point are acknowledged. Then the primary is lost, and only the archive remains. */
async function writeAroundPoint() {
  await shell(`mkdir -m 700 ${archive}`)
  const { primary, port, server } = await startPrimary(folder, [
    'archive_mode=on',
    `archive_command=${archiveCommand.replaceAll('/mnt/wal', archive)}`,
    'archive_timeout=60',
  ])
  await migrate(primary)
  await fillWithDemo(primary)
  await run(
    'pg_basebackup',
    `--pgdata=${base}`,
    `--dbname=postgres://quoting@127.0.0.1:${port}`,
    '--checkpoint=fast',
  )
  await run('pg_verifybackup', base)
  const service = await serve(primary)
  const before = await service.createTask('Before the mistake')
  const time = await readValue(primary, 'SELECT clock_timestamp()::text AS value')
  await readValue(primary, `SELECT pg_create_restore_point('before_the_change') AS value`)
  const after = await service.createTask('The mistake')
  await service.stop()
  const segment = await readValue(primary, 'SELECT pg_walfile_name(pg_switch_wal()) AS value')
  await vi.waitFor(() => expect(existsSync(join(archive, segment))).toBe(true), { timeout: 20_000 })
  // A segment gets its final size before it is complete, so its name does not prove that it was archived.
  const isArchived = `SELECT last_archived_wal >= '${segment}' AS value FROM pg_stat_archiver`
  await vi.waitFor(async () => expect(await readValue(primary, isArchived)).toBe('true'), { timeout: 20_000 })
  await server.kill('SIGKILL')
  return { before, after, time }
}

const { before, after, time } = await writeAroundPoint()

it.each([
  ['named restore point', NAMED],
  ['time', `recovery_target_time = '${time}'`],
])(
  'recovers to a %s between two acknowledged writes, and the service serves that state',
  async (name, target) => {
    const data = join(folder, name.replaceAll(' ', '-'))
    expect(recover).toContain(NAMED)
    const script = recover
      .replaceAll('/mnt/base/2026-11-15', base)
      .replaceAll('/var/lib/postgresql/15/recovered', data)
      .replaceAll('/mnt/wal', archive)
      .replace(NAMED, target)
    await shell(script)
    const port = await freePort()
    await startPostgres(folder, data, port, [])
    const recovered = at(port)
    const isPrimary = 'SELECT NOT pg_is_in_recovery() AS value'
    await vi.waitFor(async () => expect(await readValue(recovered, isPrimary)).toBe('true'), {
      timeout: 20_000,
    })

    const service = await serve(recovered)
    expect(await service.statusOf(before)).toBe(200)
    expect(await service.statusOf(after)).toBe(404)
    expect(await service.statusOf(await service.createTask('After the recovery'))).toBe(200)
    await service.stop()
    expect(await runCommand(['verify'], service.settings)).toMatchObject({ status: 0, stderr: '' })
  },
)
