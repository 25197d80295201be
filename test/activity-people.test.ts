/** The person filter of the audit page for customers and the system, which have no user or key. */
import { expect, it } from 'vitest'
import { runAction } from '../src/actions/action.ts'
import { createTask } from '../src/actions/create-task.ts'
import type { ActivityAnswer } from '../src/console/activity.ts'
import { recordAuditEntry } from '../src/records/audit/record.ts'
import { contextOf } from './support/actions.ts'
import { signInWithPassword } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { FORM_WORLD, GOOD, bodyOf, bookingPath, createVisitor, stampOf } from './support/forms.ts'
import { startServer } from './support/server.ts'
import { MINIMAL, importValid } from './support/world.ts'

const database = await createDatabase()
const { pool, connection } = database
await importValid(connection, [...FORM_WORLD, MINIMAL.event])
const server = await startServer(connection)
const { post, submit } = createVisitor(server)
const { call } = await signInWithPassword(server, database, 'c')
const customer = { type: 'customer', id: null, name: 'Ada Noor' } as const

const sendBookingForm = (wishes: string) =>
  post(
    bookingPath('booking-form', 'book'),
    bodyOf({ wishes }, { stamp: stampOf(['c', 'booking-form', 'book']) }),
  )

const read = async (query: string) => {
  const { status, text, body } = await call('GET', `activity?${query}`)
  expect(status, text).toBe(200)
  return body as ActivityAnswer
}
const typesOf = async (query: string) => (await read(query)).entries.map(({ type }) => type)

it('separates entries of customers from entries of the system', async () => {
  expect((await submit(GOOD)).status).toBe(303)
  // Only the booking form knows the id of the customer.
  expect((await sendBookingForm('Quiet')).status).toBe(303)
  const subject = { object: 'quote', id: 'q', name: null }
  await recordAuditEntry(pool, 'c', customer, { type: 'quote.question_asked', subject })
  await call('POST', 'definitions/tax-rates', { name: 'City', rate: '1' })

  const { entries } = await read('person=customers')
  // Changes and audit entries of the same millisecond have no order.
  expect(entries.map(({ type, actor }) => `${type} ${actor.type} ${actor.id}`).toSorted()).toEqual([
    'form_response.submitted customer lead',
    'form_response.submitted customer null',
    'lead.created customer null',
    'quote.created customer null',
    'quote.question_asked customer null',
  ])
  expect(await typesOf('person=customers&kind=forms')).toEqual([
    'form_response.submitted',
    'form_response.submitted',
  ])
  expect(await typesOf('person=customers&kind=contacts')).toEqual(['lead.created'])
  expect(await typesOf('person=customers&kind=pricing')).toEqual([])
  expect(await typesOf('person=customers&before=2026-01-01T00:00:00Z')).toEqual([])
  expect(await typesOf('person=system')).toEqual(['data.imported'])
  expect(await typesOf('person=system&kind=quotes')).toEqual([])
  expect(await typesOf('person=lead')).toEqual(['form_response.submitted'])
  expect(await typesOf('person=user_ADMIN')).toEqual(['tax_rate.created', 'user.signed_in'])
})

it('lists entries of customers in pages, newest first, with and without an id', async () => {
  const before = (await read('person=customers')).entries
  for (let i = 0; i < 60; i++) {
    const context = { ...contextOf(pool, 'c'), actor: customer }
    await runAction(context, createTask, { eventId: 'evt', description: `${i}`, dueDate: null })
    if (i % 20 === 0) await sendBookingForm(`Wish ${i}`)
  }
  const first = await read('person=customers')
  expect([first.entries.length, first.hasMore]).toEqual([50, true])
  const after = encodeURIComponent(first.entries.at(-1)?.id ?? '')
  const second = await read(`person=customers&after=${after}`)
  expect(second.hasMore).toBe(false)
  const all = [...first.entries, ...second.entries]
  expect(all.slice(63)).toEqual(before)
  const sequences = all.slice(0, 63).map(({ id }) => Number(id.split(' ')[2]))
  expect(sequences).toEqual(sequences.toSorted((a, b) => b - a))
  expect(all.filter(({ actor }) => actor.id === 'lead')).toHaveLength(4)
})
