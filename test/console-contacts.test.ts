/** Contacts: related quotes, bookings and invoices, equal email addresses, and merging. */
import { describe, expect, it } from 'vitest'
import type { ContactRelatedAnswer, MergePlanAnswer } from '../src/console/contacts.ts'
import { signedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { plant, plantMany } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import { watchedPool } from './support/watched-pool.ts'

const database = await createDatabase()
const { pool } = database
await insertCompany(pool, 'co_1')
await insertCompany(pool, 'co_2')
const statements: string[] = []
const server = await startServer(database.connection, {
  console: watchedPool(database.connection, 'console', (text) => statements.push(text)),
})
const { call } = await signedIn(server, database, 'co_1', 'MEMBER')

const booking = { currency: 'USD', total_price_cents: 100 }
const invoice = (id: string) => ({ ...booking, booking_id: `b_${id}`, invoice_number: id, total_cents: 100 })

async function plantLead(id: string, values: object, quotes = 0): Promise<void> {
  await plant(pool, 'leads', 'co_1', id, { ...values })
  if (quotes === 0) return
  await plantMany(
    pool,
    'quotes',
    'co_1',
    Array.from({ length: quotes }, (_, i) => ({ id: `${id}_${i}`, lead_id: id, location_id: 'loc' })),
  )
  await plant(pool, 'bookings', 'co_1', `b_${id}`, { ...booking, lead_id: id, quote_id: `${id}_0` })
  const { total_price_cents: _, ...stored } = invoice(id)
  await plant(pool, 'invoices', 'co_1', `i_${id}`, { ...stored, lead_id: id })
}

describe('the page of a contact', () => {
  it('N8: shows the newest quotes, bookings and invoices', async () => {
    await plantLead('busy', { first_name: 'Ada' }, 11)
    const { quotes, bookings, invoices } = (await call('GET', 'contacts/busy/related'))
      .body as ContactRelatedAnswer
    expect([quotes.items.length, quotes.hasMore]).toEqual([10, true])
    expect(bookings).toMatchObject({ items: [{ id: 'b_busy', quoteId: 'busy_0' }], hasMore: false })
    expect(invoices).toMatchObject({ items: [{ id: 'i_busy', invoiceNumber: 'busy' }], hasMore: false })
  })

  it('N8: warns of contacts with the same email address, ignoring case', async () => {
    await plant(pool, 'leads', 'co_1', 'one', { first_name: 'One', email: 'Same@Example.com' })
    await plant(pool, 'leads', 'co_1', 'two', { company_name: 'Two AB', email: 'same@example.COM' })
    await plant(pool, 'leads', 'co_2', 'foreign', { email: 'same@example.com' })
    const find = async (query: string) => (await call('GET', `contacts/same-email?${query}`)).body
    expect(await find('email=same%40example.com&except=one')).toEqual({
      contacts: [{ id: 'two', name: 'Two AB' }],
    })
    expect(await find('email=other%40example.com')).toEqual({ contacts: [] })
    expect(await find('email=%00%40example.com')).toEqual({ contacts: [] })
    expect(await find('email=same%40example.com&except=%00')).toMatchObject({ contacts: [{}, {}] })
  })

  it('N8, N9: does not warn of archived contacts, which keep their email address after a merge', async () => {
    const email = 'merged@example.com'
    const at = (day: number) => ({ email, created_at: `2026-01-0${day}T00:00:00Z` })
    await plant(pool, 'leads', 'co_1', 'oldest', { first_name: 'Oldest', ...at(1) })
    // More archived contacts than the warning lists, all newer.
    const archived = { email, archived_at: '2026-02-01T00:00:00Z' }
    await plantMany(
      pool,
      'leads',
      'co_1',
      Array.from({ length: 6 }, (_, i) => ({ id: `archived_${i}`, ...archived })),
    )
    const find = async (except: string) =>
      (await call('GET', `contacts/same-email?email=${encodeURIComponent(email)}&except=${except}`)).body
    expect(await find('new')).toEqual({ contacts: [{ id: 'oldest', name: 'Oldest' }] })
    expect(await find('oldest')).toEqual({ contacts: [] })
    await plant(pool, 'leads', 'co_1', 'newer', { first_name: 'Newer', ...at(2) })
    const merge = await call('POST', 'contacts/oldest/merge/plan', { otherId: 'newer' })
    const { kept, other } = merge.body as MergePlanAnswer
    expect(await find('oldest')).toEqual({ contacts: [{ id: 'newer', name: 'Newer' }] })
    const versions = { updatedAt: kept.updatedAt, otherUpdatedAt: other.updatedAt }
    expect((await call('POST', 'contacts/oldest/merge', { otherId: 'newer', ...versions })).status).toBe(200)
    expect(await find('oldest')).toEqual({ contacts: [] })
  })

  it('N8: shows the changes of the contact', async () => {
    const { record } = (await call('POST', 'contacts', { values: { firstName: 'Eve' } })).body as {
      record: { id: string }
    }
    const { entries } = (await call('GET', `timeline?object=lead&id=${record.id}`)).body as {
      entries: { type: string }[]
    }
    expect(entries.map(({ type }) => type)).toEqual(['lead.created'])
  })
})

describe('merging two contacts', () => {
  const plan = async (id: string, otherId: string) =>
    (await call('POST', `contacts/${id}/merge/plan`, { otherId })).body as MergePlanAnswer

  it('N9: moves records to one contact, fills its empty fields and archives the other', async () => {
    await plantLead('kept', { first_name: 'Kim', email: 'kim@example.com', notes: 'A' }, 1)
    await plantLead('dropped', { first_name: 'K.', phone: '555', company_name: ' ', notes: 'B' }, 2)
    const planned = await plan('kept', 'dropped')
    expect(planned).toMatchObject({
      filled: { phone: '555', notes: 'A\n\nB' },
      moved: { quotes: 2, bookings: 1, invoices: 1 },
    })
    const versions = { updatedAt: planned.kept.updatedAt, otherUpdatedAt: planned.other.updatedAt }
    const answer = await call('POST', 'contacts/kept/merge', { otherId: 'dropped', ...versions })
    expect(answer.body).toMatchObject({
      record: { firstName: 'Kim', email: 'kim@example.com', phone: '555', notes: 'A\n\nB', archivedAt: null },
    })
    for (const [table, count] of [
      ['quotes', 3],
      ['bookings', 2],
      ['invoices', 2],
    ] as const) {
      const { rows } = await pool.query(`SELECT lead_id FROM ${table} WHERE lead_id IN ('kept', 'dropped')`)
      expect(rows).toEqual(Array.from({ length: count }, () => ({ lead_id: 'kept' })))
    }
    const { rows: leads } = await pool.query(
      `SELECT archived_at IS NOT NULL AS archived FROM leads WHERE id = 'dropped'`,
    )
    expect(leads).toEqual([{ archived: true }])
    const { rows: changes } = await pool.query(
      `SELECT type, subject_id, data::jsonb - 'object' AS data FROM changes
       WHERE subject_id IN ('kept', 'dropped') ORDER BY sequence`,
    )
    expect(changes).toEqual([
      { type: 'lead.updated', subject_id: 'kept', data: { mergedFromId: 'dropped' } },
      { type: 'lead.updated', subject_id: 'dropped', data: { mergedIntoId: 'kept' } },
    ])
  })

  it('N9, F6: records a change for each moved record with a constant number of statements', async () => {
    const merge = async (name: string, quotes: number) => {
      await plantLead(`to_${name}`, { first_name: 'To' })
      await plantLead(`from_${name}`, { first_name: 'From' }, quotes)
      await plant(pool, 'quotes', 'co_1', `deleted_${name}`, {
        lead_id: `from_${name}`,
        deleted_at: '2026-01-01T00:00:00Z',
      })
      const { kept, other } = await plan(`to_${name}`, `from_${name}`)
      const versions = { updatedAt: kept.updatedAt, otherUpdatedAt: other.updatedAt }
      const { status } = await call('POST', `contacts/to_${name}/merge`, {
        otherId: `from_${name}`,
        ...versions,
      })
      expect(status).toBe(200)
    }
    const countStatements = async (work: () => Promise<void>) => {
      statements.length = 0
      await work()
      // Without the statements of the session and the notification, whose number depends on the clock.
      return statements.filter((text) => /quotes|bookings|invoices|INTO changes/.test(text)).length
    }
    await merge('few', 2)
    const { rows } = await pool.query(
      `SELECT type, subject_id, data #>> '{object,leadId}' AS now, previous FROM changes
       WHERE subject_id LIKE '%from_few%' AND type <> 'lead.updated' ORDER BY type, subject_id`,
    )
    const moved = { now: 'to_few', previous: { leadId: 'from_few' } }
    expect(rows).toEqual([
      { type: 'booking.updated', subject_id: 'b_from_few', ...moved },
      { type: 'invoice.updated', subject_id: 'i_from_few', ...moved },
      { type: 'quote.updated', subject_id: 'from_few_0', ...moved },
      { type: 'quote.updated', subject_id: 'from_few_1', ...moved },
    ])
    const few = await countStatements(() => merge('some', 3))
    expect(await countStatements(() => merge('many', 300))).toBe(few)
    expect((await pool.query(`SELECT FROM changes WHERE subject_id LIKE 'from_many_%'`)).rowCount).toBe(300)
  })

  it('N9: is rejected if more than 1,000 records would move, or the notes are too long', async () => {
    await plantLead('most', { first_name: 'Most' }, 998)
    await plantLead('target', { first_name: 'Target', notes: 'n'.repeat(9_000) })
    expect((await plan('target', 'most')).moved).toEqual({ quotes: 998, bookings: 1, invoices: 1 })
    await plant(pool, 'quotes', 'co_1', 'one_more', { lead_id: 'most' })
    await plantLead('wordy', { first_name: 'Wordy', notes: 'n'.repeat(999) })
    const rejection = async (otherId: string, path: string, versions = {}) => {
      const { status, body } = await call('POST', `contacts/target/${path}`, { otherId, ...versions })
      return [status, JSON.stringify(body)]
    }
    const versions = { updatedAt: '2026-01-01T00:00:00Z', otherUpdatedAt: '2026-01-01T00:00:00Z' }
    for (const [path, body] of [
      ['merge/plan', {}],
      ['merge', versions],
    ] as const) {
      const message = 'has 1,001 quotes, bookings and invoices. At most 1,000'
      expect(await rejection('most', path, body)).toEqual([409, expect.stringContaining(message)])
      expect(await rejection('wordy', path, body)).toEqual([
        409,
        expect.stringContaining('Shorten them first.'),
      ])
    }
    await pool.query(`UPDATE leads SET notes = left(notes, 998) WHERE id = 'wordy'`)
    expect((await plan('target', 'wordy')).filled).toHaveProperty('notes')
  })

  it('N9: is rejected after a change, with itself, and with an unknown contact', async () => {
    await plantLead('a', { first_name: 'A' })
    await plantLead('b', { first_name: 'B' })
    const { kept, other } = await plan('a', 'b')
    await pool.query(`UPDATE leads SET first_name = 'C', updated_at = now() + interval '1 s' WHERE id = 'b'`)
    const versions = { updatedAt: kept.updatedAt, otherUpdatedAt: other.updatedAt }
    expect((await call('POST', 'contacts/a/merge', { otherId: 'b', ...versions })).status).toBe(409)
    for (const otherId of ['a', 'no-such-contact', 'foreign'])
      expect((await call('POST', 'contacts/a/merge', { otherId, ...versions })).status).toBe(400)
    expect(
      (await pool.query(`SELECT FROM leads WHERE id IN ('a', 'b') AND archived_at IS NULL`)).rowCount,
    ).toBe(2)
  })
})
