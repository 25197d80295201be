/** Size limits of the console. */
import { connect } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { CONSOLE_ROUTES } from '../src/console/routes.ts'
import { IMPORT_PATHS, RECORD_PAGES } from '../src/core/record-kinds.ts'
import { signedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { CONTENT, LINE as CUSTOM_LINE } from './support/quote-content.ts'
import { rawRequest } from './support/raw.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import { watchedPool } from './support/watched-pool.ts'

const database = await createDatabase()
const { pool, connection } = database
await insertCompany(pool, 'co')
const server = await startServer(connection)
const admin = await signedIn(server, database, 'co')
const member = await signedIn(server, database, 'co', 'MEMBER')

const writing = CONSOLE_ROUTES.filter(({ method }) => method !== 'GET').map((route) => ({
  ...route,
  name: `${route.method} ${route.path}`,
}))
const fillPath = (path: string) => path.replace(':id', 'x')

/** Sends only the headers of a request with a body, so a handler that waits for the body never responds. */
const withoutBody = (method: string, path: string, headers: readonly string[]) =>
  server.raw(
    rawRequest(`${method} ${fillPath(path)} HTTP/1.1`, [
      'content-type: application/json',
      'content-length: 60000',
      ...headers,
    ]),
  )

const send = (method: string, path: string, body: string, cookie = admin.cookie) => {
  const type = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
  return server.call(fillPath(path), { method, headers: { cookie, ...type }, body })
}

describe('checks before reading the body', () => {
  it.each(writing)('$name: the session', async ({ method, path }) => {
    for (const headers of [[], ['cookie: eqs_session=guessed']])
      expect((await withoutBody(method, path, headers)).body).toMatchObject({
        error: { code: 'not_signed_in' },
      })
  })

  it.each(writing)('$name: the origin', async ({ method, path }) => {
    const headers = [`cookie: ${admin.cookie}`, 'origin: https://evil.example']
    expect((await withoutBody(method, path, headers)).body).toMatchObject({ error: { code: 'forbidden' } })
  })

  it.each(writing.filter(({ allowed }) => allowed?.includes('MEMBER') === false))(
    '$name: the role',
    async ({ method, path }) => {
      const answer = await withoutBody(method, path, [`cookie: ${member.cookie}`])
      expect(answer.body).toMatchObject({ error: { code: 'forbidden' } })
    },
  )

  it.each([
    ['POST', '/console/session'],
    ['DELETE', '/console/session'],
    ['DELETE', '/console/sessions'],
  ])('%s %s: the origin', async (method, path) => {
    const answer = await withoutBody(method, path, ['origin: https://evil.example'])
    expect(answer.body).toMatchObject({ error: { code: 'forbidden' } })
  })
})

describe('the session is checked again after the body has arrived', async () => {
  let lookups = 0
  const watched = watchedPool(connection, 'console', (text) => {
    if (text.includes('FROM sessions')) lookups++
  })
  const slow = await startServer(connection, { console: watched })

  it.each([
    ['co_signed_out', 401, `DELETE FROM sessions WHERE company_id = $1`],
    ['co_demoted', 403, `UPDATE users SET role = 'MEMBER' WHERE company_id = $1`],
  ])('%s: rejects the write', async (companyId, status, change) => {
    await insertCompany(pool, companyId)
    const { cookie } = await signedIn(slow, database, companyId)
    const body = JSON.stringify({ name: 'too late' })
    const before = lookups
    const socket = connect(slow.port, '127.0.0.1')
    socket.write(
      rawRequest('POST /console/settings/keys HTTP/1.1', [
        'content-type: application/json',
        `content-length: ${body.length}`,
        `cookie: ${cookie}`,
      ]),
    )
    await vi.waitFor(() => expect(lookups).toBeGreaterThan(before))
    await pool.query(change, [companyId])
    const answer = new Promise<string>((resolve) => void socket.once('data', (data) => resolve(String(data))))
    socket.write(body)
    expect(await answer).toContain(`HTTP/1.1 ${status}`)
    socket.destroy()
    const keys = await pool.query(`SELECT FROM api_keys WHERE company_id = $1`, [companyId])
    expect(keys.rowCount).toBe(0)
  })
})

/** Contracts, packages and files are larger than other bodies. */
const LARGE_BODIES = new Set([
  '/console/forms/:id',
  '/console/quotes/:id',
  '/console/settings/allowed-ips',
  '/console/settings/company',
  ...IMPORT_PATHS.map((path) => `/console/${path}/import`),
  ...Object.keys(RECORD_PAGES).flatMap((path) => [`/console/${path}`, `/console/${path}/:id`]),
])
const MIB: Record<number, string> = { [1024 * 1024]: '1 MiB', [7 * 1024 * 1024]: '7 MiB' }

describe('bodies', () => {
  it('of a sign-in have at most 8 KiB', async () => {
    const signIn = (password: string) =>
      send('POST', '/console/session', JSON.stringify({ email: 'a@b.example', password }), '')
    expect((await signIn('x'.repeat(8 * 1024))).body).toMatchObject({
      error: { code: 'body_too_large', message: 'The request body is too large. Send at most 8 KiB.' },
    })
    // The longest allowed password, with three bytes per character.
    expect((await signIn('€'.repeat(1_000))).status).toBe(401)
  })

  it.each(writing)('$name has a limit', async ({ method, path, bodyMaxBytes = 64 * 1024 }) => {
    const limit = MIB[bodyMaxBytes] ?? `${bodyMaxBytes / 1024} KiB`
    expect(bodyMaxBytes > 64 * 1024).toBe(LARGE_BODIES.has(path))
    expect((await send(method, path, 'x'.repeat(bodyMaxBytes + 1))).body).toMatchObject({
      error: {
        code: 'body_too_large',
        message: `The request body is too large. Send at most ${limit}.`,
      },
    })
  })

  it.each([
    ['array elements', `{"x":[${'1,'.repeat(30_000)}1]}`, 'the body must not hold more than 24000 values'],
    ['object members', `{${'"x":1,'.repeat(30_000)}"x":1}`, 'the body must not hold more than 24000 values'],
    [
      'nesting levels',
      `{"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      'the body must not be nested more than 16 levels deep',
    ],
  ])('have a limit for %s', async (_, body, message) => {
    const answer = await send('PUT', '/console/quotes/:id', body, member.cookie)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error: { code: 'invalid_body', message } })
  })

  const content = {
    ...CONTENT,
    serviceChargeIds: Array.from({ length: 20 }, (_, i) => `charge_${i}`),
  }
  const save = (line: object, lines = 1_000) =>
    send(
      'PUT',
      '/console/quotes/:id',
      JSON.stringify({
        version: '0'.repeat(64),
        content: { ...content, lines: Array.from({ length: lines }, () => line) },
      }),
    )
  const LINE = {
    ...CUSTOM_LINE,
    id: null,
    description: 'Commas, [brackets] and "quotes", '.repeat(20),
  }

  it('can contain the largest quote', async () => {
    expect((await save(LINE)).body).toMatchObject({ error: { message: 'Quote not found' } })
  })

  it('with an error in every line get the first 100 errors', async () => {
    const answer = await save({ ...LINE, priceCents: 'x', taxable: 'x' })
    const { details } = (answer.body as { error: { details: object } }).error
    expect(Object.keys(details)).toHaveLength(100)
    expect(Object.keys(details)).toEqual(
      expect.arrayContaining(['content.lines.0.priceCents', 'content.lines.49.taxable']),
    )
  })

  it('with a long unknown member get a message that does not repeat its name', async () => {
    const { text } = await send('POST', '/console/settings/keys', JSON.stringify({ ['x'.repeat(50_000)]: 1 }))
    expect(text).toContain('Unrecognized key')
    expect(text.length).toBeLessThan(2_000)
  })
})

describe('responses', () => {
  it.each([
    ['33 MiB of text', 'x', 33 * 1024 * 1024],
    ['6 MiB of text that is 36 MiB in JSON', '\u0001', 6 * 1024 * 1024],
  ])('have at most 32 MiB: %s', { timeout: 120_000 }, async (id, character, count) => {
    await pool.query(
      `INSERT INTO events (company_id, id, service_start_time, service_end_time, special_notes)
       VALUES ('co', $1, '2027-05-01T10:00:00Z', '2027-05-01T12:00:00Z', repeat($2, $3))`,
      [id, character, count],
    )
    const answer = await admin.call('GET', `events/${encodeURIComponent(id)}`)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      error: {
        code: 'invalid_parameter',
        message: 'The answer would be larger than 32 MiB. Ask for fewer objects at once.',
      },
    })
  })
})
