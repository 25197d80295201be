/** The public quote form and the form of a booking: docs/forms.md. */
import { beforeEach, describe, expect, it } from 'vitest'
import { lockCompany } from '../src/records/change/record.ts'
import { createDatabase } from './support/database.ts'
import { FORM_WORLD, GOOD, bodyOf, bookingPath, createVisitor, stampOf } from './support/forms.ts'
import { pageText } from './support/invoice-page.ts'
import { startServer } from './support/server.ts'
import { MINIMAL, clearWorld, importValid } from './support/world.ts'

const { pool, connection } = await createDatabase()
const server = await startServer(connection, { trustedProxies: ['127.0.0.1'] })
const { post, submit } = createVisitor(server)
const QUOTE_PAGE = ['c', 'quote-form']

const rowsOf = async (query: string) => (await pool.query<Record<string, unknown>>(query)).rows
const count = async (table: string) => Number((await rowsOf(`SELECT count(*) FROM ${table}`))[0]?.['count'])
const readStored = async () => ({
  leads: await count('leads'),
  quotes: await count('quotes'),
  responses: await count('form_responses'),
})
const setForm = (change: string) => pool.query(`UPDATE forms SET ${change}`)

beforeEach(async () => {
  await clearWorld(pool)
  await pool.query('DELETE FROM form_limits')
  await importValid(connection, FORM_WORLD)
  await pool.query('DELETE FROM changes')
})

describe('GET /f/<slug>', () => {
  it('FM1: shows the form in the colors of the company, and loads nothing from other hosts', async () => {
    const { status, headers, text } = await server.call('/f/ask-us')
    expect(status).toBe(200)
    expect(pageText(text)).toContain('Ask us')
    expect(text).toContain('--accent: #0b6e69')
    expect(text).toContain('<option value="Wedding">')
    expect(headers['x-robots-tag']).toBe('noindex, nofollow')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("form-action 'self'")
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  })

  it.each([
    ['that is not published', 'published_at = NULL'],
    ['that is archived', 'archived_at = now()'],
    ['for bookings', `purpose = 'BOOKING'`],
    ['without a purpose', 'purpose = NULL'],
  ])('FM2: responds with 404 to a form %s, and stores no submission', async (_, change) => {
    await setForm(change)
    expect((await server.call('/f/ask-us')).status).toBe(404)
    expect((await submit(GOOD)).status).toBe(404)
    expect((await readStored()).responses).toBe(0)
  })

  it.each(['/f/none', '/f/Ask-us', '/f/ask-us/', '/f/b/x', '/f/%00', `/f/${'x'.repeat(300)}`])(
    'FM2: responds with 404 to %s',
    async (path) => {
      expect((await server.call(path)).status).toBe(404)
    },
  )

  it('FM9: is framed by the listed sites only', async () => {
    const policyOf = async () => String((await server.call('/f/ask-us')).headers['content-security-policy'])
    expect(await policyOf()).toContain("frame-ancestors 'none'")
    await setForm(`allowed_origins = '{https://a.example,https://b.example}'`)
    expect(await policyOf()).toContain('frame-ancestors https://a.example https://b.example')
    const tooLarge = await post('/f/ask-us', bodyOf({ notes: 'x'.repeat(200_000) }, {}))
    expect(tooLarge.headers['content-security-policy']).toContain(
      'frame-ancestors https://a.example https://b.example',
    )
    const script = await server.call('/f/ask-us/embed.js')
    expect(script.headers['cross-origin-resource-policy']).toBe('cross-origin')
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
  })
})

describe('a submission', () => {
  it('FM5: creates the contact, a draft quote with its day and the response, and records them in order', async () => {
    const answers = { ...GOOD, type: 'Wedding', start: '18:00', end: '23:30', guests: '80', notes: 'Hi' }
    const sent = await submit(answers)
    expect([sent.status, sent.headers['location']]).toEqual([303, '/f/ask-us/sent'])
    expect(pageText((await server.call('/f/ask-us/sent')).text)).toContain('Thank you')
    const [quote] = await rowsOf(`
      SELECT q.*, l.first_name, l.last_name, l.email, d.service_start_time AS start, d.service_end_time AS "end"
      FROM quotes q JOIN leads l ON l.id = q.lead_id JOIN service_days d ON d.quote_id = q.id WHERE q.id <> 'q'`)
    expect(quote).toMatchObject({
      first_name: 'Ada',
      last_name: 'Noor',
      email: 'Ada@example.com',
      location_id: 'loc',
      event_type_id: 'type',
      event_address: 'To be confirmed',
      number: 'Q-1',
      guest_count: 80,
      sent_at: null,
      start: '2099-05-01 16:00:00+00',
      end: '2099-05-01 21:30:00+00',
    })
    const changes = await rowsOf('SELECT type, actor_type, data FROM changes ORDER BY sequence')
    expect(changes.map(({ type, actor_type: actor }) => [type, actor])).toEqual([
      ['lead.created', 'customer'],
      ['quote.created', 'customer'],
      ['form_response.submitted', 'customer'],
    ])
    expect(changes[2]?.['data']).toMatchObject({
      object: { object: 'formResponse', formId: 'quote-form', quoteId: quote?.['id'], bookingId: null },
    })
    const responses = await rowsOf('SELECT question_id, response FROM form_answers ORDER BY ordinal')
    expect(Object.fromEntries(responses.map((row) => Object.values(row)))).toEqual(answers)
  })

  it('FM5: finds the contact by email, in any case, and leaves it as it is', async () => {
    await pool.query(`UPDATE leads SET email = 'ADA@EXAMPLE.COM', first_name = 'Old'`)
    expect((await submit(GOOD)).status).toBe(303)
    expect(await rowsOf('SELECT first_name FROM leads')).toEqual([{ first_name: 'Old' }])
    expect(await rowsOf(`SELECT lead_id FROM quotes WHERE id <> 'q'`)).toEqual([{ lead_id: 'lead' }])
  })

  it('FM5: keeps the response if the company has no location', async () => {
    await pool.query('UPDATE locations SET archived_at = now()')
    expect((await submit(GOOD)).status).toBe(303)
    expect(await readStored()).toEqual({ leads: 2, quotes: 1, responses: 1 })
  })

  it('FM4: shows each error next to its field and keeps the input', async () => {
    const { status, text } = await submit({
      name: ' ',
      email: 'x"><script>',
      date: '2000-01-01',
      notes: 'Kept <b>',
    })
    expect(status).toBe(422)
    expect(pageText(text)).toContain('Enter an email address, such as name@example.com.')
    expect(pageText(text)).toContain('Choose a date that is not in the past.')
    expect(text).toContain('value="x&quot;&gt;&lt;script&gt;"')
    expect(text).toContain('Kept &lt;b&gt;</textarea>')
    expect(text).toMatch(/<input id="q0"[^>]* aria-describedby="e0"[^>]* aria-invalid="true"/)
    expect(text.match(/<script/g)).toHaveLength(1)
    expect((await readStored()).responses).toBe(0)
  })

  it('FM3: asks the questions that depend on answers before it is accepted', async () => {
    const stamp = stampOf(QUOTE_PAGE)
    const first = await submit({ ...GOOD, outdoors: 'Yes' }, { stamp })
    expect(first.status).toBe(422)
    expect(pageText(first.text)).toContain('Your answers led to more questions.')
    expect(first.text).toContain('<input type="hidden" name="seen" value="rain">')
    const second = await submit({ ...GOOD, outdoors: 'Yes' }, { stamp, seen: 'rain' })
    expect(pageText(second.text)).toContain('Choose one of the options.')
    expect((await submit({ ...GOOD, outdoors: 'Yes', rain: 'Tent' }, { stamp, seen: 'rain' })).status).toBe(
      303,
    )
    expect((await readStored()).responses).toBe(1)
  })

  it('FM7: is stored once if it is sent several times at once, and again with other answers', async () => {
    const stamp = stampOf(QUOTE_PAGE)
    const sent = await Promise.all(Array.from({ length: 8 }, () => submit(GOOD, { stamp })))
    expect(sent.map(({ status, headers }) => `${status} ${String(headers['location'])}`)).toEqual(
      sent.map(() => '303 /f/ask-us/sent'),
    )
    expect(await readStored()).toEqual({ leads: 2, quotes: 2, responses: 1 })
    await submit({ ...GOOD, notes: 'One more thing' }, { stamp })
    expect(await readStored()).toEqual({ leads: 2, quotes: 3, responses: 2 })
  })
})

describe('protection against abuse', () => {
  it.each([
    ['a filled hidden field', { website: 'https://spam.example' }, 'that people do not see'],
    ['a page that was just opened', { stamp: stampOf(QUOTE_PAGE, { ageMs: -60_000 }) }, 'very fast'],
    [
      'a page of last week',
      { stamp: stampOf(QUOTE_PAGE, { ageMs: 7 * 86_400_000 }) },
      'open for a long time',
    ],
    ['no stamp', { stamp: '' }, 'not complete'],
    ['the stamp of another form', { stamp: stampOf(['c', 'booking-form']) }, 'not complete'],
  ])('FM8: rejects %s, and keeps the input', async (_, fields, message) => {
    const { status, text } = await submit({ ...GOOD, notes: 'Kept' }, fields)
    expect(status).toBe(400)
    expect(pageText(text)).toContain(message)
    expect(text).toContain('Kept</textarea>')
    expect((await readStored()).responses).toBe(0)
  })

  it('FM8: limits submissions from one network to 20 in an hour', async () => {
    const from = (address: string) => submit(GOOD, {}, { 'x-forwarded-for': address })
    for (let i = 0; i < 20; i++) expect((await from(`2001:db8:0:1::${i}`)).status).toBe(303)
    const refused = await from('2001:db8:0:1::ff')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000)
    expect(pageText(refused.text)).toContain('Your answers are still here.')
    expect((await from('2001:db8:0:2::1')).status).toBe(303)
    await pool.query(`UPDATE form_limits SET started_at = now() - interval '61 minutes'`)
    expect((await from('2001:db8:0:1::1')).status).toBe(303)
    expect((await readStored()).responses).toBe(22)
  })

  it('FM8: rejects a submission without waiting for other writes of the company', async () => {
    const stamp = stampOf(QUOTE_PAGE)
    expect((await submit(GOOD, { stamp })).status).toBe(303)
    const writer = await pool.connect()
    try {
      await writer.query('BEGIN')
      await lockCompany(writer, 'c')
      expect((await submit({ ...GOOD, email: 'x' })).status).toBe(422)
      expect((await submit(GOOD, { stamp })).status).toBe(303)
      await pool.query('UPDATE form_limits SET submissions = 20')
      expect((await submit(GOOD)).status).toBe(429)
    } finally {
      await writer.query('ROLLBACK')
      writer.release()
    }
  })

  it.each([
    ['a body that is too large', bodyOf({ notes: 'x'.repeat(200_000) }, {}), 413, 'too long'],
    [
      'too many fields',
      bodyOf({ notes: Array.from({ length: 1_001 }, () => 'x') }, {}),
      400,
      'cannot be stored',
    ],
    ['a null character', bodyOf({ notes: '\0' }, {}), 400, 'cannot be stored'],
  ])('FM8: answers %s with a page', async (_, body, status, message) => {
    const answer = await post('/f/ask-us', body)
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(pageText(answer.text)).toContain(message)
  })

  it('FM8: rejects an answer that is too long, next to its field', async () => {
    const { status, text } = await submit({ ...GOOD, notes: 'x'.repeat(5_001) })
    expect(status).toBe(422)
    expect(pageText(text)).toContain('Use at most 5,000 characters.')
  })

  it('FM10: escapes texts of the company and of the visitor', async () => {
    const evil = '"><script>alert(1)</script>'
    await importValid(connection, [
      { ...MINIMAL.company, name: evil },
      { ...MINIMAL.addon, name: evil },
      { ...MINIMAL.formQuestion, id: evil, formId: 'quote-form', title: evil, subtitle: evil, position: 20 },
    ])
    await setForm(`name = '${evil}'`)
    const { text } = await submit({ email: evil, [evil]: evil, notes: `</textarea>${evil}` }, { stamp: evil })
    expect(text.match(/<script/g)).toHaveLength(1)
    expect(text).toContain('<script src="/f/form.js" defer></script>')
    expect((await server.call('/f/ask-us/sent')).text.match(/<script/g)).toHaveLength(1)
  })
})

describe('/f/b/<token>', () => {
  const path = bookingPath('booking-form', 'book')
  const send = (answers: Record<string, string | string[]>) =>
    post(path, bodyOf(answers, { stamp: stampOf(['c', 'booking-form', 'book']) }))

  it('FM11: stores one response for the booking and its quote, and shows it again', async () => {
    expect((await send({ wishes: 'Quiet', diets: ['Halal', 'Vegan'] })).headers['location']).toBe(
      `${path}/sent`,
    )
    const { text } = await server.call(path)
    expect(text).toContain('Quiet</textarea>')
    expect(text.match(/value="[\w ]+" checked/g)).toEqual(['value="Vegan" checked', 'value="Halal" checked'])
    expect(await rowsOf('SELECT booking_id, quote_id, form_id FROM form_responses')).toEqual([
      { booking_id: 'book', quote_id: 'q', form_id: 'booking-form' },
    ])
  })

  it('FM11: replaces the answers when it is sent again, and records nothing without a change', async () => {
    await send({ wishes: 'Quiet' })
    await send({ wishes: 'Quiet' })
    await send({ wishes: 'Loud', diets: 'Vegan' })
    expect(await rowsOf('SELECT response FROM form_answers ORDER BY ordinal')).toEqual([
      { response: 'Loud' },
      { response: 'Vegan' },
    ])
    const changes = await rowsOf('SELECT type, actor_id, actor_name FROM changes ORDER BY sequence')
    expect(changes).toEqual(
      Array.from({ length: 2 }, () => ({
        type: 'form_response.submitted',
        actor_id: 'lead',
        actor_name: 'Ada Noor',
      })),
    )
  })

  it('FM11: responds with 404 for a canceled booking and a closed form, and cannot be framed', async () => {
    await setForm(`allowed_origins = '{https://a.example}'`)
    expect((await server.call(path)).headers['content-security-policy']).toContain("frame-ancestors 'none'")
    await pool.query('UPDATE bookings SET canceled_at = now()')
    expect((await server.call(path)).status).toBe(404)
    expect((await send({ wishes: 'x' })).status).toBe(404)
    await pool.query('UPDATE bookings SET canceled_at = NULL')
    await setForm('published_at = NULL')
    expect((await server.call(path)).status).toBe(404)
  })
})
