import { readFileSync, readdirSync } from 'node:fs'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { hashRevision } from '../src/core/quotes/revision-hash.ts'
import { verifyDatabase, verifyFile } from '../src/world/verify.ts'
import { CONSOLE_REQUESTS } from './support/console-requests.ts'
import { signedIn } from './support/console.ts'
import { REVISION_TEXT } from './support/revision.ts'
import { ACCEPT, createCustomerPages } from './support/customer-quote.ts'
import { importWorld } from '../src/world/import.ts'
import { exportText } from './support/world.ts'

const { pool, connection, server, sentQuote, post, api } = await createCustomerPages()

const importText = (text: string) => importWorld(connection, Readable.from([Buffer.from(text)]))

const stored = async () =>
  (
    await pool.query<{ text: string }>(
      `SELECT string_agg(concat_ws('|', r.id, r.revision, r.content, r.sha256, r.sent_at, a.name, a.choices), ',' ORDER BY r.id) AS text
       FROM quote_revisions r JOIN acceptances a ON a.quote_revision_id = r.id`,
    )
  ).rows[0]?.text

const { id, path } = await sentQuote()
await post(`${path}/accept`, ACCEPT)
const exported = await exportText(connection)
const linesOf = (object: string) =>
  exported
    .split('\n')
    .filter((line) => line.includes(`"object":"${object}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
const [revision = {}] = linesOf('quoteRevision')
const [acceptance = {}] = linesOf('acceptance')

describe('an accepted revision', () => {
  it('V18: keeps its bytes in an export and a repeated import', async () => {
    expect(revision).toMatchObject({
      quoteId: id,
      revision: 1,
      content: expect.stringContaining('"format":1'),
    })
    const before = await stored()
    expect((await importText(exported)).errors).toEqual([])
    expect(await stored()).toBe(before)
  })

  it.each<[change: string, record: Record<string, unknown>, field: string]>([
    ['another content', { ...revision, content: REVISION_TEXT }, 'sha256'],
    ['another number', { ...revision, revision: 2 }, 'id'],
    ['another time', { ...revision, sentAt: '2020-01-01T00:00:00.000Z' }, 'id'],
    ['another hash', { ...revision, sha256: 'a'.repeat(64) }, 'sha256'],
    ['empty content', { ...revision, content: '{}' }, 'content'],
    ['a duplicate number', { ...revision, id: 'other' }, 'revision'],
    ['another name', { ...acceptance, name: 'Eve' }, 'id'],
    ['other choices', { ...acceptance, choices: [] }, 'id'],
    ['another accepted hash', { ...acceptance, sha256: 'a'.repeat(64) }, 'id'],
  ])('V18: cannot be changed by an import: %s', async (_, record, field) => {
    const before = await stored()
    const result = await importText(JSON.stringify(record))
    expect(result.errors.map((error) => error.field)).toContain(field)
    expect(await stored()).toBe(before)
  })

  it('V18: is not changed by actions on its quote', async () => {
    const before = await stored()
    for (const [verb, body] of [
      ['send', {}],
      ['lose', { lostReason: 'PRICE' }],
      ['reopen', {}],
      ['book', {}],
    ] as const) {
      expect([verb, (await api('POST', `quotes/${id}/${verb}`, body)).status]).toEqual([verb, 409])
    }
    expect((await api('POST', `quotes/${id}`, { guestCount: 1 })).status).toBe(409)
    for (const verb of ['accept', 'decline', 'question']) {
      await post(`${path}/${verb}`, { ...ACCEPT, text: 'Again', reason: 'PRICE' })
    }
    expect(await stored()).toBe(before)
  })

  it('V18: is not changed by calls of the application on its quote, event and their records', async () => {
    const { call } = await signedIn(server, { pool, connection }, 'co_1')
    const { rows } = await pool.query<{ id: string }>(
      'SELECT e.id FROM events e JOIN bookings b ON b.id = e.booking_id WHERE b.quote_id = $1',
      [id],
    )
    const IDS: Record<string, string> = {
      quotes: id,
      events: String(rows[0]?.id),
      contacts: 'lead_1',
      locations: 'loc_1',
      'event-types': 'type_1',
      'tax-rates': 'tax_1',
      contracts: 'con_1',
    }
    const before = await stored()
    const done: string[] = []
    for (const [name, { body }] of Object.entries(CONSOLE_REQUESTS)) {
      const [method = '', kind = '', rest = ''] = /^(\w+) \/console\/([\w-]+)(.*)$/.exec(name)?.slice(1) ?? []
      const own = IDS[kind]
      if (method === 'GET' || own === undefined || !rest.startsWith('/:id')) continue
      const current = (await call('GET', `${kind}/${own}${kind === 'quotes' ? '/edit' : ''}`)).body
      const sent: Record<string, unknown> = { ...body }
      for (const key of ['version', 'updatedAt'])
        if (key in sent) sent[key] = new RegExp(`"${key}":"([^"]*)"`).exec(JSON.stringify(current))?.[1]
      const answer = await call(method, `${kind}${rest.replace(':id', own)}`, sent)
      expect(answer.status, answer.text).toBeLessThan(500)
      if (answer.status < 300) done.push(name)
      expect([name, await stored()]).toEqual([name, before])
    }
    expect(done).toEqual(
      expect.arrayContaining([
        'POST /console/events/:id/tasks',
        'POST /console/quotes/:id/duplicate',
        'POST /console/quotes/:id/booking-undone',
        ...['contacts', 'tax-rates', 'contracts', 'event-types', 'locations'].flatMap((kind) => [
          `PATCH /console/${kind}/:id`,
          `POST /console/${kind}/:id/archive`,
        ]),
      ]),
    )
  })

  it('V18: the source has no statement that updates or deletes it, except for the time of the first view', () => {
    const folder = new URL('../src/', import.meta.url)
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    )
    const writes = names.flatMap((name) => {
      const source = readFileSync(new URL(name, folder), 'utf8')
      return [
        ...source.matchAll(
          /(?:UPDATE|DELETE FROM|TRUNCATE|INSERT INTO) (?:quote_revisions|acceptances)[^`]*?(?=WHERE)|(?:updateRow|insertRow|insertRows)\(\s*db,\s*(?:QUOTE_REVISION|ACCEPTANCE)_COLUMNS/g,
        ),
      ].map(([found]) => `${name}: ${found.replaceAll(/\s+/g, ' ').trim()}`)
    })
    expect(writes.toSorted()).toEqual([
      'actions/accept-quote.ts: insertRow(db, ACCEPTANCE_COLUMNS',
      'actions/create-revision.ts: insertRow(db, QUOTE_REVISION_COLUMNS',
      'records/quote-revision/queries.ts: UPDATE quote_revisions SET viewed_at = now(), updated_at = now()',
    ])
  })
})

describe('quoting verify', () => {
  it('V21: accepts an unchanged database and export', async () => {
    expect(await verifyDatabase(connection)).toEqual({ count: 1, findings: [] })
    expect(await verifyFile(Readable.from([Buffer.from(exported)]))).toEqual({ count: 1, findings: [] })
  })

  it('V21: finds a changed revision in the file and in the database', async () => {
    const changed = exported.replaceAll('Open bar', 'Open bat')
    expect((await verifyFile(Readable.from([Buffer.from(changed)]))).findings).toEqual([
      `company "co_1", quote "${id}", revision 1: the content does not match its hash`,
    ])
    const missing = exported.split('\n').filter((line) => !line.includes('"quoteRevision"'))
    expect((await verifyFile(Readable.from([missing.join('\n')]))).findings).toHaveLength(1)
    await pool.query("UPDATE quote_revisions SET content = replace(content, 'Open bar', 'Open bat')")
    expect((await verifyDatabase(connection)).findings).toHaveLength(1)
    await pool.query("UPDATE quote_revisions SET content = replace(content, 'Open bat', 'Open bar')")
  })

  it('V21: finds a revision that was changed with its hash or moved to another quote', async () => {
    const name = `company "co_1", quote "${id}", revision 1`
    const content = String(revision['content']).replaceAll('Open bar', 'Open bat')
    const forged = { ...revision, content, sha256: hashRevision(content) }
    const verify = async (...records: object[]) =>
      (await verifyFile(Readable.from([records.map((one) => JSON.stringify(one)).join('\n')]))).findings
    expect(await verify(acceptance, forged)).toEqual([`${name}: another content was accepted`])
    expect(await verify({ ...acceptance, sha256: null }, forged)).toEqual([])
    expect(await verify({ ...revision, quoteId: 'other' }, acceptance)).toEqual([
      'company "co_1", quote "other", revision 1: the content is that of another quote or revision',
    ])
    await pool.query('UPDATE quote_revisions SET content = $1, sha256 = $2', [forged.content, forged.sha256])
    expect((await verifyDatabase(connection)).findings).toEqual([`${name}: another content was accepted`])
    await pool.query('UPDATE quote_revisions SET content = $1, sha256 = $2', [
      revision['content'],
      revision['sha256'],
    ])
  })
})
