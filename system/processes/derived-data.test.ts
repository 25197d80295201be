/**
 * Derived data: calendar stretches, first and last start times, assignments of events, and the end of sessions. No trigger
 * maintains it.
 */
import { randomBytes } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { writeBackup } from '../../src/backup/backup.ts'
import { restoreBackup } from '../../src/backup/restore.ts'
import { DUMMY_HASH } from '../../src/core/security/password.ts'
import { withClient } from '../../src/db/connect.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { findQuoteForEdit } from '../../src/records/quote/edit.ts'
import { createSession, findSignedInUser } from '../../src/records/session/queries.ts'
import { disableUser, enableUser, setPassword } from '../../src/records/user/queries.ts'
import { checkDerived, repairAfterMigration, repairDerived } from '../../src/world/derived.ts'
import { connectionUrl } from '../../test/support/connections.ts'
import { createDatabase } from '../../test/support/database.ts'
import { bookQuote, markLost, markSent, reopenQuote, saveQuote } from '../../test/support/quote-actions.ts'
import { expectAssignments, expectCalendar } from '../../test/support/derived.ts'
import { runCommand, startCommand } from '../../test/support/process.ts'
import { createBareDatabase } from '../../test/support/schema.ts'
import { MINIMAL, clearWorld, importValid } from '../../test/support/world.ts'
import type { TestRecord } from '../../test/support/world.ts'

const { pool, connection } = await createDatabase()
const COMPANIES = ['c1', 'c2']
const QUOTES = ['q1', 'q2', 'q3']
const USERS = ['u1', 'u2']
const HASHES = [DUMMY_HASH, DUMMY_HASH.replace('ln=15', 'ln=14')]
const DAY_MS = 86_400_000

const companyRecord = (id: string): TestRecord => ({ ...MINIMAL.company, id })
const quoteRecord = (companyId: string, id: string, fields: TestRecord = {}): TestRecord => ({
  ...MINIMAL.quote,
  companyId,
  id,
  ...fields,
})
const dayRecord = (companyId: string, id: string, quoteId: string, start: string): TestRecord => ({
  ...MINIMAL.serviceDay,
  companyId,
  id,
  quoteId,
  serviceStartTime: start,
  serviceEndTime: start,
})
const eventRecord = (companyId: string, id: string, fields: TestRecord = {}): TestRecord => ({
  ...MINIMAL.event,
  companyId,
  id,
  ...fields,
})
const userRecord = (companyId: string, id: string, fields: TestRecord = {}): TestRecord => ({
  ...MINIMAL.user,
  companyId,
  id,
  email: `${id}@example.com`,
  ...fields,
})

beforeEach(async () => {
  await clearWorld(pool)
  await pool.query('TRUNCATE quote_stretches, event_assignments')
  await importValid(
    connection,
    COMPANIES.flatMap((company) => [
      companyRecord(company),
      ...USERS.map((id) => userRecord(company, id)),
      ...QUOTES.map((id) => quoteRecord(company, id)),
      dayRecord(company, 'd1', 'q1', '2026-06-01T10:00:00.000Z'),
      eventRecord(company, 'e1', { staffIds: ['s1', 's2'], resourceIds: ['r1'] }),
    ]),
  )
})

/** Few ids and days, so that days share stretches and many changes affect the same rows. */
const company = fc.constantFrom(...COMPANIES)
const quote = fc.constantFrom(...QUOTES)
const user = fc.constantFrom(...USERS)
const hash = fc.constantFrom(...HASHES)
const time = (...times: (string | null | undefined)[]) => fc.constantFrom(...times)
const start = fc.oneof(
  fc.constantFrom('0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'),
  fc
    .tuple(fc.integer({ min: 0, max: 40 }), fc.constantFrom(0, 1, DAY_MS - 1))
    .map(([day, moment]) => new Date(Date.UTC(2026, 0, 1) + day * DAY_MS + moment).toISOString()),
)

/** The sessions that must exist: `company user` by the hash of its token. */
type Sessions = Map<string, string>
type Change = (sessions: Sessions) => Promise<void>

function endSessions(sessions: Sessions, companyId: string, id: string): void {
  for (const [token, owner] of sessions) if (owner === `${companyId} ${id}`) sessions.delete(token)
}

async function readUser(companyId: string, id: string): Promise<{ hash: string; disabled: boolean }> {
  const { rows } = await pool.query<{ hash: string; disabled: boolean }>(
    `SELECT password_hash AS hash, disabled_at IS NOT NULL AS disabled FROM users WHERE company_id = $1 AND id = $2`,
    [companyId, id],
  )
  return rows[0] ?? { hash: '', disabled: false }
}

const dayId = fc.constantFrom('d1', 'd2', 'd3', 'd4', 'd5')
const importedQuotes = fc.uniqueArray(
  fc.record({
    company,
    id: quote,
    createdAt: time('2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', undefined),
    deletedAt: time('2026-03-01T00:00:00.000Z', null),
  }),
  { selector: (one) => `${one.company} ${one.id}`, maxLength: 3 },
)
const importedDays = fc.uniqueArray(fc.record({ company, id: dayId, quote, start }), {
  selector: (one) => `${one.company} ${one.id}`,
  maxLength: 4,
})
const importedUsers = fc.uniqueArray(
  fc.record({ company, id: user, passwordHash: hash, disabledAt: time('2026-03-01T00:00:00.000Z', null) }),
  { selector: (one) => `${one.company} ${one.id}`, maxLength: 2 },
)

const assigned = (...ids: string[]) => fc.subarray(ids)
const importedEvents = fc.uniqueArray(
  fc.record({
    company,
    id: fc.constantFrom('e1', 'e2', 'e3'),
    createdAt: time('2026-01-01T00:00:00.000Z', undefined),
    serviceStartTime: start,
    serviceEndTime: start,
    shiftStartTime: fc.option(start),
    shiftEndTime: fc.option(start),
    staffIds: assigned('s1', 's2', 's3'),
    resourceIds: assigned('r1', 's1'),
  }),
  { selector: (one) => `${one.company} ${one.id}`, maxLength: 3 },
)

const importing = fc
  .record({ quotes: importedQuotes, days: importedDays, users: importedUsers, events: importedEvents })
  .map(({ quotes, days, users, events }): Change => async (sessions) => {
    for (const { company: c, id, passwordHash, disabledAt } of users) {
      const before = await readUser(c, id)
      if (before.hash !== passwordHash || (disabledAt !== null && !before.disabled))
        endSessions(sessions, c, id)
    }
    await importValid(connection, [
      ...users.map(({ company: c, id, ...fields }) => userRecord(c, id, fields)),
      ...quotes.map(({ company: c, id, ...fields }) => quoteRecord(c, id, fields)),
      ...days.map((day) => dayRecord(day.company, day.id, day.quote, day.start)),
      ...events.map(({ company: c, id, ...fields }) => eventRecord(c, id, fields)),
    ])
  })

/** An action on the stored quote. Many are rejected because the quote is deleted, lost or booked. */
const acting = fc
  .record({
    company,
    id: quote,
    cents: fc.nat(1_000),
    action: fc.constantFrom('save', 'send', 'lose', 'reopen', 'book'),
  })
  .map(({ company: c, id, cents, action }): Change => async () => {
    const found = await findQuoteForEdit(pool, c, id)
    if (found === null) return
    const { version, content } = found
    if (action === 'save') await saveQuote(pool, c, id, version, { ...content, baseFeeCents: cents })
    if (action === 'send') await markSent(pool, c, id, version, null)
    if (action === 'lose') await markLost(pool, c, id, version, 'PRICE')
    if (action === 'reopen') await reopenQuote(pool, c, id, version)
    if (action === 'book') await bookQuote(pool, c, id, version)
  })

const BROWSER = { userAgent: null, address: null }

const usersChange = fc
  .record({ company, id: user, hash, action: fc.constantFrom('sign in', 'password', 'disable', 'enable') })
  .map(({ company: c, id, hash: passwordHash, action }): Change => async (sessions) => {
    if (action === 'sign in') {
      const tokenHash = randomBytes(32).toString('hex')
      if (await createSession(pool, c, { userId: id, tokenHash, passwordHash, ...BROWSER }))
        sessions.set(tokenHash, `${c} ${id}`)
      return
    }
    if (action !== 'enable') endSessions(sessions, c, id)
    await inTransaction(pool, async (client) => {
      if (action === 'password') await setPassword(client, c, id, passwordHash)
      if (action === 'disable') await disableUser(client, c, id)
      if (action === 'enable') await enableUser(client, c, id)
    })
  })

const change = fc.oneof(
  // An import takes as long as ten sign-ins.
  { weight: 3, arbitrary: importing },
  { weight: 4, arbitrary: acting },
  { weight: 13, arbitrary: usersChange },
)

async function expectSessions(sessions: Sessions): Promise<void> {
  const { rows } = await pool.query<{ token: string }>(
    'SELECT token_hash AS token FROM sessions ORDER BY token_hash',
  )
  expect(rows.map(({ token }) => token)).toEqual([...sessions.keys()].toSorted())
}

describe('derived data', () => {
  it('matches a full recount after 1,000 random changes', async () => {
    const changes = fc.array(change, { minLength: 1_000, maxLength: 1_000 })
    const property = fc.asyncProperty(changes, async (all) => {
      const sessions: Sessions = new Map()
      for (const [index, apply] of all.entries()) {
        await apply(sessions)
        if (index % 10 !== 9) continue
        await expectCalendar(pool)
        await expectAssignments(pool)
        await expectSessions(sessions)
      }
      expect(await checkDerived(connection, () => undefined)).toBe(0)
    })
    await fc.assert(property, { numRuns: 1, endOnFailure: true })
  }, 240_000)

  it('is maintained without triggers', async () => {
    const { rows } = await pool.query('SELECT tgname FROM pg_trigger WHERE NOT tgisinternal')
    expect(rows).toEqual([])
  })

  it('matches after concurrent imports that move days of the same quote', async () => {
    const at = (day: number) => `2026-06-${String(day).padStart(2, '0')}T10:00:00.000Z`
    await Promise.all(
      [2, 3, 4, 5].map((day) =>
        importValid(connection, [
          quoteRecord('c1', 'q1', { deletedAt: day % 2 === 0 ? at(1) : null }),
          dayRecord('c1', 'd1', day % 2 === 0 ? 'q1' : 'q2', at(day)),
          dayRecord('c1', `d${day}`, 'q1', at(day)),
        ]),
      ),
    )
    await expectCalendar(pool)
  })

  it('is the same after a backup and a restore', async () => {
    const file = new PassThrough()
    const chunks: Buffer[] = []
    file.on('data', (chunk: Buffer) => chunks.push(chunk))
    await writeBackup(connection, file, undefined)
    const target = await createBareDatabase()
    await restoreBackup(target.connection, Readable.from(chunks))
    await expectCalendar(target.pool)
    await expectAssignments(target.pool)
    expect((await target.pool.query('SELECT FROM quote_stretches')).rowCount).toBe(10)
  })
})

describe('a manual change in SQL', () => {
  const EXTRA = `
    INSERT INTO quote_stretches (company_id, stretch, quote_created_at, quote_id) VALUES ('c1', 7, now(), 'q2')`
  const signIn = (tokenHash: string) =>
    createSession(pool, 'c1', { userId: 'u1', tokenHash, passwordHash: DUMMY_HASH, ...BROWSER })
  const WRONG_STRETCHES = 'quote_stretches does not match the service days'
  const WRONG_START_TIMES = 'first and last start time do not match the service days'
  const WRONG_ASSIGNMENTS = 'event_assignments does not match the event'
  const STALE_SESSION = 'a session outlived the password or the disabling'

  it.each([
    [
      'a removed day',
      'DELETE FROM service_days',
      [
        `company "c1", quote "q1": ${WRONG_STRETCHES}`,
        `company "c1", quote "q1": ${WRONG_START_TIMES}`,
        `company "c2", quote "q1": ${WRONG_STRETCHES}`,
        `company "c2", quote "q1": ${WRONG_START_TIMES}`,
      ],
    ],
    [
      'a deleted quote',
      `UPDATE quotes SET deleted_at = now() WHERE company_id = 'c1'`,
      [`company "c1", quote "q1": ${WRONG_STRETCHES}`],
    ],
    ['an additional stretch', EXTRA, [`company "c1", quote "q2": ${WRONG_STRETCHES}`]],
    [
      'a removed stretch',
      `DELETE FROM quote_stretches WHERE company_id = 'c2' AND stretch < 67108864`,
      [`company "c2", quote "q1": ${WRONG_STRETCHES}`],
    ],
    [
      'another start time',
      `UPDATE quotes SET last_start_time = NULL WHERE company_id = 'c2'`,
      [`company "c2", quote "q1": ${WRONG_START_TIMES}`],
    ],
    [
      'a moved event',
      `UPDATE events SET shift_end_time = now() + interval '9 years' WHERE company_id = 'c2'`,
      [`company "c2", event "e1": ${WRONG_ASSIGNMENTS}`],
    ],
    [
      'a removed event',
      `DELETE FROM events WHERE company_id = 'c1'`,
      [`company "c1", event "e1": ${WRONG_ASSIGNMENTS}`],
    ],
    [
      'another password',
      `UPDATE users SET password_hash = 'x'`,
      [`company "c1", user "u1": ${STALE_SESSION}`],
    ],
    [
      'a disabled user',
      `UPDATE users SET disabled_at = now()`,
      [`company "c1", user "u1": ${STALE_SESSION}`],
    ],
  ])('is found and repaired: %s', async (_, sql, expected) => {
    await signIn('a'.repeat(64))
    await pool.query(sql)
    const findings: string[] = []
    expect(await checkDerived(connection, (finding) => findings.push(finding))).toBe(expected.length)
    expect(findings).toEqual(expected)
    expect(await repairDerived(connection)).toBe(expected.length)
    expect(await checkDerived(connection, () => undefined)).toBe(0)
    await expectCalendar(pool)
    await expectAssignments(pool)
  })

  it('of the password invalidates sessions immediately, before a repair', async () => {
    const tokenHash = 'b'.repeat(64)
    await signIn(tokenHash)
    expect(await findSignedInUser(pool, 'c1', tokenHash)).toMatchObject({ id: 'u1' })
    await pool.query(`UPDATE users SET password_hash = 'x'`)
    expect(await findSignedInUser(pool, 'c1', tokenHash)).toBeNull()
  })

  it('of a user invalidates sessions of the previous release after a repair', async () => {
    await signIn('c'.repeat(64))
    await pool.query('UPDATE sessions SET password_digest = NULL')
    expect(await findSignedInUser(pool, 'c1', 'c'.repeat(64))).toMatchObject({ id: 'u1' })
    expect(await repairDerived(connection)).toBe(0)
    await pool.query(`UPDATE users SET password_hash = 'x', updated_at = now() + interval '1 s'`)
    expect(await repairDerived(connection)).toBe(1)
    expect((await pool.query('SELECT FROM sessions')).rowCount).toBe(0)
  })

  it('is repaired by processes that start within a day of the migration only', async () => {
    const older = (interval: string) =>
      pool.query(`UPDATE schema_migrations SET applied_at = now() - $1::interval`, [interval])
    await pool.query(EXTRA)
    await older('25 hours')
    expect(await repairAfterMigration(connection)).toBe(0)
    await older('23 hours')
    expect(await repairAfterMigration(connection)).toBe(1)
    await expectCalendar(pool)
  })

  const settings = {
    DATABASE_URL: connectionUrl(connection),
    APP_SECRET: 'a secret of thirty-two characters',
    PORT: '0',
  }

  it('is reported by doctor, and corrected with --repair', async () => {
    await pool.query(EXTRA)
    const found = await runCommand(['doctor'], settings)
    expect(found.status).toBe(1)
    expect(found.stderr).toContain(`company "c1", quote "q2": ${WRONG_STRETCHES}\n`)
    expect(found.stderr).toMatch(/"quoting doctor --repair" corrects derived data\.\n$/)
    const repaired = await runCommand(['doctor', '--repair'], settings)
    expect(repaired.stdout).toBe('Repaired 1 deviation(s) of derived data.\n')
    expect(repaired.stderr).not.toContain('quote_stretches')
    await expectCalendar(pool)
  })

  it('is repaired by serve, which logs it', async () => {
    await pool.query(EXTRA)
    await pool.query('UPDATE schema_migrations SET applied_at = now()')
    const serving = startCommand(['serve'], settings)
    await serving.waitFor(/API at/)
    await expect
      .poll(() => serving.stdout() + serving.stderr())
      .toContain('derived data was wrong and is repaired')
    await expectCalendar(pool)
    serving.kill('SIGTERM')
    expect(await serving.ended).toBe(0)
  })
})

describe('a concurrent sign-in', () => {
  it('leaves no session after an import with another password', async () => {
    const tokenHash = 'd'.repeat(64)
    await withClient(connection, async (client) => {
      await client.query('BEGIN')
      expect(
        await createSession(client, 'c1', { userId: 'u1', tokenHash, passwordHash: DUMMY_HASH, ...BROWSER }),
      ).toBe(true)
      const imported = importValid(connection, [userRecord('c1', 'u1', { passwordHash: HASHES[1] })])
      const countWaiting = async () => (await pool.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount
      await expect.poll(countWaiting).toBeGreaterThan(0)
      await client.query('COMMIT')
      await imported
    })
    expect((await pool.query('SELECT FROM sessions')).rowCount).toBe(0)
  })
})
