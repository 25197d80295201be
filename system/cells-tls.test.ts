/** Two cells behind a real haproxy with TLS, as in production, also while one of them is down. */
import { readFileSync } from 'node:fs'
import { connect } from 'node:http2'
import type { IncomingHttpHeaders } from 'node:http2'
import { describe, expect, it, vi } from 'vitest'
import { hashApiKey } from '../src/core/security/api-key.ts'
import { startCells } from '../test/support/cells.ts'
import type { Cell } from '../test/support/cells.ts'
import { PASSWORD, emailOf } from '../test/support/console.ts'
import { SETUP } from '../test/support/links.ts'
import { runCommand } from '../test/support/process.ts'

const COMPANIES = { a: 'harbor', b: 'rivage' }
const cells = await startCells(COMPANIES, { isTls: true })
const { url, api, ca } = cells
const pairs: [string, Cell][] = [
  [COMPANIES.a, cells.a],
  [COMPANIES.b, cells.b],
]

/** Sends a request like a browser, with the origin of the page. */
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  cells.fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, ...headers },
    body: JSON.stringify(body),
  })

const signIn = (company: string, password = PASSWORD) =>
  post('/console/session', { email: emailOf('ADMIN', company), password })

const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''

const isAnsweredBy = async (company: string, cookie: string) => {
  const session = await cells.fetch(`${url}/console/session`, { headers: { cookie } })
  expect(await session.json()).toMatchObject({ session: { company: { id: company } } })
}

/** Browsers send each cookie in a separate header. */
async function getByHttp2(path: string, cookies: string[]): Promise<unknown> {
  const session = connect(url, { ca })
  try {
    return await new Promise((resolve, reject) => {
      const headers = { ':path': path, cookie: cookies } as unknown as IncomingHttpHeaders
      const stream = session.request(headers)
      let text = ''
      stream.setEncoding('utf8')
      stream.on('data', (chunk: string) => (text += chunk))
      stream.on('end', () => resolve(JSON.parse(text)))
      stream.on('error', reject)
    })
  } finally {
    session.close()
  }
}

const createKey = async ({ settings }: Cell, company: string) => {
  const created = await runCommand(['keys', 'create', '--company', company, '--name', 'Site'], settings)
  expect(created).toMatchObject({ status: 0 })
  return created.stdout.trim()
}

const statusOf = async (key: string) =>
  (await cells.fetch(`${url}/api/locations/loc`, { headers: { 'x-api-key': key } })).status

const becomes = (status: number, ask: () => Promise<number>) =>
  vi.waitFor(async () => expect(await ask()).toBe(status), { timeout: 20_000, interval: 100 })

describe('with TLS', () => {
  it('redirects plain HTTP to HTTPS', async () => {
    const redirect = await fetch(`${cells.plainUrl}/quotes`, { redirect: 'manual' })
    expect([redirect.status, redirect.headers.get('location')]).toEqual([
      308,
      `${cells.plainUrl.replace('http:', 'https:')}/quotes`,
    ])
  })

  it('routes a session of the application to its cell, with HTTP/1.1 and HTTP/2', async () => {
    for (const [company] of pairs) {
      const answer = await signIn(company)
      expect(answer.status).toBe(204)
      expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-eqs_session=.*; Secure/)
      const cookie = cookieOf(answer)
      await isAnsweredBy(company, cookie)
      await isAnsweredBy(company, `other=1; ${cookie}`)
      const answered = await getByHttp2('/console/session', ['other=1', cookie])
      expect(answered).toMatchObject({ session: { company: { id: company } } })
      const leads = await cells.fetch(`${url}/console/contacts`, { headers: { cookie } })
      expect(leads.status).toBe(200)
    }
  })

  it('routes a password reset link to its cell', async () => {
    for (const [company, { pool }] of pairs) {
      const cookie = cookieOf(await signIn(company))
      const { rows } = await pool.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [
        emailOf('ADMIN', company),
      ])
      const made = await post(`/console/settings/people/${rows[0]?.id}/reset-link`, {}, { cookie })
      const link = ((await made.json()) as { url: string }).url
      expect(link).toMatch(new RegExp(`^${url}/reset/`))
      expect((await cells.fetch(link)).status).toBe(200)
      const token = link.split('/').at(-1) ?? ''
      const opened = await post('/console/links/open', { kind: 'reset', token })
      expect(await opened.json()).toMatchObject({ companyName: `The company ${company}` })
      const reset = await post('/console/links/reset', { token, password: 'another new password' })
      expect(reset.status).toBe(204)
      await isAnsweredBy(company, cookieOf(reset))
      expect((await signIn(company, 'another new password')).status).toBe(204)
    }
  })
})

describe('while a cell is down', () => {
  it('routes its keys to it, and finds new keys of the other cell', async () => {
    const [keyA, keyB] = [`a-plain-key-of-${COMPANIES.a}`, `a-plain-key-of-${COMPANIES.b}`]
    const entry = `k:${hashApiKey(keyA)} a\n`
    await vi.waitFor(() => expect(readFileSync(cells.mapFile, 'utf8')).toContain(entry))
    await cells.a.proxy.refuse()
    const notRead = /entries stay as they are: cell a cannot be read/
    await vi.waitFor(() => expect(cells.following.stderr()).toMatch(notRead), { timeout: 20_000 })
    // The cell itself responds while its database is unavailable.
    await becomes(503, () => statusOf(keyA))
    const answer = await api(COMPANIES.a, '/api/locations/loc')
    expect(await answer.json()).toMatchObject({ error: { code: 'auth_service_unavailable' } })

    cells.a.serving.kill('SIGKILL')
    await cells.a.serving.ended
    const newB = await createKey(cells.b, COMPANIES.b)
    await becomes(200, () => statusOf(newB))
    expect([await statusOf(keyA), await statusOf(keyB)]).toEqual([503, 200])
    expect(readFileSync(cells.mapFile, 'utf8')).toContain(entry)
  })

  it('serves the files of the application from the other cell', async () => {
    const page = await cells.fetch(`${url}/`)
    const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(await page.text()) ?? []
    expect([page.status, script]).toEqual([200, expect.stringMatching(/\.js$/)])
    expect((await cells.fetch(new URL(script, `${url}/`).href)).status).toBe(200)
    expect((await signIn(COMPANIES.b, 'another new password')).status).toBe(204)
    expect((await signIn(COMPANIES.a, 'another new password')).status).toBe(503)
    expect(await statusOf('a-key-of-no-company')).toBe(401)
  })

  it('finds its new keys when it is back', async () => {
    await cells.a.proxy.forward()
    cells.a.serving = await cells.a.serve()
    await becomes(200, () => statusOf(`a-plain-key-of-${COMPANIES.a}`))
    const key = await createKey(cells.a, COMPANIES.a)
    await becomes(200, () => statusOf(key))
    expect(cells.following.stderr()).toMatch(/the cells are followed again\n$/)
  })
})

describe('the setup link of an empty cell', () => {
  it('works at the common address if it is the first cell', async () => {
    cells.a.serving.kill('SIGKILL')
    await cells.a.serving.ended
    await cells.a.pool.query('TRUNCATE companies CASCADE')
    cells.a.serving = await cells.a.serve()
    const [link = '', token = ''] = await cells.a.serving.waitFor(/https:\S+\/setup\/(\S+)/)
    expect((await cells.fetch(link)).status).toBe(200)
    const opened = () => post('/console/links/open', { kind: 'setup', token })
    await becomes(200, async () => (await opened()).status)
    const made = await post('/console/links/setup', { token, ...SETUP })
    expect(made.status).toBe(204)
    const { email, password } = SETUP.user
    await becomes(204, async () => (await post('/console/session', { email, password })).status)
    const { rows } = await cells.a.pool.query<{ name: string }>('SELECT name FROM companies')
    expect(rows).toEqual([{ name: SETUP.company.name }])
  })
})
