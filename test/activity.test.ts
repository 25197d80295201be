/** The audit page and the timelines: contents, filters, pages and access. */
import { describe, expect, it } from 'vitest'
import { runAction } from '../src/actions/action.ts'
import { createTask } from '../src/actions/create-task.ts'
import { updateEvent } from '../src/actions/update-event.ts'
import { changePassword, setUserAccess } from '../src/actions/users.ts'
import type { ActivityAnswer, ActivityPeopleAnswer } from '../src/console/activity.ts'
import { SYSTEM } from '../src/core/change-log/change-types.ts'
import { recordAuditEntry } from '../src/records/audit/record.ts'
import { contextOf } from './support/actions.ts'
import { signInWithPassword } from './support/console.ts'
import type { SignedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import { MINIMAL, importValid } from './support/world.ts'

const database = await createDatabase()
const { pool, connection } = database
const server = await startServer(connection)

let companies = 0
async function newCompany(): Promise<{ id: string; admin: SignedIn }> {
  const id = `c${++companies}`
  await insertCompany(pool, id)
  await plant(pool, 'events', id, 'ev_1')
  return { id, admin: await signInWithPassword(server, database, id) }
}

const read = async ({ call }: SignedIn, path = 'activity') => {
  const { status, text, body } = await call('GET', path)
  expect(status, text).toBe(200)
  return body as ActivityAnswer
}
const typesOf = ({ entries }: ActivityAnswer) => entries.map(({ type }) => type)
const task = (description: string) => ({ eventId: 'ev_1', description, dueDate: null })

describe('the audit page', () => {
  it('lists the writes of the console, newest first, with the person', async () => {
    const { admin } = await newCompany()
    const { body } = await admin.call('POST', 'settings/keys', { name: 'Web site' })
    const { id: keyId, key } = body as { id: string; key: string }
    await admin.call('POST', `settings/keys/${keyId}/revoke`, {})
    await admin.call('POST', `settings/keys/${keyId}/revoke`, {})
    await admin.call('PUT', 'settings/allowed-ips', { list: ['192.0.2.1'], was: [] })
    await admin.call('POST', 'definitions/tax-rates', { name: 'City', rate: '3.25' })
    await admin.call('POST', 'definitions/discounts', { name: 'Ten', type: 'PERCENT', percentOff: '10' })
    const charge = { name: 'Night', type: 'PERCENT', percentage: '10', taxable: true }
    await admin.call('POST', 'definitions/service-charges', charge)
    await admin.call('POST', 'events/ev_1/tasks', { description: 'Sweep' })
    const activity = await read(admin)
    expect(typesOf(activity)).toEqual([
      'task.created',
      'service_charge.created',
      'discount.created',
      'tax_rate.created',
      'settings.allowed_ips_changed',
      'api_key.revoked',
      'api_key.created',
      'user.signed_in',
    ])
    for (const { actor } of activity.entries)
      expect(actor).toEqual({ type: 'user', id: 'user_ADMIN', name: 'The ADMIN' })
    expect(activity.entries[0]).toMatchObject({ subject: { object: 'task', name: 'Sweep' } })
    expect(activity.entries[4]).toMatchObject({ details: { added: ['192.0.2.1'], removed: [] } })
    expect(activity.entries[6]).toMatchObject({ subject: { object: 'apiKey', id: keyId, name: 'Web site' } })
    expect(activity.entries[7]).toMatchObject({ details: { address: '127.0.0.1' } })
    expect(JSON.stringify(activity)).not.toContain(key)
  })

  it('lists disabled and enabled users, changed passwords and signing out everywhere', async () => {
    const { id, admin } = await newCompany()
    await signInWithPassword(server, database, id, 'MEMBER')
    const context = { ...contextOf(pool, id, 'system'), actor: SYSTEM }
    await runAction(context, setUserAccess, { id: 'user_MEMBER', isEnabled: false })
    await runAction(context, setUserAccess, { id: 'user_MEMBER', isEnabled: true })
    await runAction(context, changePassword, { id: 'user_MEMBER', passwordHash: 'a secret hash' })
    const activity = await read(admin)
    expect(typesOf(activity).slice(0, 3)).toEqual(['user.password_changed', 'user.enabled', 'user.disabled'])
    expect(activity.entries[0]).toMatchObject({
      actor: { type: 'system', id: null, name: null },
      subject: { object: 'user', id: 'user_MEMBER', name: 'The MEMBER' },
    })
    expect(JSON.stringify(activity)).not.toContain('a secret hash')
    expect((await admin.call('DELETE', 'sessions')).status).toBe(204)
    const again = await signInWithPassword(server, database, id)
    expect(typesOf(await read(again)).slice(0, 2)).toEqual(['user.signed_in', 'user.signed_out_everywhere'])
  })

  it('lists imports with the number of records', async () => {
    await importValid(connection, Object.values(MINIMAL))
    const admin = await signInWithPassword(server, database, 'c')
    const [entry] = (await read(admin, 'activity?kind=imports')).entries
    expect(entry).toMatchObject({ type: 'data.imported', actor: { type: 'system' } })
    expect(entry?.details['counts']).toMatchObject({ quote: 1 })
  })

  it('filters by person, kind and time, all together', async () => {
    const { id, admin } = await newCompany()
    const context = contextOf(pool, id)
    await runAction(context, createTask, task('By Ada'))
    await runAction({ ...context, actor: SYSTEM }, createTask, task('By the system'))
    await admin.call('POST', 'definitions/tax-rates', { name: 'City', rate: '1' })
    const names = async (query: string) =>
      (await read(admin, `activity?${query}`)).entries.map(({ subject }) => subject.name)
    expect(await names('kind=tasks')).toEqual(['By the system', 'By Ada'])
    expect(await names('kind=pricing')).toEqual(['City'])
    expect(await names('person=user_1')).toEqual(['By Ada'])
    expect(await names('person=system')).toEqual(['By the system'])
    expect(await names('person=user_ADMIN')).toEqual(['City', 'The ADMIN'])
    expect(await names('person=user_ADMIN&kind=people')).toEqual(['The ADMIN'])
    expect(await names('person=user_1&kind=pricing')).toEqual([])
    expect(await names('person=user_unknown')).toEqual([])
    await pool.query(
      `UPDATE audit_entries SET created_at = '2026-01-31T23:59:59.999Z' WHERE company_id = $1`,
      [id],
    )
    expect(await names('before=2026-02-01T00:00:00Z')).toEqual(['City', 'The ADMIN'])
    expect(await names('from=2026-02-01T00:00:00Z')).toEqual(['By the system', 'By Ada'])
    expect(await names('from=2026-01-01T00:00:00Z&before=2026-01-31T23:59:59Z')).toEqual([])
  })

  it('lists changes and audit entries with equal times once each across pages', async () => {
    const { id, admin } = await newCompany()
    for (let i = 0; i < 60; i++) {
      await runAction(contextOf(pool, id), createTask, task(`Task ${i}`))
      if (i % 2 === 0) await admin.call('POST', 'definitions/tax-rates', { name: `Tax ${i}`, rate: '1' })
    }
    const at = '2026-03-01T10:00:00Z'
    await pool.query('UPDATE changes SET created_at = $2 WHERE company_id = $1', [id, at])
    await pool.query('UPDATE audit_entries SET created_at = $2 WHERE company_id = $1', [id, at])
    const ids: string[] = []
    let page = await read(admin)
    for (;;) {
      ids.push(...page.entries.map((entry) => entry.id))
      if (!page.hasMore) break
      page = await read(admin, `activity?after=${encodeURIComponent(ids.at(-1) ?? '')}`)
    }
    expect(ids).toHaveLength(91)
    expect(new Set(ids).size).toBe(91)
  })

  it.each(['after=x', 'after=2026-01-01T00:00:00.000Z change x', 'kind=unknown', 'from=yesterday'])(
    'rejects %s',
    async (query) => {
      const { admin } = await newCompany()
      expect((await admin.call('GET', `activity?${query.replaceAll(' ', '%20')}`)).status).toBe(400)
    },
  )

  it('rejects members and does not show entries of another company', async () => {
    const { id, admin } = await newCompany()
    const other = await newCompany()
    await runAction(contextOf(pool, id), createTask, task('Ours'))
    expect(JSON.stringify(await read(other.admin))).not.toContain('Ours')
    const [ours] = (await read(admin)).entries
    const after = await read(other.admin, `activity?after=${encodeURIComponent(ours?.id ?? '')}`)
    expect(JSON.stringify(after)).not.toContain('Ours')
    const member = await signInWithPassword(server, database, id, 'MEMBER')
    expect((await member.call('GET', 'activity')).status).toBe(403)
    expect((await member.call('GET', 'activity/people')).status).toBe(403)
  })

  it('offers the users and keys of the company as filters', async () => {
    const { admin } = await newCompany()
    await admin.call('POST', 'settings/keys', { name: 'Web site' })
    const { users, keys } = (await admin.call('GET', 'activity/people')).body as ActivityPeopleAnswer
    expect(users).toEqual([{ id: 'user_ADMIN', name: 'The ADMIN' }])
    expect(keys).toMatchObject([{ name: 'Web site' }])
  })
})

describe('a timeline', () => {
  it('lists the changes of one record with old and new values, also for members', async () => {
    const { id } = await newCompany()
    await plant(pool, 'quotes', id, 'ev_1')
    const member = await signInWithPassword(server, database, id, 'MEMBER')
    const { body } = await member.call('GET', 'quotes/ev_1/edit')
    const { version } = body as { version: string }
    const lost = await member.call('POST', 'quotes/ev_1/lost', { version, reason: 'PRICE' })
    expect(lost.status, lost.text).toBe(200)
    const { entries } = await read(member, 'timeline?object=quote&id=ev_1')
    expect(entries).toMatchObject([{ type: 'quote.lost', actor: { name: 'The MEMBER' }, currency: 'USD' }])
    expect(entries[0]?.members).toContainEqual({ name: 'lostReason', before: null, after: 'PRICE' })
    // The event has the same id.
    expect((await read(member, 'timeline?object=event&id=ev_1')).entries).toEqual([])
  })

  it('does not show changes of another company', async () => {
    const [ours, theirs] = [await newCompany(), await newCompany()]
    await runAction(contextOf(pool, ours.id), updateEvent, { id: 'ev_1', eventDescription: 'Ours' })
    const subject = { object: 'event', id: 'ev_1', name: 'Ours' }
    await recordAuditEntry(pool, ours.id, SYSTEM, { type: 'quote.question_asked', subject })
    expect((await read(ours.admin, 'timeline?object=event&id=ev_1')).entries).toHaveLength(2)
    expect((await read(theirs.admin, 'timeline?object=event&id=ev_1')).entries).toEqual([])
  })
})
