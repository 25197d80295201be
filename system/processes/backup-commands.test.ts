import { execFileSync } from 'node:child_process'
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { draftMadeSecret } from '../../src/server/app-secret.ts'
import { restore } from '../../src/cli/restore.ts'
import { writeBackup } from '../../src/backup/backup.ts'
import { restoreBackup } from '../../src/backup/restore.ts'
import { readConfig } from '../../src/server/config.ts'
import { fillWithDemo } from '../../src/world/demo/fill-with-demo.ts'
import { connectionUrl } from '../../test/support/connections.ts'
import { createDatabase } from '../../test/support/database.ts'
import { startProxy } from '../../test/support/database-proxy.ts'
import { freePort } from '../../test/support/command.ts'
import { runCommand, startCommand, temporaryFolder } from '../../test/support/process.ts'
import { createBareDatabase } from '../../test/support/schema.ts'
import { exportText } from '../../test/support/world.ts'

const KEY = 'eqs_demo_harborlight'
const PROGRAM = fileURLToPath(new URL('../../bin/quoting.js', import.meta.url))
const APP_SECRET = 'a secret that the operator has set'

const source = await createDatabase()
await fillWithDemo(source.connection)
const AT_SOURCE = { DATABASE_URL: connectionUrl(source.connection), APP_SECRET }
const world = await exportText(source.connection)

describe('quoting backup, quoting restore', () => {
  it('copy PostgreSQL to the embedded database and back while servers run, with the same export and valid keys', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'backup.gz')
    const backup = await runCommand(['backup', file], AT_SOURCE)
    expect(backup.stderr).toBe('')
    expect(backup.stdout).toMatch(/^Backed up \d+ rows of \d+ tables\.\n$/)
    expect(statSync(file).mode & 0o777).toBe(0o600)

    const DATA_DIR = join(folder, 'data')
    const server = startCommand(['serve'], { DATA_DIR, PORT: '0', LOG_LEVEL: 'error' })
    const [, url] = await server.waitFor(/API at (\S+)\/api/)
    expect(await runCommand(['restore', file], { DATA_DIR })).toEqual({
      status: 0,
      stdout: backup.stdout.replace('Backed up', 'Restored'),
      stderr: '',
    })
    expect((await runCommand(['export'], { DATA_DIR })).stdout).toBe(world)
    const headers = { 'x-api-key': KEY }
    expect((await fetch(`${url}/api/quotes?limit=1`, { headers })).status).toBe(200)

    const second = join(folder, 'second.gz')
    expect(await runCommand(['backup', second], { DATA_DIR })).toMatchObject({ status: 0, stderr: '' })
    const target = await createBareDatabase()
    const atTarget = { DATABASE_URL: connectionUrl(target.connection), APP_SECRET }
    const restored = await runCommand(['restore', second], atTarget)
    expect(restored).toMatchObject({ status: 0, stderr: '' })
    expect(restored.stdout).toMatch(
      /^Restored [^\n]+\nInvoice links that were sent before need the previous APP_SECRET/,
    )
    expect(await exportText(target.connection)).toBe(world)
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    expect(readdirSync(folder).toSorted()).toEqual(['backup.gz', 'data', 'second.gz'])
  })

  it('copy the secret between data folders, so that links in sent invoices open', async () => {
    const [from, to] = [temporaryFolder(), temporaryFolder()]
    const readLinks = async (DATA_DIR: string, args: string[]) => {
      const PORT = String(await freePort())
      const server = startCommand(args, { DATA_DIR, PORT, LOG_LEVEL: 'error', PUBLIC_URL: 'http://links' })
      await server.waitFor(/API at/)
      const url = `http://127.0.0.1:${PORT}/api/quotes/quote_0246?expand[]=booking.invoices`
      const text = await (await fetch(url, { headers: { 'x-api-key': KEY } })).text()
      server.kill('SIGTERM')
      await server.ended
      return text.match(/http:\/\/links\/i\/[\w-]+/g)
    }
    const before = await readLinks(from, ['serve', '--demo'])
    expect(before).not.toBeNull()
    const file = join(from, 'backup.gz')
    await runCommand(['backup', file], { DATA_DIR: from })
    const restored = await runCommand(['restore', file], { DATA_DIR: to })
    expect(restored.stdout).toMatch(/the secret of invoice links was restored, too/)
    expect(statSync(join(to, 'app-secret')).mode & 0o777).toBe(0o600)
    expect(await readLinks(to, ['serve'])).toEqual(before)
  })

  it('replace the secret only after the rows are committed', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'backup.gz')
    const [dataDir, secret] = [join(folder, 'data'), join(folder, 'data', 'app-secret')]
    const config = readConfig({ DATA_DIR: dataDir })
    const output = createWriteStream(file)
    await writeBackup(source.connection, output, 's'.repeat(43))
    mkdirSync(dataDir)
    writeFileSync(secret, 'b'.repeat(43))
    const target = await createBareDatabase()
    const proxy = await startProxy(target.connection)
    const failing = restoreBackup(proxy.connection, createReadStream(file), {
      beforeCommit: ({ appSecret = '' }) => {
        const drafted = draftMadeSecret(config, appSecret)
        // The database is lost before the commit.
        void proxy.refuse()
        return drafted
      },
    })
    await expect(failing).rejects.toThrow(/terminated|closed|ECONN/)
    expect(readFileSync(secret, 'utf8')).toBe('b'.repeat(43))
    expect(readdirSync(dataDir)).toEqual(['app-secret'])

    await restore(target.connection, config, file)
    expect(readFileSync(secret, 'utf8')).toBe('s'.repeat(43))
    expect(readdirSync(dataDir)).toEqual(['app-secret'])
  })

  it.each(['', 'short'])('reject the invalid secret %j in its file and in a backup', async (secret) => {
    const DATA_DIR = temporaryFolder()
    writeFileSync(join(DATA_DIR, 'app-secret'), secret)
    const rejected = await runCommand(['serve'], { DATA_DIR, PORT: '0', LOG_LEVEL: 'error' })
    expect([rejected.status, rejected.stdout]).toEqual([1, ''])
    expect(rejected.stderr).toMatch(/^quoting: \S+\/app-secret holds no whole secret: [^\n]+\n$/)
    expect(readdirSync(DATA_DIR)).toEqual(['app-secret'])

    const file = join(temporaryFolder(), 'backup.gz')
    await writeBackup(source.connection, createWriteStream(file), secret)
    const [config, target] = [readConfig({ DATA_DIR }), await createBareDatabase()]
    await expect(restore(target.connection, config, file)).rejects.toThrow(
      /secret in the backup is too short/,
    )
    expect(readFileSync(join(DATA_DIR, 'app-secret'), 'utf8')).toBe(secret)
    expect((await target.pool.query(`SELECT FROM pg_class WHERE relname = 'companies'`)).rowCount).toBe(0)
  })

  it('use standard output and input for -', async () => {
    const target = await createBareDatabase()
    const line = `"$NODE" "$PROGRAM" backup - | DATABASE_URL="$TARGET" "$NODE" "$PROGRAM" restore -`
    const env = { ...AT_SOURCE, NODE: process.execPath, PROGRAM, TARGET: connectionUrl(target.connection) }
    const output = execFileSync('sh', ['-c', line], { env, encoding: 'utf8' })
    expect(output).toMatch(/^Restored \d+ rows of \d+ tables\.\n$/)
    expect(await exportText(target.connection)).toBe(world)
  })

  it('leave the previous backup unchanged and no draft if a backup fails', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'backup.gz')
    writeFileSync(file, 'the one before')
    const bare = await createBareDatabase()
    const settings = { DATABASE_URL: connectionUrl(bare.connection) }
    const failed = await runCommand(['backup', file], settings)
    expect([failed.status, failed.stdout]).toEqual([1, ''])
    expect(failed.stderr).toMatch(/^quoting: there is nothing to back up[^\n]*\n$/)

    // The second one is stopped while it waits for a table.
    const holder = await source.pool.connect()
    await holder.query('BEGIN; LOCK TABLE tasks')
    const stopped = startCommand(['backup', file], AT_SOURCE)
    while (readdirSync(folder).length === 1) await sleep(10)
    stopped.kill('SIGTERM')
    expect(await stopped.ended).toBe(128 + 15)
    await holder.query('ROLLBACK')
    holder.release()
    expect(readdirSync(folder)).toEqual(['backup.gz'])
    expect(readFileSync(file, 'utf8')).toBe('the one before')
  })

  it('leave an empty database if a restore is killed, and the next restore succeeds', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'backup.gz')
    await runCommand(['backup', file], AT_SOURCE)
    const target = await createBareDatabase()
    const atTarget = { DATABASE_URL: connectionUrl(target.connection), APP_SECRET }
    // The command gets half of the file and waits for the rest.
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const killed = startCommand(['restore', pipe], atTarget)
    const content = readFileSync(file)
    const feed = await open(pipe, 'w')
    await feed.write(content.subarray(0, content.length / 2))
    const copying = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY "quote%'`
    while ((await target.pool.query(copying)).rowCount === 0) await sleep(10)
    killed.kill('SIGKILL')
    expect(await killed.ended).toBe('SIGKILL')
    await feed.close()
    const relations = `SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace`
    expect((await target.pool.query(relations)).rowCount).toBe(0)

    expect(await runCommand(['restore', file], atTarget)).toMatchObject({ status: 0, stderr: '' })
    expect(await exportText(target.connection)).toBe(world)
  })

  it('reject a file that is not a backup before a database is created', async () => {
    const folder = temporaryFolder()
    const DATA_DIR = join(folder, 'data')
    const wrong = join(folder, 'wrong.gz')
    writeFileSync(wrong, gzipSync('something else\n'))
    for (const [file, message] of [
      [join(folder, 'mistyped.gz'), /no such file/],
      [folder, /is a folder/],
      [wrong, /is not a backup/],
    ] as const) {
      const { status, stderr } = await runCommand(['restore', file], { DATA_DIR })
      expect(status).toBe(1)
      expect(stderr).toMatch(message)
      expect(readdirSync(folder)).toEqual(['wrong.gz'])
    }
  })

  it.each([
    [['backup'], /missing required argument/],
    [['backup', '/nowhere/backup.gz'], /no such file or directory/],
    [['restore', '/nowhere/backup.gz'], /no such file or directory/],
    [['restore', new URL('../../package.json', import.meta.url).pathname], /is not a backup that/],
  ])('%j fails with one line', async (args, message) => {
    const { status, stdout, stderr } = await runCommand(args, AT_SOURCE)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
    expect(stderr).toMatch(/^quoting: [^\n]+\n$/)
  })
})
