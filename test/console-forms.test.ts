/** The builder of forms and the answers in the console: docs/forms.md. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { FormAnswer, FormsAnswer, QuoteAnswersAnswer, ResponsesAnswer } from '../src/console/forms.ts'
import { signedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { FORM_WORLD, GOOD, createVisitor } from './support/forms.ts'
import { startServer } from './support/server.ts'
import type { Answer } from './support/server.ts'
import { MINIMAL, clearWorld, importValid } from './support/world.ts'

const database = await createDatabase()
const { pool, connection } = database
const server = await startServer(connection)
const { submit, post } = createVisitor(server)

beforeEach(async () => {
  await clearWorld(pool)
  await importValid(connection, FORM_WORLD)
})

const signIn = () => signedIn(server, database, 'c')

async function openBuilder(id = 'quote-form') {
  const { call } = await signIn()
  const form = (await call('GET', `forms/${id}`)).body as FormAnswer
  const content = ({ version, name, purpose, slug, allowedOrigins, questions }: FormAnswer) => ({
    version,
    name,
    purpose,
    slug,
    allowedOrigins,
    questions,
  })
  const save = (change: Partial<FormAnswer>) => call('PUT', `forms/${id}`, { ...content(form), ...change })
  return { call, form, save }
}

const asked = (title: string, more: object = {}) => ({
  id: `question_${crypto.randomUUID()}`,
  title,
  type: 'TEXT' as const,
  subtitle: null,
  isRequired: false,
  options: [],
  showWhen: null,
  linkedField: null,
  ...more,
})

const messageOf = ({ body }: Answer) => (body as { error: { message: string } }).error.message

describe('the builder', () => {
  it('FM12: creates a form that can be published, at a free address', async () => {
    const { call } = await signIn()
    const { id } = (await call('POST', 'forms', { name: 'Ask us', purpose: 'QUOTE' })).body as { id: string }
    const form = (await call('POST', `forms/${id}/publish`, { isPublished: true })).body as FormAnswer
    expect([form.slug, form.isPublished]).toEqual(['ask-us-2', true])
    expect(form.questions.map(({ linkedField }) => linkedField)).toContain('email')
    expect((await server.call('/f/ask-us-2')).status).toBe(200)
    const { forms } = (await call('GET', 'forms')).body as FormsAnswer
    expect(forms.map(({ name, purpose }) => `${name} ${purpose}`)).toEqual([
      'Ask us QUOTE',
      'Ask us QUOTE',
      'Event details BOOKING',
    ])
    await call('POST', `forms/${id}/publish`, { isPublished: false })
    expect((await server.call('/f/ask-us-2')).status).toBe(404)
  })

  it('FM12: saves names, order, options and conditions, and keeps the answers of removed questions', async () => {
    await submit({ ...GOOD, notes: 'Hello' })
    const { call, form, save } = await openBuilder()
    const choice = asked('Color', { type: 'DROPDOWN', options: ['Red', 'Blue'] })
    const rest = asked('Shade', { showWhen: { questionId: choice.id, equals: 'Red' } })
    const kept = form.questions.filter(({ id }) => id !== 'notes').toReversed()
    const conditions = kept.map((question) => ({ ...question, showWhen: null }))
    const saved = await save({ name: 'New name', questions: [choice, rest, ...conditions] })
    expect(saved.status).toBe(200)
    const { questions, name } = saved.body as FormAnswer
    expect(name).toBe('New name')
    expect(questions).toEqual([choice, rest, ...conditions])
    const { responses } = (await call('GET', 'forms/quote-form/responses')).body as ResponsesAnswer
    expect(responses[0]?.answers).toContainEqual({ title: 'Your notes', response: 'Hello' })
    expect((await server.call('/f/ask-us')).text).not.toContain('Your notes')
  })

  it('FM12: rejects a save after another one, and changes nothing if nothing differs', async () => {
    const { form, save } = await openBuilder()
    expect(((await save({})).body as FormAnswer).version).toBe(form.version)
    expect((await save({ name: 'First' })).status).toBe(200)
    const second = await save({ name: 'Second' })
    expect([second.status, messageOf(second)]).toEqual([
      409,
      'This form was changed meanwhile. Reload it to see the changes.',
    ])
  })

  it.each([
    ['a condition on a later question', { showWhen: { questionId: 'name', equals: 'x' } }, 400, /earlier/],
    ['an option twice', { type: 'DROPDOWN', options: ['a', 'a'] }, 400, /twice/],
    ['an empty title', { title: ' ' }, 400, /Enter a text/],
    ['the id of a question of another form', { id: 'wishes' }, 400, /another form/],
    ['an id that the builder does not create', { id: 'mine' }, 400, /another form/],
  ])('FM12: rejects %s', async (_, question, status, message) => {
    const { form, save } = await openBuilder()
    const answer = await save({
      questions: [asked('New', question), ...form.questions] as FormAnswer['questions'],
    })
    expect(answer.status).toBe(status)
    expect(messageOf(answer)).toMatch(message)
  })

  it.each([
    ['the address of a form of another company', { slug: 'theirs' }, 400, /Another form has this address/],
    ['an address with spaces', { slug: 'my form' }, 400, /lower-case/],
    ['a site with a path', { allowedOrigins: ['https://a.example/x'] }, 400, /address of a site/],
    ['a published quote form without an email address', { questions: [] }, 409, /email address/],
    ['a published quote form without an address', { slug: null }, 409, /address of the form/],
  ])('FM12: rejects %s', async (_, change, status, message) => {
    await importValid(connection, [
      { ...MINIMAL.company, id: 'd' },
      { ...MINIMAL.form, companyId: 'd', slug: 'theirs' },
    ])
    const { save } = await openBuilder()
    const answer = await save(change)
    expect(answer.status).toBe(status)
    expect(messageOf(answer)).toMatch(message)
  })

  it('FM12: archives and restores, and is in the audit log', async () => {
    const { call } = await openBuilder()
    await call('POST', 'forms/quote-form/archive', { isArchived: true })
    expect((await server.call('/f/ask-us')).status).toBe(404)
    await call('POST', 'forms/quote-form/archive', { isArchived: false })
    expect((await server.call('/f/ask-us')).status).toBe(200)
    const { rows } = await pool.query(
      `SELECT type FROM audit_entries WHERE type LIKE 'form.%' ORDER BY created_at, id`,
    )
    expect(rows).toEqual([{ type: 'form.archived' }, { type: 'form.restored' }])
  })
})

describe('answers', () => {
  it('FM13: are listed by form, newest first, in pages', async () => {
    for (let i = 0; i < 20; i++) await submit({ ...GOOD, notes: `Note ${i}` }, {}, {})
    await pool.query('DELETE FROM form_limits')
    await submit({ ...GOOD, notes: 'Note 20' })
    const { call } = await signIn()
    const first = (await call('GET', 'forms/quote-form/responses')).body as ResponsesAnswer
    expect(first.responses).toHaveLength(20)
    expect(first.hasMore).toBe(true)
    const last = first.responses.at(-1)?.id ?? ''
    const second = (await call('GET', `forms/quote-form/responses?startingAfter=${last}`))
      .body as ResponsesAnswer
    expect(second.responses.map(({ answers }) => answers.at(-1)?.response)).toEqual(['Note 0'])
  })

  it('FM13: show on the quote and its booking, with the links of booking forms', async () => {
    await pool.query(`UPDATE quotes SET booking_id = 'book'`)
    const { call } = await signIn()
    const read = async () => (await call('GET', 'quotes/q/answers')).body as QuoteAnswersAnswer
    const { links, responses } = await read()
    expect(responses).toEqual([])
    expect(links.map(({ name }) => name)).toEqual(['Event details'])
    const path = new URL(links[0]?.url ?? '').pathname
    const page = await server.call(path)
    expect(page.status).toBe(200)
    const [, stamp = ''] = /name="stamp" value="([^"]+)"/.exec(page.text) ?? []
    // Too fast for a person.
    const sent = await post(path, new URLSearchParams({ stamp, 'q.wishes': 'Quiet' }).toString())
    expect(sent.status).toBe(400)
    await importValid(connection, [
      {
        ...MINIMAL.formResponse,
        formId: 'booking-form',
        bookingId: 'book',
        answers: [{ id: '1', questionId: 'wishes', response: 'Quiet' }],
      },
    ])
    expect((await read()).responses.map(({ formName, answers }) => [formName, answers])).toEqual([
      ['Event details', [{ title: 'Your wishes', response: 'Quiet' }]],
    ])
  })
})
