/** Backups between the bundled PostgreSQL and Debian's, which has another version, and with pg_dump. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withClient } from '../src/db/connect.ts'
import { fillWithDemo } from '../src/world/demo/fill-with-demo.ts'
import { connectionUrl, onDatabase } from '../test/support/connections.ts'
import { createDatabase } from '../test/support/database.ts'
import { runCommand, temporaryFolder } from '../test/support/process.ts'
import { findProgram, programFolder, runProgram } from '../test/support/programs.ts'
import { startPrimary } from '../test/support/standby.ts'
import { exportText } from '../test/support/world.ts'

const source = await createDatabase()
await fillWithDemo(source.connection)
const world = await exportText(source.connection)
const { primary } = await startPrimary()
const APP_SECRET = 'a secret of thirty-two characters'
const AT_SYSTEM = { DATABASE_URL: connectionUrl(primary), APP_SECRET }

describe('a backup', () => {
  it('can be restored from the bundled PostgreSQL to Debian’s, and back', async () => {
    const folder = temporaryFolder()
    const [there, back] = [join(folder, 'there.gz'), join(folder, 'back.gz')]
    const atSource = { DATABASE_URL: connectionUrl(source.connection), APP_SECRET }
    for (const [args, settings] of [
      [['backup', there], atSource],
      [['restore', there], AT_SYSTEM],
      [['backup', back], AT_SYSTEM],
      [['restore', back], { DATA_DIR: join(folder, 'data') }],
    ] as const) {
      expect(await runCommand([...args], settings)).toMatchObject({ status: 0, stderr: '' })
    }
    expect(await exportText(primary)).toBe(world)
    const exported = await runCommand(['export'], { DATA_DIR: join(folder, 'data') })
    expect(exported.stdout).toBe(world)
  })

  it('can be created with pg_dump and restored with pg_restore, as in docs/backup.md', async () => {
    const folder = programFolder()
    const dump = join(folder, 'quoting.dump')
    const run = (name: string, args: string[]) => runProgram(findProgram(name, 'postgresql'), args, folder)
    await run('pg_dump', ['--format=custom', `--file=${dump}`, connectionUrl(primary)])
    await withClient(onDatabase(primary, 'postgres'), (client) => client.query('CREATE DATABASE copy'))
    const copy = onDatabase(primary, 'copy')
    await run('pg_restore', [
      '--exit-on-error',
      '--single-transaction',
      `--dbname=${connectionUrl(copy)}`,
      dump,
    ])
    expect(await exportText(copy)).toBe(world)
    const migrated = await runCommand(['migrate'], { ...AT_SYSTEM, DATABASE_URL: connectionUrl(copy) })
    expect(migrated).toEqual({ status: 0, stdout: 'The schema is up to date.\n', stderr: '' })
  })
})
