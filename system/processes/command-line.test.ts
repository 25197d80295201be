import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DUMMY_HASH, verifyPassword } from '../../src/core/security/password.ts'
import { findUsersByEmail } from '../../src/records/user/queries.ts'
import { waitUntilBlocked } from '../../test/support/blocked.ts'
import { connectionUrl } from '../../test/support/connections.ts'
import { startProxy } from '../../test/support/database-proxy.ts'
import { createDatabase } from '../../test/support/database.ts'
import { freePort } from '../../test/support/command.ts'
import { runCommand, startCommand, temporaryFolder } from '../../test/support/process.ts'
import { insertCompany } from '../../test/support/records.ts'
import { startServer } from '../../test/support/server.ts'

const { pool, connection } = await createDatabase()
const DATABASE_URL = connectionUrl(connection)
const SETTINGS = { DATABASE_URL, APP_SECRET: 'a secret of thirty-two characters', PORT: '0' }
await insertCompany(pool, 'co_keys')

const run = (...args: string[]) => runCommand(args, SETTINGS)

describe('D2: the command line', () => {
  it.each([
    [['--help']],
    [['serve', '--help']],
    [['migrate', '--help']],
    [['import', '--help']],
    [['export', '--help']],
    [['backup', '--help']],
    [['restore', '--help']],
    [['upgrade', '--help']],
    [['doctor', '--help']],
    [['keys', '--help']],
    [['keys', 'create', '--help']],
    [['keys', 'list', '--help']],
    [['keys', 'revoke', '--help']],
    [['users', '--help']],
  ])('%j prints the usage with exit status 0', async (args) => {
    const { status, stdout, stderr } = await run(...args)
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^Usage: quoting/)
  })

  it.each([
    [['frobnicate'], /unknown command/],
    [['migrate', '--fast'], /unknown option/],
    [['import'], /missing required argument/],
    [['import', '/nowhere/world.ndjson'], /no such file/],
    [['keys', 'create', '--company', 'co_keys'], /--name/],
    [['keys', 'create', '--company', 'co_nobody', '--name', 'x'], /no company co_nobody/],
    [['keys', 'create', '--company', 'co_keys', '--name', ''], /--name "": Enter a name/],
    [['keys', 'list', '--company', 'co_nobody'], /no company co_nobody/],
    [['keys', 'revoke', '--company', 'co_keys', 'key_none'], /no key key_none/],
  ])('%j fails with one line on standard error and exit status 1', async (args, message) => {
    const { status, stdout, stderr } = await run(...args)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
    expect(stderr).toMatch(/^quoting: [^\n]+\n$/)
  })

  it('an unreachable database leads to one line without the password', async () => {
    const url = `postgres://quoting:hunter2@127.0.0.1:${await freePort()}/quoting`
    const { status, stderr } = await runCommand(['migrate'], { DATABASE_URL: url })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^quoting: [^\n]+\n$/)
    expect(stderr).not.toContain('hunter2')
  })
})

describe('D6: import, export, doctor', () => {
  const world = [
    {
      object: 'company',
      id: 'co_w',
      name: 'Tidewater Events',
      plan: 'PREMIUM',
      currency: 'USD',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
    },
    {
      object: 'resource',
      id: 'res_1',
      companyId: 'co_w',
      name: 'Booth',
      locationId: 'loc_none',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
    },
  ]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')

  it('import reads a file or standard input, export writes the same, doctor lists missing references', async () => {
    const file = join(temporaryFolder(), 'world.ndjson')
    writeFileSync(file, world)
    const imported = await run('import', file)
    expect(imported).toEqual({ status: 0, stdout: 'Imported 2 records.\n', stderr: '' })
    expect(await runCommand(['import', '-'], SETTINGS, world)).toMatchObject({ status: 0 })
    const exported = await run('export')
    expect(exported.status).toBe(0)
    expect(
      exported.stdout
        .split('\n')
        .filter((line) => line.includes('co_w'))
        .join('\n'),
    ).toBe(world.trim())
    const doctor = await run('doctor')
    expect(doctor.status).toBe(1)
    expect(doctor.stdout).toBe('')
    expect(doctor.stderr).toMatch(/^[^\n]*co_w[^\n]*res_1[^\n]*loc_none[^\n]*\n$/)
  })

  it('import prints line, field and reason of each error, and writes nothing', async () => {
    const broken = `${world.replaceAll('co_w', 'co_broken')}{"object":"staff"}\nnot json\n`
    const { status, stdout, stderr } = await runCommand(['import', '-'], SETTINGS, broken)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^line 3: /)
    expect(stderr).toMatch(/\nline 4: /)
    const companies = await pool.query(`SELECT FROM companies WHERE id = 'co_broken'`)
    expect(companies.rowCount).toBe(0)
  })

  it('export to a closed pipe ends without output', async () => {
    const command = startCommand(['export'], SETTINGS)
    await command.ended
    expect(command.stderr()).toBe('')
  })
})

describe('A5, D2: keys on the command line', () => {
  it('create prints only the key, list omits the key, and revoke ends it', async () => {
    const server = await startServer(connection)
    const created = await run('keys', 'create', '--company', 'co_keys', '--name', 'Zap "one"')
    expect(created).toMatchObject({ status: 0, stderr: '' })
    expect(created.stdout).toMatch(/^eqs_[0-9A-Za-z]{40}\n$/)
    const key = created.stdout.trim()
    expect((await server.get('/api/resources', key)).status).toBe(200)

    const listed = await run('keys', 'list', '--company', 'co_keys')
    const [, id = ''] = /^(\S+)\t\S+\tactive\tZap "one"$/m.exec(listed.stdout) ?? []
    expect(listed.stdout).not.toContain(key)

    expect(await run('keys', 'revoke', '--company', 'co_keys', id)).toMatchObject({ status: 0 })
    await expect.poll(async () => (await server.get('/api/resources', key)).status).toBe(401)
    expect((await run('keys', 'list', '--company', 'co_keys')).stdout).toMatch(/revoked 20/)
  })
})

describe('D1: settings', () => {
  // src/server/config.test.ts covers the rules of every setting.
  it.each([
    [{ PORT: 'http' }, /PORT must be an integer/],
    [{ APP_SECRET: '' }, /APP_SECRET is required with DATABASE_URL/],
    [{ APP_SECRET: 'too short to be safe' }, /APP_SECRET must be at least 32 .*openssl rand -base64 32/],
    [{ APP_SECRET: 'a'.repeat(64) }, /APP_SECRET must be at least 32 .*openssl rand -base64 32/],
  ])('%j prevents the start with one line', async (setting, message) => {
    const { status, stdout, stderr } = await runCommand(['serve'], { ...SETTINGS, ...setting })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
    expect(stderr).toMatch(/^quoting: [^\n]+\n$/)
  })
})

describe('D1: warnings about settings', () => {
  it.each([
    [{ APP_SECRET_PREVIOUS: 'weak' }, [/APP_SECRET_PREVIOUS is weak/]],
    [{ PUBLIC_URL: 'https://quotes.example' }, [/SECURITY_CONTACT is not set/]],
    [{ PUBLIC_URL: 'https://quotes.example', SECURITY_CONTACT: 'a@quotes.example' }, []],
    [{}, []],
  ])('with %j are %s', async (setting, warnings) => {
    const server = startCommand(['serve'], { ...SETTINGS, LOG_LEVEL: 'warn', ...setting })
    await server.waitFor(/API at/)
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    const lines = server
      .stderr()
      .split('\n')
      .filter((line) => line !== '')
    expect(lines).toEqual(warnings.map((warning) => expect.stringMatching(warning) as string))
    expect(server.stderr()).not.toContain('"weak"')
  })
})

describe('D3: start and stop', () => {
  it('prints one line with the base URL to standard output, and the log to standard error', async () => {
    const server = startCommand(['serve'], SETTINGS)
    const [, url] = await server.waitFor(/API at (http:\/\/127\.0\.0\.1:\d+)\/api/)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    expect(server.stdout()).toMatch(/^[^\n]+\n$/)
    for (const line of server.stderr().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('time')
  })

  it('prints and documents PUBLIC_URL without a trailing slash', async () => {
    const port = await freePort()
    const settings = { ...SETTINGS, PORT: String(port), PUBLIC_URL: 'https://quotes.example.com/' }
    const server = startCommand(['serve'], settings)
    await server.waitFor(/API at https:\/\/quotes\.example\.com\/api,/)
    const document = (await (await fetch(`http://127.0.0.1:${port}/api/openapi.json`)).json()) as {
      servers: unknown
    }
    expect(document.servers).toEqual([{ url: 'https://quotes.example.com/api' }])
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  })

  it('--demo fills an empty database once and prints a demo key and a curl line that works', async () => {
    const demo = await createDatabase()
    const settings = { ...SETTINGS, DATABASE_URL: connectionUrl(demo.connection) }
    for (let i = 0; i < 2; i++) {
      const server = startCommand(['serve', '--demo'], settings)
      const [, header = '', url = ''] = await server.waitFor(/curl -H '([^']+)' '([^']+)'/)
      const [name = '', value = ''] = header.split(': ')
      expect(value).toMatch(/^eqs_demo_/)
      const answer = await fetch(url, { headers: { [name]: value } })
      expect(answer.status).toBe(200)
      expect(((await answer.json()) as { data: unknown[] }).data.length).toBeGreaterThan(0)
      server.kill('SIGTERM')
      expect(await server.ended).toBe(0)
      expect(server.stderr()).not.toContain('warning')
    }
    const open = startCommand(['serve', '--demo'], { ...settings, HOST: '0.0.0.0' })
    await open.waitFor(/Sign in/)
    open.kill('SIGTERM')
    await open.ended
    expect(open.stderr()).toMatch(/warning: the demo keys and passwords are public/)
  })

  it('--demo prints email and password unless the password was changed', async () => {
    const demo = await createDatabase()
    const settings = { ...SETTINGS, DATABASE_URL: connectionUrl(demo.connection) }
    const server = startCommand(['serve', '--demo'], settings)
    const [, base = '', email = '', password = ''] = await server.waitFor(
      /^Sign in: {2}(\S+)\/ as (\S+), password (\S+)$/m,
    )
    expect(server.stdout()).toContain(`API at ${base}/api`)
    server.kill('SIGTERM')
    await server.ended
    const [user] = await findUsersByEmail(demo.pool, email)
    expect(user).toMatchObject({ companyId: 'co_harborlight', role: 'ADMIN' })
    expect(await verifyPassword(password, user?.passwordHash ?? '')).toBe(true)

    await demo.pool.query('UPDATE users SET password_hash = $1', [DUMMY_HASH])
    const changed = startCommand(['serve', '--demo'], settings)
    await changed.waitFor(/curl/)
    changed.kill('SIGTERM')
    await changed.ended
    expect(changed.stdout()).not.toContain('Sign in')
  })

  it('--demo does not change a database with records, and prints no invalid key', async () => {
    const before = await pool.query('SELECT count(*) FROM companies')
    const server = startCommand(['serve', '--demo'], SETTINGS)
    await server.waitFor(/holds other data already/)
    server.kill('SIGTERM')
    await server.ended
    expect(server.stdout()).not.toMatch(/eqs_demo_|Sign in/)
    expect((await pool.query('SELECT count(*) FROM companies')).rows).toEqual(before.rows)
  })

  it('reports a port in use, and leaves no process running', async () => {
    const listener = createServer().listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    const { status, stderr } = await runCommand(['serve'], {
      ...SETTINGS,
      PORT: String(port),
      LOG_LEVEL: 'error',
    })
    listener.close()
    expect(status).toBe(1)
    expect(stderr).toMatch(new RegExp(`^quoting: port ${port} on 127\\.0\\.0\\.1 is in use[^\\n]*\\n$`))
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('%s lets requests under way finish', async (signal) => {
    const server = startCommand(['serve'], SETTINGS)
    const [, url] = await server.waitFor(/API at (\S+)\/api/)
    // A lock blocks the lookup of the key.
    const client = await pool.connect()
    await client.query('BEGIN')
    await client.query('LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE')
    const answer = fetch(`${url}/api/resources`, { headers: { 'x-api-key': 'some-unknown-key' } })
    await waitUntilBlocked(pool)
    server.kill(signal)
    const connects = () =>
      fetch(`${url}/healthz`).then(
        () => true,
        () => false,
      )
    await expect.poll(connects).toBe(false)
    await client.query('ROLLBACK')
    client.release()
    expect((await answer).status).toBe(401)
    // The client keeps its connection open, which does not delay the stop.
    expect(await server.ended).toBe(0)
  })

  it('A8: starts while the database is unavailable, logs that, and recovers', async () => {
    const empty = await createDatabase()
    await empty.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    const proxy = await startProxy(empty.connection)
    await proxy.refuse()
    const settings = { ...SETTINGS, DATABASE_URL: connectionUrl(proxy.connection), LOG_LEVEL: 'error' }
    const server = startCommand(['serve', '--demo'], settings)
    const [, url] = await server.waitFor(/API at (\S+)\/api/)
    const read = () =>
      fetch(`${url}/api/quotes?limit=1`, { headers: { 'x-api-key': 'eqs_demo_harborlight' } })
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect((await fetch(`${url}/readyz`)).status).toBe(503)
    const answer = await read()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])

    await proxy.forward()
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 60_000 }).toBe(200)
    expect((await read()).status).toBe(200)
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  })
})
