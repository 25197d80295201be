/** Two cells behind a real haproxy with the configuration of docs/haproxy-cells.cfg. */
import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { createFormTokens } from '../src/core/security/form-token.ts'
import { createInvoiceTokens } from '../src/core/security/invoice-token.ts'
import { companyLink, hashLinkToken, newLinkToken } from '../src/core/security/link-token.ts'
import { createQuoteTokens } from '../src/core/security/quote-token.ts'
import { hashApiKey } from '../src/core/security/api-key.ts'
import { APP_SECRET, startCells } from '../test/support/cells.ts'
import type { Cell } from '../test/support/cells.ts'
import { PASSWORD, emailOf } from '../test/support/console.ts'
import { runCommand } from '../test/support/process.ts'

const COMPANIES = { a: 'harbor', b: 'rivage' }
const cells = await startCells(COMPANIES)
const { url, api } = cells
const pairs: [string, Cell][] = [
  [COMPANIES.a, cells.a],
  [COMPANIES.b, cells.b],
]

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** The page behind a link, without following redirects. */
const open = (link: string) => fetch(link, { redirect: 'manual' })

describe('keys', () => {
  it('are routed to their cells', async () => {
    for (const [company] of pairs) {
      const answer = await api(company, '/api/locations/loc')
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ name: `Quay of ${company}` })
    }
    expect((await fetch(`${url}/api/locations`)).status).toBe(401)
    const unknown = { headers: { 'x-api-key': 'a-key-of-no-company' } }
    expect((await fetch(`${url}/api/locations`, unknown)).status).toBe(401)
  })

  it('are found after their creation, and rejected after they are revoked', async () => {
    const { settings } = cells.b
    const created = await runCommand(['keys', 'create', '--company', COMPANIES.b, '--name', 'Site'], settings)
    const key = created.stdout.trim()
    const read = () => fetch(`${url}/api/locations/loc`, { headers: { 'x-api-key': key } })
    await vi.waitFor(async () => expect((await read()).status).toBe(200), { timeout: 20_000 })
    expect(await (await read()).json()).toMatchObject({ name: `Quay of ${COMPANIES.b}` })
    const entry = `k:${hashApiKey(key)} b\n`
    expect(readFileSync(cells.mapFile, 'utf8')).toContain(entry)

    const listed = await runCommand(['keys', 'list', '--company', COMPANIES.b], settings)
    const [id = ''] = listed.stdout.trim().split('\n').at(-1)?.split('\t') ?? []
    expect(await runCommand(['keys', 'revoke', id, '--company', COMPANIES.b], settings)).toMatchObject({
      status: 0,
    })
    await vi.waitFor(async () => expect((await read()).status).toBe(401), { timeout: 20_000 })
    const isGone = () => expect(readFileSync(cells.mapFile, 'utf8')).not.toContain(entry)
    await vi.waitFor(isGone, { timeout: 20_000 })
    expect((await read()).status).toBe(401)
  })

  it('are only hashes in the map', async () => {
    const { stdout } = await runCommand(['cells', 'map'], cells.settings)
    expect(stdout).toMatch(/^(([kucf]):\S+ [ab]\n)+$/)
    for (const [company, { name }] of pairs) {
      expect(stdout).not.toContain(`a-plain-key-of-${company}`)
      expect(stdout).toContain(`k:${hashApiKey(`a-plain-key-of-${company}`)} ${name}\n`)
    }
  })
})

describe('links without a key', () => {
  it('of invoices and quotes open in their cells', async () => {
    for (const [company] of pairs) {
      const invoice = (await (await api(company, '/api/invoices/inv')).json()) as { url: string }
      expect(invoice.url).toMatch(/\/i\/[\w-]+\.[\w-]+$/)
      const page = await open(invoice.url)
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(`1 of ${company}`)])
      expect((await open(`${invoice.url}/pdf`)).status).toBe(200)
      const quote = (await (await api(company, '/api/quotes/q/link')).json()) as { url: string }
      expect((await open(quote.url)).status).toBe(200)
    }
  })

  it('from before the cells redirect to the same link with its company', async () => {
    for (const [companyId] of pairs) {
      const links = [
        `i/${createInvoiceTokens(APP_SECRET).seal({ companyId, invoiceId: 'inv' })}`,
        `q/${createQuoteTokens(APP_SECRET).seal({ companyId, quoteId: 'q', revision: 1 })}`,
      ]
      for (const link of links) {
        const redirect = await open(`${url}/${link}`)
        expect(redirect.status).toBe(308)
        const location = redirect.headers.get('location') ?? ''
        expect(location).toBe(`${url}/${link}.${Buffer.from(companyId).toString('base64url')}`)
        expect((await open(location)).status).toBe(200)
      }
    }
  })

  it('of forms and logos open in their cells', async () => {
    for (const [company, { pool }] of pairs) {
      const form = await open(`${url}/f/form-of-${company}`)
      const html = await form.text()
      expect([form.status, html]).toEqual([200, expect.stringContaining(`The company ${company}`)])
      const [, logo = ''] = /src="(\/logo\/[^"]+)"/.exec(html) ?? []
      const image = await open(url + logo)
      expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])

      await pool.query(
        `INSERT INTO forms (company_id, id, name, purpose, published_at) VALUES ($1, 'details', 'Details', 'BOOKING', now())`,
        [company],
      )
      const ref = { companyId: company, formId: 'details', bookingId: 'book' }
      const page = await fetch(`${url}/f/b/${createFormTokens(APP_SECRET).seal(ref)}`)
      expect(page.redirected).toBe(true)
      expect([page.status, await page.text()]).toEqual([
        200,
        expect.stringContaining(`The company ${company}`),
      ])
    }
  })
})

describe('the application', () => {
  it('has one sign-in page for all cells, and routes sessions to their cells', async () => {
    for (const [company] of pairs) {
      const email = ` ${emailOf('ADMIN', company).toUpperCase()}`
      const answer = await post('/console/session', { email, password: PASSWORD })
      expect(answer.status).toBe(204)
      const [cookie = ''] = answer.headers.getSetCookie()[0]?.split(';') ?? []
      const session = await fetch(`${url}/console/session`, { headers: { cookie } })
      expect(await session.json()).toMatchObject({ session: { company: { id: company } } })
      // A sign-in to the other cell is routed there, although the browser has a session here.
      for (const [other] of pairs) {
        const login = { email: emailOf('ADMIN', other), password: PASSWORD }
        expect((await post('/console/session', login, { cookie })).status).toBe(204)
      }
      const wrong = { email, password: 'another password' }
      expect((await post('/console/session', wrong)).status).toBe(401)
    }
  })

  it('opens invitations in their cells', async () => {
    for (const [company, { pool }] of pairs) {
      const token = newLinkToken()
      await pool.query(
        `INSERT INTO invitations (company_id, id, email, role, token_hash, expires_at)
         VALUES ($1, 'inv', 'nadia@example.com', 'MEMBER', $2, now() + interval '1 day')`,
        [company, hashLinkToken(token)],
      )
      const link = companyLink(company, token)
      expect((await open(`${url}/invite/${link}`)).status).toBe(200)
      const opened = await post('/console/links/open', { kind: 'invite', token: link })
      expect(await opened.json()).toMatchObject({ companyName: `The company ${company}` })
      const joined = { token: link, name: 'Nadia Roy', password: 'a new password' }
      expect((await post('/console/links/invite', joined)).status).toBe(204)
    }
  })
})

describe('quoting cells', () => {
  it('reports missing settings, without passwords', async () => {
    const none = await runCommand(['cells', 'map'], {})
    expect([none.status, none.stderr]).toEqual([1, expect.stringContaining('CELLS must name the cells')])
    const wrong = await runCommand(['cells', 'map'], { CELLS: `a=${cells.a.settings.DATABASE_URL} B=hidden` })
    expect(wrong.status).toBe(1)
    expect(wrong.stderr).toMatch(/CELLS must be names and PostgreSQL URLs/)
    expect(wrong.stderr).not.toContain('hidden')
    const follow = await runCommand(['cells', 'map', '--follow'], cells.settings)
    expect([follow.status, follow.stderr]).toEqual([1, expect.stringContaining('need --file')])
  })
})
