import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { nameInSeries } from '../../src/backup/backup-file.ts'
import { migrate } from '../../src/db/migrate.ts'
import { fillWithDemo } from '../../src/world/demo/fill-with-demo.ts'
import { connectionUrl } from '../../test/support/connections.ts'
import { createDatabase } from '../../test/support/database.ts'
import { runCommand, startCommand, temporaryFolder } from '../../test/support/process.ts'
import { createBareDatabase } from '../../test/support/schema.ts'
import { exportText } from '../../test/support/world.ts'

const source = await createDatabase()
await fillWithDemo(source.connection)
const APP_SECRET = 'a secret of thirty-two characters'
const AT_SOURCE = { DATABASE_URL: connectionUrl(source.connection), APP_SECRET }
/** Verification must not use a database. */
const NO_DATABASE = { DATABASE_URL: 'postgres://127.0.0.1:1/none', APP_SECRET }

const OLD = ['quoting-2026-01-01T03-10-00Z.gz', 'quoting-2026-01-02T03-10-00Z.gz']
const OTHERS = [
  'quoting-2026-01-01.gz',
  'quoting-2026-01-01T03-10-00Z.gz.age',
  'copy-of-quoting-2026-01-01T03-10-00Z.gz',
  'readme.txt',
]

describe('quoting backup --keep', () => {
  it('keeps the newest and deletes only files with its own names', async () => {
    const folder = temporaryFolder()
    for (const name of [...OLD, ...OTHERS]) writeFileSync(join(folder, name), name)
    mkdirSync(join(folder, 'quoting-2025-01-01T03-10-00Z.gz'))
    symlinkSync('readme.txt', join(folder, 'quoting-2025-01-02T03-10-00Z.gz'))
    const { status, stdout, stderr } = await runCommand(['backup', '--keep', '2', folder], AT_SOURCE)
    expect([status, stderr]).toEqual([0, ''])
    const [, file = ''] = /^Backed up \d+ rows of \d+ tables to (\S+) and verified it\.$/m.exec(stdout) ?? []
    expect(stdout).toContain(`Deleted ${join(folder, OLD[0] ?? '')}.`)
    const kept = [OLD[1], ...OTHERS, 'quoting-2025-01-01T03-10-00Z.gz', 'quoting-2025-01-02T03-10-00Z.gz']
    expect(
      readdirSync(folder)
        .map((name) => join(folder, name))
        .toSorted(),
    ).toEqual([...kept.map((name) => join(folder, name ?? '')), file].toSorted())
    const target = await createBareDatabase()
    const atTarget = { DATABASE_URL: connectionUrl(target.connection), APP_SECRET }
    expect(await runCommand(['restore', file], atTarget)).toMatchObject({ status: 0, stderr: '' })
    expect(await exportText(target.connection)).toBe(await exportText(source.connection))
  })

  it('deletes nothing if the backup fails', async () => {
    const folder = temporaryFolder()
    for (const name of OLD) writeFileSync(join(folder, name), name)
    const bare = await createBareDatabase()
    const settings = { DATABASE_URL: connectionUrl(bare.connection), APP_SECRET }
    const { status, stderr } = await runCommand(['backup', '--keep', '1', folder], settings)
    expect(status).toBe(1)
    expect(stderr).toMatch(/^quoting: there is nothing to back up[^\n]*\n$/)
    expect(readdirSync(folder).toSorted()).toEqual(OLD)
  })

  it('deletes drafts of killed runs, but not recent ones', async () => {
    const folder = temporaryFolder()
    const drafts = ['quoting-2026-01-01T03-10-00Z.gz.1.part', 'quoting-2026-01-02T03-10-00Z.gz.2.part']
    const others = ['quoting.gz.1.part', 'quoting-2026-01-01T03-10-00Z.gz.part']
    for (const name of [...drafts, ...others]) writeFileSync(join(folder, name), '')
    const twoHoursAgo = new Date(Date.now() - 7_200_000)
    for (const name of [drafts[0] ?? '', ...others]) utimesSync(join(folder, name), twoHoursAgo, twoHoursAgo)
    const { status, stdout, stderr } = await runCommand(['backup', '--keep', '1', folder], AT_SOURCE)
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout.match(/^Deleted .*$/gm)).toEqual([`Deleted ${join(folder, drafts[0] ?? '')}.`])
    expect(readdirSync(folder)).toEqual(expect.arrayContaining([drafts[1], ...others]))
    expect(readdirSync(folder)).toHaveLength(4)
  })

  it.each(['0', '-1', '1.5', 'all', ''])('rejects %j', async (keep) => {
    const { status, stderr } = await runCommand(['backup', `--keep=${keep}`, temporaryFolder()], AT_SOURCE)
    expect(status).toBe(1)
    expect(stderr).toMatch(/^quoting: [^\n]*Give a number of at least 1\.\n$/)
  })
})

describe('quoting backup --every', () => {
  const backUp = (every: string, folder: string, settings: Record<string, string> = AT_SOURCE) =>
    startCommand(['backup', '--every', every, '--keep', '2', folder], settings)
  const agoMs = (ms: number) => nameInSeries(new Date(Date.now() - ms))

  it('creates backups until SIGTERM, and keeps the newest', async () => {
    const folder = temporaryFolder()
    for (const name of OLD) writeFileSync(join(folder, name), name)
    const command = backUp('1s', folder)
    await command.waitFor(/(?:^Backed up [^]*){3}/m)
    command.kill('SIGTERM')
    expect(await command.ended).toBe(128 + 15)
    expect(command.stderr()).toBe('')
    const written = [...command.stdout().matchAll(/^Backed up .* to (\S+) and verified it\.$/gm)]
    const newest = written.slice(-2).map(([, file]) => file)
    expect(readdirSync(folder).map((name) => join(folder, name))).toEqual(expect.arrayContaining(newest))
  })

  it('waits after a restart until the newest backup is old enough, and ends immediately on SIGTERM', async () => {
    const folder = temporaryFolder()
    // A backup in the future, after a wrong clock, must not delay the next one.
    const [recent, tooLate] = [agoMs(3_600_000), agoMs(-86_400_000 * 30)]
    for (const name of [...OLD, recent, tooLate]) writeFileSync(join(folder, name), name)
    const command = backUp('24h', folder)
    const [, due = ''] = await command.waitFor(/^The next backup is due at (\S+)\.$/m)
    expect(agoMs(Date.now() - Date.parse(due) + 86_400_000)).toBe(recent)
    command.kill('SIGTERM')
    expect(await command.ended).toBe(128 + 15)
    expect([command.stderr(), command.stdout().match(/Backed up/)]).toEqual(['', null])
    expect(readdirSync(folder).toSorted()).toEqual([...OLD, recent, tooLate].toSorted())
  })

  it('creates a backup immediately after a restart if the newest backup is too old', async () => {
    const folder = temporaryFolder()
    const old = agoMs(86_400_000 + 60_000)
    writeFileSync(join(folder, old), '')
    const command = backUp('24h', folder)
    await command.waitFor(/^Backed up [^]*^The next backup is due at /m)
    command.kill('SIGTERM')
    await command.ended
    expect(readdirSync(folder)).toHaveLength(2)
  })

  it('tries again after a failure', async () => {
    const folder = temporaryFolder()
    const bare = await createBareDatabase()
    const command = backUp('1s', folder, { DATABASE_URL: connectionUrl(bare.connection), APP_SECRET })
    await expect.poll(() => command.stderr()).toMatch(/^quoting: there is nothing to back up[^\n]*\n/)
    expect(readdirSync(folder)).toEqual([])
    await migrate(bare.connection)
    await command.waitFor(/^Backed up /m)
    command.kill('SIGTERM')
    expect(await command.ended).toBe(128 + 15)
  })

  it.each(['0h', '24', '1.5h', 'daily', ''])('rejects %j', async (every) => {
    const args = ['backup', '--keep', '2', `--every=${every}`, temporaryFolder()]
    const { status, stderr } = await runCommand(args, AT_SOURCE)
    expect(status).toBe(1)
    expect(stderr).toMatch(/^quoting: [^\n]*Give a time such as 24h, 30m or 7d\.\n$/)
  })

  it('fails if the folder does not exist, without retries', async () => {
    const folder = join(temporaryFolder(), 'missing')
    for (const every of [[], ['--every', '24h']]) {
      const { status, stderr } = await runCommand(['backup', '--keep', '3', ...every, folder], AT_SOURCE)
      expect(status).toBe(1)
      expect(stderr).toBe(`quoting: there is no folder ${folder}; create it, or name another one\n`)
    }
  })

  it('needs --keep', async () => {
    expect(await runCommand(['backup', '--every', '24h', temporaryFolder()], AT_SOURCE)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'quoting: --every needs --keep\n',
    })
  })
})

describe('quoting backup --verify', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'backup.gz')
  const written = await runCommand(['backup', file], AT_SOURCE)
  const plain = gunzipSync(readFileSync(file)).toString()
  const verify = (path: string) => runCommand(['backup', '--verify', path], NO_DATABASE)

  /** Has a correct checksum, so that only the content is wrong. */
  const rewrite = (change: (text: string) => string) => {
    const body = change(plain.slice(0, plain.lastIndexOf('{"rows"')))
    const sha256 = createHash('sha256').update(body).digest('hex')
    const rows = /"rows":(\d+)/.exec(plain.slice(-100))?.[1]
    return gzipSync(`${body}{"rows":${rows},"sha256":"${sha256}"}\n`)
  }

  it('reads everything without a database and prints the contents', async () => {
    const [, contents] = /^Backed up (\d+ rows of \d+ tables)\.\n$/.exec(written.stdout) ?? []
    const { status, stdout, stderr } = await verify(file)
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^The backup of 2\d{3}-\S+Z is complete: .*, schema \d{4}-[\w-]+\.\n$/)
    expect(stdout).toContain(` ${contents},`)
    writeFileSync(
      join(folder, 'same.gz'),
      rewrite((text) => text),
    )
    expect(await verify(join(folder, 'same.gz'))).toMatchObject({ status: 0, stdout })
  })

  it.each([
    ['a truncated file', () => readFileSync(file).subarray(0, -100), /is cut off/],
    ['a changed text', () => gzipSync(plain.replace('Harbor', 'Harvor')), /does not match its checksum/],
    [
      'a missing table',
      () => rewrite((text) => text.replace(/\{"table":"tasks"[^]*?\n\\\.\n/, '')),
      /is damaged/,
    ],
    [
      'a missing row',
      () => rewrite((text) => text.replace(/(\{"table":"tasks".*\n).*\n/, '$1')),
      /is damaged/,
    ],
    [
      'a row with too few values',
      () => rewrite((text) => text.replace(/(\{"table":"tasks".*\n[^\t]*)\t/, '$1 ')),
      /a row of tasks cannot be read/,
    ],
    [
      'a schema of a later release',
      () => rewrite((text) => text.replace('"migrations":[', '"migrations":["9999-later.sql",')),
      /does not know: use a newer release/,
    ],
    ['another file', () => gzipSync('{}\n'), /is not a backup/],
  ])('rejects %s', async (_, content, message) => {
    const wrong = join(folder, 'wrong.gz')
    writeFileSync(wrong, content())
    const { status, stdout, stderr } = await verify(wrong)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
    expect(stderr).toMatch(/^quoting: [^\n]+\n$/)
    expect(stderr).not.toContain('restored')
  })
})
