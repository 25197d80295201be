/** PostgreSQL does not run as root, so root starts it as another user. That user must not get other access to root. */
import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DEDICATED_USER, findUnprivilegedUser } from '../../src/db/embedded-user.ts'
import type { ServerUser } from '../../src/db/embedded-user.ts'
import { runProgram } from '../../src/db/run-program.ts'
import { atEnd } from '../../test/support/at-end.ts'
import { READY, isRunning, serverPid, serving } from '../../test/support/embedded.ts'
import { runCommand, temporaryFolder } from '../../test/support/process.ts'

const isRoot = process.getuid?.() === 0
const idOf = (option: '-u' | '-g', name: string) => Number(execFileSync('id', [option, name]))
const unprivileged = { uid: idOf('-u', 'nobody'), gid: idOf('-g', 'nobody') }

/** A folder that every user can enter, because DATA_DIR can be in any folder. */
function openFolder(): string {
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir, { mode: 0o755 })
  return dataDir
}

/** A copy of an initialized data folder, because initialization takes most of the time of a test. */
async function startedFolder(): Promise<string> {
  template ??= createTemplate()
  const dataDir = openFolder()
  execFileSync('cp', ['-a', `${await template}/.`, dataDir])
  return dataDir
}
let template: Promise<string> | undefined
async function createTemplate(): Promise<string> {
  const dataDir = openFolder()
  expect(await runCommand(['migrate'], { DATA_DIR: dataDir })).toMatchObject({ status: 0, stderr: '' })
  return dataDir
}

function rootFile(): string {
  const path = join(temporaryFolder(), 'precious')
  writeFileSync(path, 'precious\n', { mode: 0o600 })
  return path
}

function expectUntouched(path: string): void {
  const { uid, mode } = lstatSync(path)
  expect([readFileSync(path, 'utf8'), uid, mode & 0o777]).toEqual(['precious\n', 0, 0o600])
}

function startAs(user: ServerUser | undefined, program: string, args: string[]): ChildProcess {
  const child = spawn(program, args, { ...user, cwd: '/', stdio: 'ignore' })
  atEnd(async () => child.kill('SIGKILL'))
  return child
}

/** Runs a script in the folder of the database as its owner. */
function asOwner(dataDir: string, script: string, ...args: string[]): Promise<string> {
  const folder = join(dataDir, 'postgres')
  const { uid, gid } = lstatSync(folder)
  return runProgram('sh', ['-c', script, 'sh', ...args], { cwd: folder, user: { uid, gid } })
}

const PLANT_LINKS = `
  const { readdirSync, symlinkSync } = require('node:fs')
  const [dataDir, target] = process.argv.slice(1)
  const attempt = (work) => { try { return work() } catch { return [] } }
  for (;;) {
    const drafts = attempt(() => readdirSync(dataDir)).filter((name) => name.startsWith('postgres-draft'))
    for (const draft of drafts)
      for (const name of ['password', 'data/password', 'pg_hba.conf', 'PG_VERSION', 'postmaster.pid'])
        attempt(() => symlinkSync(target, dataDir + '/' + draft + '/' + name))
  }`

describe.runIf(isRoot)('the embedded database, started by root', () => {
  it('runs as a dedicated user, and root keeps no file in its folder', async () => {
    const DATA_DIR = await startedFolder()
    const owners = (folder: string) =>
      readdirSync(folder, { recursive: true }).map((name) => lstatSync(join(folder, String(name))).uid)
    expect(new Set(owners(join(DATA_DIR, 'postgres')))).toEqual(new Set([idOf('-u', DEDICATED_USER)]))
    const files = readdirSync(DATA_DIR).filter((name) => name !== 'postgres')
    expect(files.toSorted()).toEqual(['postgres-password', 'postgres.log'])
    for (const name of files) {
      const { uid, mode } = lstatSync(join(DATA_DIR, name))
      expect([name, uid, mode & 0o077]).toEqual([name, 0, 0])
    }
    expect(lstatSync(DATA_DIR)).toMatchObject({ uid: 0 })
  })

  it('creates a data folder that other users cannot enter', async () => {
    const DATA_DIR = join(temporaryFolder(), 'new')
    expect(await runCommand(['migrate'], { DATA_DIR })).toMatchObject({ status: 0 })
    expect(lstatSync(DATA_DIR).mode & 0o077).toBe(0)
  })

  it('follows no links that other users plant during the first start', async () => {
    const target = rootFile()
    const attackers = [unprivileged, await findUnprivilegedUser()]
    for (let tries = 0; tries < 4; tries++) {
      const DATA_DIR = openFolder()
      const attacks = attackers.map((user) =>
        startAs(user, process.execPath, ['-e', PLANT_LINKS, DATA_DIR, target]),
      )
      await runCommand(['migrate'], { DATA_DIR })
      for (const attack of attacks) attack.kill('SIGKILL')
      expectUntouched(target)
    }
  })

  it.each(['nobody', 'the user of the database'])(
    'rejects a data folder that belongs to %s, and writes nothing there',
    async (name) => {
      const user = name === 'nobody' ? unprivileged : await findUnprivilegedUser()
      const DATA_DIR = openFolder()
      const target = rootFile()
      chownSync(DATA_DIR, user?.uid ?? 0, user?.gid ?? 0)
      symlinkSync(target, join(DATA_DIR, 'postgres.log'))
      for (const command of ['serve', 'migrate']) {
        const { status, stderr } = await runCommand([command], { DATA_DIR, PORT: '0' })
        expect([status, stderr]).toEqual([
          1,
          `quoting: root does not keep data where other users can change files: ${DATA_DIR} belongs to user ${user?.uid}; choose another DATA_DIR, or start the service as another user than root\n`,
        ])
      }
      expect(readdirSync(DATA_DIR)).toEqual(['postgres.log'])
      expectUntouched(target)
    },
  )

  it('rejects a data folder that other users can write, or reach through their link', async () => {
    const writable = openFolder()
    chmodSync(writable, 0o1777)
    const link = join(openFolder(), 'link')
    symlinkSync(openFolder(), link)
    execFileSync('chown', ['-h', 'nobody', link])
    const inside = openFolder()
    chownSync(inside, unprivileged.uid, unprivileged.gid)
    for (const DATA_DIR of [writable, link, join(inside, 'new', 'data')]) {
      const { status, stderr } = await runCommand(['migrate'], { DATA_DIR })
      expect([status, stderr]).toEqual([1, expect.stringContaining('other users can change files')])
    }
    expect(readdirSync(writable)).toEqual([])
    expect(readdirSync(inside)).toEqual([])
  })

  it('does not reveal its files and environment to processes of other users', async () => {
    const DATA_DIR = await startedFolder()
    const server = serving({ DATA_DIR })
    await server.waitFor(READY)
    const script = `
      find "$0" -type f -exec cat {} + 2> /dev/null
      cat "$0"/app-secret "$0"/postgres-password "$0"/postgres/* /proc/$1/environ /proc/$1/cwd/* 2> /dev/null
      true`
    const seen = await runProgram('sh', ['-c', script, DATA_DIR, String(serverPid(DATA_DIR))], {
      user: unprivileged,
    })
    expect(seen).toBe('')
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  })

  describe('with a process id of root in its process id file', () => {
    const rewrite = (dataDir: string, pid: number | undefined) =>
      asOwner(
        dataDir,
        'cp postmaster.pid kept && { echo "$1"; tail -n +2 kept; } > rewritten && mv rewritten postmaster.pid',
        String(pid),
      )

    it('is stopped by its parent process, which signals no other process', async () => {
      const DATA_DIR = await startedFolder()
      const bystander = startAs(undefined, 'sleep', ['600'])
      const server = serving({ DATA_DIR })
      await server.waitFor(READY)
      const pid = serverPid(DATA_DIR) ?? 0
      await rewrite(DATA_DIR, bystander.pid)
      server.kill('SIGTERM')
      expect(await server.ended).toBe(0)
      expect([isRunning(pid), bystander.exitCode, bystander.signalCode]).toEqual([false, null, null])
    })

    it('is not stopped by a process that knows only the file, which signals no other process', async () => {
      const DATA_DIR = await startedFolder()
      const bystander = startAs(undefined, 'sleep', ['600'])
      // The next process uses the server of a killed one.
      const killed = serving({ DATA_DIR })
      await killed.waitFor(READY)
      killed.kill('SIGKILL')
      await killed.ended
      await rewrite(DATA_DIR, bystander.pid)
      const next = await runCommand(['migrate'], { DATA_DIR })
      expect(next).toMatchObject({ status: 0, stderr: expect.stringMatching(/not permitted/) as string })
      expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null])
      await asOwner(DATA_DIR, 'mv kept postmaster.pid')
      expect(await runCommand(['migrate'], { DATA_DIR })).toMatchObject({ status: 0, stderr: '' })
      expect(serverPid(DATA_DIR)).toBeNull()
    })
  })

  it.each([
    ['a link to a file of root', 'ln -s "$1" postmaster.pid'],
    ['a broken link', 'ln -s /nonexistent/pid postmaster.pid'],
    ['a pipe without a writer', 'mkfifo postmaster.pid'],
  ])('starts if its process id file is %s', async (_, plant) => {
    const DATA_DIR = await startedFolder()
    const target = rootFile()
    await asOwner(DATA_DIR, plant, target)
    expect(await runCommand(['migrate'], { DATA_DIR })).toMatchObject({ status: 0, stderr: '' })
    expectUntouched(target)
  })

  it('stops if its process id file is replaced by a link to a file of root', async () => {
    const DATA_DIR = await startedFolder()
    const target = rootFile()
    const server = serving({ DATA_DIR })
    await server.waitFor(READY)
    const pid = serverPid(DATA_DIR) ?? 0
    await asOwner(DATA_DIR, 'ln -sf "$1" postmaster.pid', target)
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    expect(isRunning(pid)).toBe(false)
    expectUntouched(target)
  })

  it('removes the folder of a killed start as its owner, without files of root in it', async () => {
    const DATA_DIR = openFolder()
    const ended = startAs(undefined, 'true', [])
    await once(ended, 'exit')
    const [empty, full] = [`${ended.pid}-empty`, `${ended.pid}-full`].map((name) =>
      join(DATA_DIR, `postgres-draft-${name}`),
    ) as [string, string]
    for (const draft of [empty, full]) {
      mkdirSync(draft, { mode: 0o700 })
      chownSync(draft, unprivileged.uid, unprivileged.gid)
      const script = 'ln -s /etc link; mkdir -p .hidden/deep; touch .hidden/deep/file'
      await runProgram('sh', ['-c', script], { cwd: draft, user: unprivileged })
    }
    mkdirSync(join(full, 'ours'), { mode: 0o700 })
    writeFileSync(join(full, 'ours', 'precious'), 'precious\n', { mode: 0o600 })
    expect(await runCommand(['migrate'], { DATA_DIR })).toMatchObject({ status: 0, stderr: '' })
    expect([existsSync(empty), readdirSync(full)]).toEqual([false, ['ours']])
    expectUntouched(join(full, 'ours', 'precious'))
  })
})
