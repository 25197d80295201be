/** The setup link that `quoting serve` prints, and `quoting companies create`. */
import { describe, expect, it } from 'vitest'
import { verifyPassword } from '../../src/core/security/password.ts'
import { findUsersByEmail } from '../../src/records/user/queries.ts'
import { connectionUrl } from '../../test/support/connections.ts'
import { createDatabase } from '../../test/support/database.ts'
import { SETUP } from '../../test/support/links.ts'
import { runCommand, startCommand } from '../../test/support/process.ts'

const { pool, connection } = await createDatabase()
const SETTINGS = {
  DATABASE_URL: connectionUrl(connection),
  APP_SECRET: 'a secret of thirty-two characters',
  PORT: '0',
}

const LINK = /Set up your company: (http:\/\/127\.0\.0\.1:\d+)\/setup\/([\w-]{43})\n/

describe('quoting serve', () => {
  it('U1: prints a new setup link at each start until a company exists, and never logs it', async () => {
    const servers = [startCommand(['serve'], SETTINGS), startCommand(['serve'], SETTINGS)]
    const links = []
    for (const server of servers) links.push(await server.waitFor(LINK))
    const [[, url = '', first = ''] = [], [, , second = ''] = []] = links
    expect(first).not.toBe(second)
    const page = await fetch(`${url}/setup/${first}`)
    expect(page.headers.get('content-type')).toContain('text/html')
    // The second process printed this link, and the first one accepts it.
    const answer = await fetch(`${url}/console/links/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: second, ...SETUP }),
    })
    expect(answer.status).toBe(204)
    const later = startCommand(['serve'], SETTINGS)
    await later.waitFor(/API at/)
    for (const server of [...servers, later]) {
      server.kill('SIGTERM')
      await server.ended
      for (const token of [first, second]) expect(server.stderr()).not.toContain(token)
    }
    expect(later.stdout()).not.toContain('setup')
    const { rows } = await pool.query('SELECT name, plan FROM companies')
    expect(rows).toEqual([{ name: 'Quay Street', plan: 'PREMIUM' }])
  })
})

describe('quoting companies create', () => {
  const create = (change: Record<string, string>, extra: string[] = [], input?: string) => {
    const options = {
      '--name': 'Harbor',
      '--country': 'US',
      '--currency': 'USD',
      '--time-zone': 'America/New_York',
      '--admin-email': 'maren@example.com',
      '--admin-name': 'Maren Holt',
      ...change,
    }
    return runCommand(['companies', 'create', ...Object.entries(options).flat(), ...extra], SETTINGS, input)
  }

  it('U2: creates a company and its administrator, and prints their ids', async () => {
    const { status, stdout, stderr } = await create({}, ['--plan', 'PRO'], 'a long password\n')
    expect([status, stderr]).toEqual([0, ''])
    const [, companyId = '', userId = ''] = /^company\t(co_\S+)\nuser\t(user_\S+)\n$/.exec(stdout) ?? []
    const { rows } = await pool.query(
      'SELECT name, plan, country, currency, time_zone FROM companies WHERE id = $1',
      [companyId],
    )
    expect(rows).toEqual([
      { name: 'Harbor', plan: 'PRO', country: 'US', currency: 'USD', time_zone: 'America/New_York' },
    ])
    const [user] = await findUsersByEmail(pool, 'maren@example.com')
    expect(user).toMatchObject({ id: userId, companyId, role: 'ADMIN', name: 'Maren Holt' })
    expect(await verifyPassword('a long password', user?.passwordHash ?? '')).toBe(true)
  })

  it('U2: has plan PREMIUM by default, and generates a password', async () => {
    const { stdout } = await create({ '--admin-email': 'theo@example.com' }, ['--generate'])
    const [, companyId, password = ''] = /^company\t(\S+)\nuser\t\S+\npassword\t(\S+)\n$/.exec(stdout) ?? []
    const [user] = await findUsersByEmail(pool, 'theo@example.com')
    expect(await verifyPassword(password, user?.passwordHash ?? '')).toBe(true)
    const { rows } = await pool.query('SELECT plan FROM companies WHERE id = $1', [companyId])
    expect(rows).toEqual([{ plan: 'PREMIUM' }])
  })

  it.each([
    [{ '--name': ' ' }, '--name " ": Enter the name of the company'],
    [{ '--country': 'us' }, '"us" is not an ISO 3166-1 country code'],
    [{ '--currency': 'dollar' }, '"dollar" is not an ISO 4217 currency code'],
    [{ '--time-zone': 'New York' }, '"New York" is not an IANA time zone'],
    [{ '--admin-email': 'maren' }, '--admin-email "maren": Enter an email address'],
    [{ '--admin-name': '' }, '--admin-name "": Enter a name'],
    [{ '--plan': 'GOLD' }, 'GOLD'],
  ])('U2: rejects %j', async (change, message) => {
    const { status, stderr } = await create(change, ['--generate'])
    expect(status).toBe(1)
    expect(stderr).toContain(message)
  })

  it('U2: has help', async () => {
    const { status, stdout } = await runCommand(['companies', 'create', '--help'], SETTINGS)
    expect(status).toBe(0)
    expect(stdout).toContain('default: "PREMIUM"')
    expect(stdout).toContain('one line from standard input')
  })
})
