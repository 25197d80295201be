import { describe, expect, it } from 'vitest'
import { openPool } from '../src/db/connect.ts'
import { onDatabase } from './support/connections.ts'
import { createOlderApi, plantFormResponse } from './support/older.ts'
import { KEY, OTHER_KEY } from './support/quotes.ts'
import { insert, insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import type { Answer } from './support/server.ts'

const { pool, connection, server } = await createOlderApi()
await plantFormResponse(
  pool,
  'co_1',
  'fr_1',
  [{ question: { id: 'q_1', title: 'Guests' }, response: '80' }],
  {
    booking_id: 'book_1',
    quote_id: 'quote_1',
    created_at: '2026-03-01T09:30:00.5Z',
    updated_at: '2026-03-02T09:30:00Z',
  },
)
await plantFormResponse(pool, 'co_2', 'fr_foreign', [{ question: { id: 'q_1', title: 'Guests' } }])

const METADATA = ['id', 'createdAt', 'updatedAt', 'formId', 'bookingId', 'quoteId', 'companyId']
const pathOf = (id: string, query = '') => `/api/form-response/${encodeURIComponent(id)}${query}`

const get = (id: string, query = '', key = KEY) => server.get(pathOf(id, query), key)

interface Whole {
  formQuestionResponses: { id: string; response: string; question: { id: string; title: string } }[]
  [member: string]: unknown
}

async function read(id: string): Promise<Whole> {
  const answer = await get(id)
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as Whole[])[0] ?? { formQuestionResponses: [] }
}

async function readFlat(id: string): Promise<Record<string, unknown>> {
  const answer = await get(id, '?format=flat')
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body).toHaveLength(1)
  return (answer.body as Record<string, unknown>[])[0] ?? {}
}

let count = 0
/** The names and values of questions with these titles in the flat format. */
async function flatten(...titles: string[]): Promise<[string, unknown][]> {
  const id = `flat_${++count}`
  await plantFormResponse(
    pool,
    'co_1',
    id,
    titles.map((title, i) => ({ question: { id: `q_${i}`, title }, response: `${i}` })),
  )
  return Object.entries(await readFlat(id)).filter(([name]) => !METADATA.includes(name))
}

const aMessage = { message: expect.stringMatching(/\S/) as unknown }

describe('L6, O19: GET /form-response/{id}', () => {
  it('returns an array with one form response with the documented fields', async () => {
    const answer = await get('fr_1')
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.body).toEqual([
      {
        id: 'fr_1',
        createdAt: '2026-03-01T09:30:00.500Z',
        updatedAt: '2026-03-02T09:30:00.000Z',
        formId: 'form_1',
        bookingId: 'book_1',
        quoteId: 'quote_1',
        companyId: 'co_1',
        formQuestionResponses: [
          {
            id: 'ans_0',
            response: '80',
            createdAt: expect.stringMatching(/Z$/) as unknown,
            updatedAt: expect.stringMatching(/Z$/) as unknown,
            question: {
              id: 'fr_1 q_1',
              title: 'Guests',
              type: 'TEXT',
              subtitle: null,
              position: 0,
              systemRequired: false,
              userRequired: false,
              linkedSystemField: null,
            },
          },
        ],
      },
    ])
  })

  it('returns answers and questions as they are stored; bookingId and quoteId can be null', async () => {
    await insert(pool, 'form_questions', {
      company_id: 'co_1',
      id: 'q_full',
      form_id: 'form_1',
      title: 'When?',
      type: 'DATE',
      subtitle: 'Of the <event>',
      position: 7,
      system_required: true,
      user_required: true,
      linked_system_field: 'eventDate',
    })
    await insert(pool, 'form_responses', { company_id: 'co_1', id: 'fr_full', form_id: 'form_gone' })
    await insert(pool, 'form_answers', {
      company_id: 'co_1',
      form_response_id: 'fr_full',
      id: 'ans_full',
      ordinal: 0,
      question_id: 'q_full',
      response: '"quoted"\n<b>1 June</b> 😀',
      created_at: '2026-03-01T09:30:00.001Z',
      updated_at: '2026-03-01T09:30:00.120Z',
    })
    expect(await read('fr_full')).toMatchObject({
      formId: 'form_gone',
      bookingId: null,
      quoteId: null,
      formQuestionResponses: [
        {
          id: 'ans_full',
          response: '"quoted"\n<b>1 June</b> 😀',
          createdAt: '2026-03-01T09:30:00.001Z',
          updatedAt: '2026-03-01T09:30:00.120Z',
          question: {
            id: 'q_full',
            title: 'When?',
            type: 'DATE',
            subtitle: 'Of the <event>',
            position: 7,
            systemRequired: true,
            userRequired: true,
            linkedSystemField: 'eventDate',
          },
        },
      ],
    })
  })

  it('returns an empty array without answers', async () => {
    await plantFormResponse(pool, 'co_1', 'fr_empty', [])
    expect((await read('fr_empty')).formQuestionResponses).toEqual([])
    expect(Object.keys(await readFlat('fr_empty'))).toEqual(METADATA)
  })

  it('sorts answers by position, question id and answer id in byte order', async () => {
    const at = (id: string, question: string, position: number) => ({
      id,
      question: { id: question, title: question, position },
    })
    // The order of rows and answer ids differs from the expected order.
    await plantFormResponse(pool, 'co_1', 'fr_order', [
      at('a_01', 'late', 10),
      at('a_02', 'é', 2),
      at('a_03', 'a', 2),
      at('a_04', 'B', 2),
      at('b', 'twice', 1),
      at('a', 'twice', 1),
      at('B', 'twice', 1),
      at('a_08', 'first', 0),
    ])
    expect((await read('fr_order')).formQuestionResponses.map(({ id }) => id)).toEqual([
      'a_08',
      'B',
      'a',
      'b',
      'a_04',
      'a_03',
      'a_02',
      'a_01',
    ])
  })

  it('omits answers to questions that are missing or belong to another company', async () => {
    await plantFormResponse(pool, 'co_1', 'fr_holes', [
      { question: { id: 'q_kept', title: 'Kept' } },
      { question: { id: 'q_gone', title: 'Gone' } },
      { question: { id: 'q_theirs', title: 'Theirs' } },
    ])
    await pool.query(`DELETE FROM form_questions WHERE id IN ('fr_holes q_gone', 'fr_holes q_theirs')`)
    await insert(pool, 'form_questions', {
      company_id: 'co_2',
      id: 'fr_holes q_theirs',
      form_id: 'form_1',
      title: 'Theirs',
      type: 'TEXT',
      position: 0,
    })
    const { formQuestionResponses } = await read('fr_holes')
    expect(formQuestionResponses.map(({ question }) => question.title)).toEqual(['Kept'])
    expect(Object.keys(await readFlat('fr_holes'))).toEqual([...METADATA, 'Kept'])
  })

  it('separates companies with the same ids', async () => {
    await plantFormResponse(pool, 'co_1', 'fr_shared', [
      { question: { id: 'q', title: 'Q' }, response: 'mine' },
    ])
    await plantFormResponse(pool, 'co_2', 'fr_shared', [
      { question: { id: 'q', title: 'Q' }, response: 'theirs' },
    ])
    const flat = async (key: string) =>
      ((await get('fr_shared', '?format=flat', key)).body as Record<string, unknown>[])[0]
    const [mine, theirs] = [await flat(KEY), await flat(OTHER_KEY)]
    expect(mine).toMatchObject({ companyId: 'co_1', Q: 'mine' })
    expect(theirs).toMatchObject({ companyId: 'co_2', Q: 'theirs' })
    for (const form of [mine, theirs]) expect(Object.keys(form ?? {})).toEqual([...METADATA, 'Q'])
  })

  it('L10: returns every type of question', async () => {
    const types =
      'ADDRESS ADDONS TEXT MULTISELECT MULTICHOICE DROPDOWN DATE TIME NUMBER YESNO DISPLAYTEXT ACKNOWLEDGEMENTS RESOURCE STAFFING_CALCULATOR'
    await plantFormResponse(
      pool,
      'co_1',
      'fr_types',
      types.split(' ').map((type) => ({ question: { id: type, title: type, type } })),
    )
    const shown = (await read('fr_types')).formQuestionResponses.map(({ question }) => question)
    expect(shown.map((question) => (question as { type?: string }).type).join(' ')).toBe(types)
  })

  it('answers HEAD like GET, without a body', async () => {
    const answer = await server.call(pathOf('fr_1'), { method: 'HEAD', headers: { 'x-api-key': KEY } })
    expect([answer.status, answer.text]).toEqual([200, ''])
  })
})

describe('L6: ?format=flat', () => {
  it('returns an array of one object: seven metadata members, then each question with its answer', async () => {
    const answer = await get('fr_1', '?format=flat')
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(
      JSON.stringify([
        {
          id: 'fr_1',
          createdAt: '2026-03-01T09:30:00.500Z',
          updatedAt: '2026-03-02T09:30:00.000Z',
          formId: 'form_1',
          bookingId: 'book_1',
          quoteId: 'quote_1',
          companyId: 'co_1',
          Guests: '80',
        },
      ]),
    )
  })

  it('returns null for absent metadata', async () => {
    await plantFormResponse(pool, 'co_1', 'fr_bare', [])
    expect(await readFlat('fr_bare')).toMatchObject({ bookingId: null, quoteId: null })
  })

  it('keeps the order of the questions', async () => {
    const names = Object.keys(await readFlat('fr_order'))
    expect(names.slice(METADATA.length)).toEqual([
      'first',
      'twice',
      'twice (2)',
      'twice (3)',
      'B',
      'a',
      'é',
      'late',
    ])
  })

  it.each<[rule: string, titles: string[], names: string[]]>([
    ['keeps different titles', ['A', 'B', 'a'], ['A', 'B', 'a']],
    ['appends (2) to the second and (3) to the third equal title', ['X', 'X', 'X'], ['X', 'X (2)', 'X (3)']],
    ['skips an earlier title "X (2)"', ['X (2)', 'X', 'X'], ['X (2)', 'X', 'X (3)']],
    ['appends (2) to a later title "X (2)"', ['X', 'X', 'X (2)'], ['X', 'X (2)', 'X (2) (2)']],
    [
      'increases the number until the name is unique',
      ['X', 'X (3)', 'X', 'X', 'X', 'X (3)'],
      ['X', 'X (3)', 'X (2)', 'X (4)', 'X (5)', 'X (3) (2)'],
    ],
    ['keeps titles that differ by a space', ['X', 'X ', ' X'], ['X', 'X ', ' X']],
    ['appends (answer) to the seven metadata names', METADATA, METADATA.map((name) => `${name} (answer)`)],
    [
      'appends (answer) and (2) to repeated metadata names',
      ['id', 'id', 'id'],
      ['id (answer)', 'id (answer) (2)', 'id (answer) (3)'],
    ],
    [
      'distinguishes a metadata name from a title with (answer)',
      ['id (answer)', 'id', 'id (answer)'],
      ['id (answer)', 'id (answer) (2)', 'id (answer) (3)'],
    ],
    ['keeps a metadata name in another case', ['ID', 'formid'], ['ID', 'formid']],
    [
      'keeps formQuestionResponses, which is not metadata',
      ['formQuestionResponses'],
      ['formQuestionResponses'],
    ],
    [
      'keeps names of built-in object members',
      ['constructor', 'toString', 'hasOwnProperty', 'toJSON', 'constructor'],
      ['constructor', 'toString', 'hasOwnProperty', 'toJSON', 'constructor (2)'],
    ],
    ['keeps a title of one space', [' ', ' '], [' ', '  (2)']],
    ['keeps markup, quotes and emoji', ['<b>"a"</b>', '😀', '\n'], ['<b>"a"</b>', '😀', '\n']],
  ])('%s', async (_rule, titles, names) => {
    expect(await flatten(...titles)).toEqual(names.map((name, i) => [name, `${i}`]))
  })

  it('treats __proto__ like other names', async () => {
    const entries = await flatten('__proto__', 'X', '__proto__', '__proto__ (2)')
    expect(entries).toEqual([
      ['__proto__', '0'],
      ['X', '1'],
      ['__proto__ (2)', '2'],
      ['__proto__ (2) (2)', '3'],
    ])
  })

  it('keeps every question with a numeric title', async () => {
    const entries = await flatten('2', '1', '2', '0', '-1', '1.5')
    expect(Object.fromEntries(entries)).toEqual({
      2: '0',
      1: '1',
      '2 (2)': '2',
      0: '3',
      '-1': '4',
      '1.5': '5',
    })
  })

  it('returns the answers of 300 questions with the same title', async () => {
    const entries = await flatten(...Array.from({ length: 300 }, () => 'Again'))
    expect(entries).toHaveLength(300)
    expect(entries.at(-1)).toEqual(['Again (300)', '299'])
  })

  it.each([
    ['another value', '?format=whole'],
    ['another case', '?format=FLAT'],
    ['a trailing space', '?format=flat+'],
    ['an empty value', '?format='],
    ['no value', '?format'],
    ['the same value twice', '?format=flat&format=flat'],
    ['two values', '?format=flat&format=whole'],
    ['a list', '?format[]=flat'],
    ['an object', '?format[x]=flat'],
    ['an undecodable value', '?format=%ff'],
    ['a value that is encoded twice', '?format=%2566lat'],
  ])('rejects %s of format with {message}', async (_what, query) => {
    const answer = await get('fr_1', query)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual(aMessage)
    // Parameters are checked before the form response is loaded.
    expect((await get('fr_unknown', query)).text).toBe(answer.text)
  })

  it('R2: ignores unknown parameters and decodes the names of known ones', async () => {
    const whole = (await get('fr_1')).text
    for (const query of ['?expand[]=question', '?formats=flat', '?Format=flat', '?x', '?limit=-1', '?&&=']) {
      expect((await get('fr_1', query)).text, query).toBe(whole)
    }
    expect((await get('fr_1', '?%66ormat=fl%61t&x=1')).text).toBe((await get('fr_1', '?format=flat')).text)
  })
})

describe('L7: statuses with {message}', () => {
  it.each([
    ['that does not exist', pathOf('fr_unknown')],
    ['of another company', pathOf('fr_foreign')],
    ['in another case', pathOf('FR_1')],
    ['with a trailing space', pathOf('fr_1 ')],
    ['with a NUL', pathOf('fr_1\0')],
    ['of 256 characters', pathOf('f'.repeat(256))],
    ['of 5,000 characters', pathOf('f'.repeat(5000))],
    ['that cannot be decoded', '/api/form-response/%ff'],
    ['with half an escape', '/api/form-response/fr_1%'],
    ['of a question', pathOf('fr_1 q_1')],
    ['of another company with format=flat', pathOf('fr_foreign', '?format=flat')],
  ])('answers the same 404 to an id %s', async (_what, path) => {
    const answer = await server.get(path, KEY)
    expect(answer.status).toBe(404)
    expect(answer.text).toBe('{"message":"Form response not found"}')
  })

  it('finds ids with any characters', async () => {
    for (const id of ['a/b', 'a?b#c', '100%', 'é', '😀', "it's", '..', ' ']) {
      await plantFormResponse(pool, 'co_1', id, [])
      expect((await get(id)).status, id).toBe(200)
    }
  })

  it('answers the same 401 for every reason', async () => {
    await insertCompany(pool, 'co_pro', { key: 'key-of-a-pro-plan', plan: 'PRO' })
    await insertCompany(pool, 'co_legacy', { key: 'key-of-a-legacy-plan', plan: 'LEGACY_PRO' })
    const answers: Answer[] = [await server.call(pathOf('fr_1'))]
    for (const key of ['short', 'key-that-is-unknown', 'key-of-a-pro-plan', 'key-of-a-legacy-plan']) {
      answers.push(await get('fr_1', '', key))
    }
    // Ids and parameters do not matter without a key (R1).
    answers.push(await get('fr_unknown', '?format=x', 'key-that-is-unknown'))
    for (const { status, body } of answers) {
      expect(status).toBe(401)
      expect(body).toEqual(aMessage)
    }
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'answers 405 with Allow to %s, also without a key',
    async (method) => {
      const answer = await server.call(pathOf('fr_1'), { method })
      expect(answer.status).toBe(405)
      expect(answer.headers['allow']).toBe('GET, HEAD')
      expect(answer.body).toEqual(aMessage)
    },
  )

  it('answers 405 with any body', async () => {
    for (const type of ['nonsense', 'application/json']) {
      const headers = { 'content-type': type }
      const options = { method: 'POST', headers, body: 'x'.repeat(300_000) }
      const answer = await server.call(pathOf('fr_1'), options)
      expect([answer.status, answer.body]).toEqual([405, aMessage])
    }
  })

  it('answers 404 to a trailing slash', async () => {
    for (const path of ['/api/form-response/', '/api/form-response', '/api/form-response/fr_1/']) {
      const answer = await server.get(path, KEY)
      expect(answer.status).toBe(404)
      expect(answer.body).toMatchObject({ error: { code: 'not_found' } })
    }
  })

  it('answers 429, 500 and 503', async () => {
    const unavailable = onDatabase(connection, 'no_such_database')
    const data = openPool(unavailable, 'data', () => undefined)
    const keys = openPool(unavailable, 'keys', () => undefined)
    const limited = await startServer(connection, { rateLimitPerMinute: 1 })
    const statuses: number[] = []
    const answers = [
      await (await startServer(connection, { data })).get(pathOf('fr_1'), KEY),
      await (await startServer(connection, { keys })).get(pathOf('fr_1'), KEY),
    ]
    for (let i = 0; i < 4; i++) {
      const answer = await limited.get(pathOf('fr_1'), KEY)
      statuses.push(answer.status)
      if (answer.status === 429) answers.push(answer)
    }
    expect(statuses[0]).toBe(200)
    expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([500, 503, 429]))
    for (const { body } of answers) expect(body).toEqual(aMessage)
    expect(answers[1]?.headers['retry-after']).toBe('1')
    await Promise.all([data.end(), keys.end()])
  })
})
