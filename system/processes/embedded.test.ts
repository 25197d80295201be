import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { READY, serverPid, serving } from '../../test/support/embedded.ts'
import { startCommand, runCommand, temporaryFolder } from '../../test/support/process.ts'

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))

/** An initialized data folder, which tests copy because initialization takes most of their time. */
const made = temporaryFolder()
await runCommand(['migrate'], { DATA_DIR: made })
function initializedFolder(): string {
  const folder = temporaryFolder()
  execFileSync('cp', ['-a', `${made}/.`, folder])
  return folder
}

describe('the embedded database', () => {
  it('is created, used and stopped by each command, twice in a row', async () => {
    const DATA_DIR = temporaryFolder()
    for (let i = 0; i < 2; i++) {
      const { status, stdout, stderr } = await runCommand(['migrate'], { DATA_DIR })
      expect([status, stdout, stderr]).toEqual([0, 'The schema is up to date.\n', ''])
      expect(serverPid(DATA_DIR)).toBeNull()
    }
  })

  it('works in a folder that no other user can enter, and at a path that is too long for a socket', async () => {
    const closed = temporaryFolder()
    chmodSync(closed, 0o700)
    const DATA_DIR = join(closed, 'x'.repeat(150), 'data')
    mkdirSync(DATA_DIR, { recursive: true, mode: 0o700 })
    expect(await runCommand(['migrate'], { DATA_DIR })).toMatchObject({ status: 0 })
    expect(await runCommand(['export'], { DATA_DIR })).toMatchObject({ status: 0, stdout: '' })
  })

  it('is shared by processes that start concurrently on an empty folder, and the last one stops it', async () => {
    const DATA_DIR = temporaryFolder()
    const [first, second] = [serving({ DATA_DIR }), serving({ DATA_DIR })]
    await Promise.all([first.waitFor(READY), second.waitFor(READY)])
    first.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    const [, url] = await second.waitFor(READY)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    second.kill('SIGTERM')
    expect(await second.ended).toBe(0)
    expect(serverPid(DATA_DIR)).toBeNull()
  })

  it('serves commands while the service runs, and keeps running after them', async () => {
    const DATA_DIR = initializedFolder()
    const server = serving({ DATA_DIR })
    const [, url] = await server.waitFor(READY)
    const pid = serverPid(DATA_DIR)
    expect(await runCommand(['export'], { DATA_DIR })).toMatchObject({ status: 0 })
    expect(serverPid(DATA_DIR)).toBe(pid)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    server.kill('SIGINT')
    expect(await server.ended).toBe(0)
  })

  it('keeps running after a kill -9 of the service, and the next start uses it', async () => {
    const DATA_DIR = initializedFolder()
    const killed = serving({ DATA_DIR })
    await killed.waitFor(READY)
    const pid = serverPid(DATA_DIR)
    killed.kill('SIGKILL')
    await killed.ended
    const next = serving({ DATA_DIR })
    await next.waitFor(READY)
    expect(serverPid(DATA_DIR)).toBe(pid)
    next.kill('SIGTERM')
    expect(await next.ended).toBe(0)
    expect(serverPid(DATA_DIR)).toBeNull()
  })

  it('is restarted if its process is killed, and the service recovers', async () => {
    const DATA_DIR = initializedFolder()
    const server = serving({ DATA_DIR })
    const [, url] = await server.waitFor(READY)
    const pid = serverPid(DATA_DIR) ?? 0
    process.kill(pid, 'SIGKILL')
    const isReady = async () => (await fetch(`${url}/readyz`)).status === 200 && serverPid(DATA_DIR) !== pid
    while (!(await isReady())) await sleep(50)
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    expect(serverPid(DATA_DIR)).toBeNull()
  })

  it('starts if its process id file names another program', async () => {
    const DATA_DIR = initializedFolder()
    // Like after a crash of the machine: the number in the file is now the process id of this test.
    const path = join(DATA_DIR, 'postgres', 'postmaster.pid')
    writeFileSync(path, `${process.pid}\n${join(DATA_DIR, 'postgres')}\n1\n5432\n.\n\n0 0\nready\n`)
    const { uid, gid } = statSync(join(DATA_DIR, 'postgres'))
    execFileSync('chown', [`${uid}:${gid}`, path])
    expect(await runCommand(['migrate'], { DATA_DIR })).toMatchObject({ status: 0 })
  })

  it('leaves no incomplete files if its first start is killed', async () => {
    const DATA_DIR = temporaryFolder()
    const killed = startCommand(['migrate'], { DATA_DIR })
    while (!existsSync(DATA_DIR) || !execFileSync('ls', [DATA_DIR]).includes('postgres-draft')) await sleep(5)
    killed.kill('SIGKILL')
    await killed.ended
    expect(await runCommand(['migrate'], { DATA_DIR })).toMatchObject({ status: 0 })
    expect(execFileSync('ls', [DATA_DIR]).toString()).not.toContain('draft')
  })

  it('stops with a process that is interrupted during its start', async () => {
    const DATA_DIR = temporaryFolder()
    const server = startCommand(['serve'], { DATA_DIR, PORT: '0', LOG_LEVEL: 'error' })
    while (serverPid(DATA_DIR) === null) await sleep(5)
    server.kill('SIGINT')
    expect(await server.ended).toBe(0)
    expect(serverPid(DATA_DIR)).toBeNull()
  })

  // --ignore-scripts skips the build, which ran before the tests.
  it('stops with all processes of npm start if npm is stopped', async () => {
    const DATA_DIR = initializedFolder()
    const npm = spawn('npm', ['--prefix', CHECKOUT, '--ignore-scripts', 'start'], {
      env: { ...process.env, DATA_DIR, PORT: '0', LOG_LEVEL: 'error' },
      cwd: tmpdir(),
    })
    let output = ''
    npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    while (!READY.test(output)) await sleep(20)
    const [, url] = READY.exec(output) ?? []
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    npm.kill('SIGTERM')
    await once(npm, 'close')
    while (serverPid(DATA_DIR) !== null) await sleep(20)
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed')
  })

  it('stops if the reader of a command closes the pipe early', async () => {
    const DATA_DIR = initializedFolder()
    const company = { object: 'company', id: 'co_1', name: 'Quotes', plan: 'PREMIUM', currency: 'USD' }
    const quotes = Array.from({ length: 3000 }, (_, i) => ({
      object: 'resource',
      id: `res_${i}`,
      companyId: 'co_1',
      name: 'Booth',
      locationId: 'loc_none',
    }))
    const world = [company, ...quotes].map((record) => JSON.stringify(record)).join('\n')
    expect(await runCommand(['import', '-'], { DATA_DIR }, world)).toMatchObject({ status: 0 })
    const command = `'${process.execPath}' '${CHECKOUT}/bin/quoting.js' doctor 2>&1 | head -1`
    const line = execFileSync('sh', ['-c', command], { env: { PATH: process.env['PATH'] ?? '', DATA_DIR } })
    expect(line.toString()).toContain('loc_none')
    while (serverPid(DATA_DIR) !== null) await sleep(20)
  })

  it('keeps its password and the application secret from other users', async () => {
    const DATA_DIR = initializedFolder()
    const server = serving({ DATA_DIR })
    await server.waitFor(READY)
    const modes = ['app-secret', 'postgres', 'postgres-password'].map(
      (name) => statSync(join(DATA_DIR, name)).mode & 0o077,
    )
    expect(modes).toEqual([0, 0, 0])
    const secret = readFileSync(join(DATA_DIR, 'app-secret'), 'utf8')
    server.kill('SIGTERM')
    await server.ended
    const again = serving({ DATA_DIR })
    await again.waitFor(READY)
    expect(readFileSync(join(DATA_DIR, 'app-secret'), 'utf8')).toBe(secret)
    again.kill('SIGTERM')
    await again.ended
  })
})
