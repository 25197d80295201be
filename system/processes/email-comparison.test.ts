/** Emails are compared in the same way with any locale of the database. */
import * as fc from 'fast-check'
import { randomBytes } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { foldEmail } from '../../src/core/security/email.ts'
import { hashPassword } from '../../src/core/security/password.ts'
import { openPool, withClient } from '../../src/db/connect.ts'
import type { Connection } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import { transact } from '../../src/db/transaction.ts'
import { createUser, findUsersByEmail, listUserIdsByEmail } from '../../src/records/user/queries.ts'
import { atEnd } from '../../test/support/at-end.ts'
import { connectionUrl, onDatabase } from '../../test/support/connections.ts'
import { runCommand } from '../../test/support/process.ts'
import { insertCompany } from '../../test/support/records.ts'
import { startServer } from '../../test/support/server.ts'

/** In C.UTF-8, "İ" becomes "i" in lower case. In Turkish, "I" becomes "ı". */
const LOCALES: [name: string, options: string][] = [
  ['C', `LOCALE 'C'`],
  ['C.UTF-8', `LOCALE 'C.UTF-8'`],
  ['ICU, undetermined', `LOCALE_PROVIDER icu ICU_LOCALE 'und' LOCALE 'C'`],
  ['ICU, Turkish', `LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LOCALE 'C'`],
]

async function createWithLocale(options: string): Promise<Connection> {
  const server = inject('server')
  const name = `quoting_test_${randomBytes(6).toString('hex')}`
  await withClient(server, (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' ${options}`),
  )
  // Only a superuser can end an autovacuum worker with a connection to the database.
  atEnd(() => withClient(inject('superuser'), (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`)))
  const connection = onDatabase(server, name)
  await migrate(connection)
  return connection
}

const PASSWORD = 'correct horse battery'
const passwordHash = await hashPassword(PASSWORD)

describe.each(LOCALES)('in a database with locale %s', async (_, options) => {
  const connection = await createWithLocale(options)
  const pool = openPool(connection, 'data', () => undefined)
  atEnd(() => pool.end())
  const server = await startServer(connection)
  await insertCompany(pool, 'co_1')
  const create = (email: string) =>
    withClient(connection, (client) =>
      transact(client, () => createUser(client, 'co_1', { email, name: 'A', role: 'ADMIN', passwordHash })),
    )
  const signIn = async (email: string, password: string) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ email, password })
    return (await server.call('/console/session', { method: 'POST', headers, body })).status
  }
  await create('admin@example.com')
  await create('\u0130STANBUL@example.com')

  it.each([
    ['admin@example.com', 'ADMIN@EXAMPLE.COM'],
    ['admin@example.com', 'aDmIn@Example.Com'],
    ['\u0130STANBUL@example.com', '\u0130stanbul@example.com'],
  ])('%j matches %j', async (stored, typed) => {
    expect((await findUsersByEmail(pool, typed)).map(({ email }) => email)).toEqual([stored])
    expect(await listUserIdsByEmail(pool, 'co_1', typed)).toHaveLength(1)
    expect(await create(typed)).toBe('address taken')
    expect(await signIn(typed, PASSWORD)).toBe(204)
  })

  it.each(['adm\u0130n@example.com', 'adm\u0131n@example.com', 'i\u0307stanbul@example.com'])(
    '%j matches no user, and cannot be used for guesses at another user',
    async (typed) => {
      expect(await findUsersByEmail(pool, typed)).toEqual([])
      expect(await listUserIdsByEmail(pool, 'co_1', typed)).toEqual([])
      expect(await signIn(typed, PASSWORD)).toBe(401)
    },
  )

  it('the sign-in throttle and the database treat the same emails as equal', async () => {
    const letters = fc.constantFrom(
      ...Array.from('aAiIkKsS\u0130\u0131\u212a\u017f\u00df\u1e9e\u03a3\u03c3\u03c2\u00c9\u00e9@.'),
    )
    const email = fc.string({ unit: letters, maxLength: 12 })
    const any = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('\0', ''))
    const texts = fc.sample(fc.oneof(email, any), 2_000)
    const { rows } = await pool.query<{ text: string; folded: string }>(
      `SELECT t AS text, lower(t COLLATE "C") AS folded FROM unnest($1::text[]) t`,
      [texts],
    )
    expect(rows).toHaveLength(texts.length)
    for (const { text, folded } of rows) expect(folded).toBe(foldEmail(text))
  })

  it('the command line treats an email in another case as the same user', async () => {
    const settings = {
      DATABASE_URL: connectionUrl(connection),
      APP_SECRET: 'a secret of thirty-two characters',
    }
    const user = ['--company', 'co_1', '--email', 'ADMIN@EXAMPLE.COM']
    const args = ['users', 'create', ...user, '--name', 'A', '--role', 'ADMIN', '--generate']
    expect(await runCommand(args, settings)).toMatchObject({ status: 1, stdout: '' })
    expect(await runCommand(['users', 'disable', ...user], settings)).toMatchObject({ status: 0 })
    expect(await findUsersByEmail(pool, 'admin@example.com')).toEqual([])
  })
})
