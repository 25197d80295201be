/** A company with forms, and a visitor who fills them in. */
import { createFormStamps } from '../../src/core/security/form-stamp.ts'
import { createFormTokens } from '../../src/core/security/form-token.ts'
import type { Answer, TestServer } from './server.ts'
import { MINIMAL } from './world.ts'
import type { TestRecord } from './world.ts'

const SECRET = 'a secret for tests'

const stamps = createFormStamps(SECRET)
const tokens = createFormTokens(SECRET)

export const bookingPath = (formId: string, bookingId: string) =>
  `/f/b/${tokens.seal({ companyId: 'c', formId, bookingId })}`

let pages = 0

/** The stamp of a page that was opened some time ago, because fast submissions are rejected. */
export const stampOf = (page: readonly string[], { ageMs = 60_000, pageId = `resp_page_${++pages}` } = {}) =>
  stamps.seal(page, { pageId, renderedAt: Date.now() - ageMs })

const ask = (id: string, position: number, more: TestRecord = {}): TestRecord => ({
  ...MINIMAL.formQuestion,
  id,
  formId: 'quote-form',
  title: `Your ${id}`,
  position,
  ...more,
})

export const FORM_WORLD: TestRecord[] = [
  { ...MINIMAL.company, accentColor: '#0b6e69' },
  MINIMAL.location,
  { ...MINIMAL.location, id: 'loc2', name: 'Kyoto', timeZone: 'Asia/Tokyo' },
  MINIMAL.eventType,
  MINIMAL.addon,
  {
    ...MINIMAL.form,
    id: 'quote-form',
    name: 'Ask us',
    slug: 'ask-us',
    purpose: 'QUOTE',
    publishedAt: '2026-01-01T00:00:00.000Z',
  },
  ask('name', 1, { linkedSystemField: 'name', systemRequired: true }),
  ask('email', 2, { linkedSystemField: 'email', systemRequired: true }),
  ask('type', 3, { type: 'DROPDOWN', linkedSystemField: 'eventType' }),
  ask('location', 4, { type: 'DROPDOWN', linkedSystemField: 'location' }),
  ask('date', 5, { type: 'DATE', linkedSystemField: 'eventDate', userRequired: true }),
  ask('start', 6, { type: 'TIME', linkedSystemField: 'serviceStartTime' }),
  ask('end', 7, { type: 'TIME', linkedSystemField: 'serviceEndTime' }),
  ask('guests', 8, { type: 'NUMBER', linkedSystemField: 'guestCount' }),
  ask('extras', 9, { type: 'ADDONS' }),
  ask('outdoors', 10, { type: 'YESNO' }),
  ask('rain', 11, {
    type: 'MULTICHOICE',
    options: ['Tent', 'Indoors'],
    userRequired: true,
    showWhen: { questionId: 'outdoors', equals: 'Yes' },
  }),
  ask('notes', 12),
  {
    ...MINIMAL.form,
    id: 'booking-form',
    name: 'Event details',
    purpose: 'BOOKING',
    publishedAt: '2026-01-01T00:00:00.000Z',
  },
  ask('wishes', 1, { formId: 'booking-form', userRequired: true }),
  ask('diets', 2, { formId: 'booking-form', type: 'MULTISELECT', options: ['Vegan', 'No nuts', 'Halal'] }),
  MINIMAL.lead,
  MINIMAL.quote,
  { ...MINIMAL.booking, quoteId: 'q', leadId: 'lead', fullName: 'Ada Noor' },
]

export const GOOD = { name: 'Ada Noor', email: 'Ada@example.com', date: '2099-05-01' }

type Entered = Record<string, string | string[]>

/** The body of a form. `stamp` and other fields that are not answers have no prefix. */
export function bodyOf(answers: Entered, fields: Entered): string {
  const body = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(name, one)
  for (const [id, value] of Object.entries(answers))
    for (const one of [value].flat()) body.append(`q.${id}`, one)
  return body.toString()
}

export function createVisitor(server: TestServer) {
  const post = (path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> =>
    server.call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body,
    })
  const submit = (answers: Entered, fields: Entered = {}, headers: Record<string, string> = {}) =>
    post('/f/ask-us', bodyOf(answers, { stamp: stampOf(['c', 'quote-form']), ...fields }), headers)
  return { post, submit }
}
