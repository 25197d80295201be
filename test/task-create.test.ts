import { Writable } from 'node:stream'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openPool } from '../src/db/connect.ts'
import { exportWorld } from '../src/world/export.ts'
import { onDatabase } from './support/connections.ts'
import { ISO_TIME, TASK_PATH, createOlderApi, postTask, taskOf } from './support/older.ts'
import { KEY, OTHER_KEY, plant } from './support/quotes.ts'
import { insertCompany, insertKey } from './support/records.ts'
import { startServer } from './support/server.ts'
import type { Answer } from './support/server.ts'

const { pool, connection, server } = await createOlderApi()
await plant(pool, 'events', 'co_1', 'ev_1')
await plant(pool, 'events', 'co_1', 'ev_other')
await plant(pool, 'events', 'co_1', 'ev_shared')
await plant(pool, 'events', 'co_2', 'ev_shared')
await plant(pool, 'events', 'co_2', 'ev_foreign')

const KIB_256 = 256 * 1024
const NOT_FOUND = '{"error":"Event not found"}'

type SentHeaders = Parameters<typeof postTask>[2]
const post = (body: unknown, headers: SentHeaders = {}) => postTask(server, body, headers)
const create = (members: object, headers: SentHeaders = {}) =>
  post({ eventId: 'ev_1', description: 'Order ice', ...members }, headers)

const anError = { error: expect.any(String) as unknown }
const messages = { _errors: expect.toSatisfy(isListOfTexts) as unknown }
/** The 400 body with exactly these members of `details`. */
const refusal = (...fields: string[]) => ({
  error: expect.any(String) as unknown,
  details: Object.fromEntries(fields.map((field) => [field, messages])),
})

function isListOfTexts(value: unknown): boolean {
  return (
    Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === 'string' && text !== '')
  )
}

async function expectRefused(answer: Answer | Promise<Answer>, ...fields: string[]): Promise<void> {
  const { status, body, headers, text } = await answer
  expect(status, text).toBe(400)
  expect(body).toEqual(refusal(...fields))
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
}

async function countTasks(): Promise<number> {
  return Number((await pool.query<{ n: string }>('SELECT count(*) AS n FROM tasks')).rows[0]?.n)
}

interface StoredTask {
  companyId: string
  eventId: string
  description: string
  dueDate: string | null
  completedAt: string | null
}

async function storedTask(id: string): Promise<StoredTask | undefined> {
  const { rows } = await pool.query<StoredTask>(
    `SELECT company_id AS "companyId", event_id AS "eventId", description,
      to_char(due_date, 'YYYY-MM-DD"T"HH24:MI:SS.US') AS "dueDate", completed_at AS "completedAt"
    FROM tasks WHERE id = $1`,
    [id],
  )
  return rows[0]
}

/** A body of exactly so many bytes; `extra` is an unknown member that fills it up. */
function bodyOfSize(bytes: number, members: object = { eventId: 'ev_1', description: 'Large' }): string {
  const empty = JSON.stringify({ ...members, extra: '' })
  return JSON.stringify({ ...members, extra: 'x'.repeat(bytes - Buffer.byteLength(empty)) })
}

describe('L1, L11, O18: a task is created', () => {
  it('201 with success and the task, exactly its fields', async () => {
    const before = Date.now()
    const answer = await create({ dueDate: '2026-05-01T09:30:00Z' })
    expect(answer.status).toBe(201)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['idempotent-replayed']).toBeUndefined()
    expect(answer.body).toEqual({
      success: true,
      task: {
        id: expect.stringMatching(/^.{1,255}$/) as unknown,
        description: 'Order ice',
        dueDate: '2026-05-01T09:30:00.000Z',
        eventId: 'ev_1',
        completed: false,
        createdAt: expect.stringMatching(ISO_TIME) as unknown,
      },
    })
    expect(Object.keys(answer.body as object)).toEqual(['success', 'task'])
    expect(Object.keys(taskOf(answer))).toEqual([
      'id',
      'description',
      'dueDate',
      'eventId',
      'completed',
      'createdAt',
    ])
    const created = Date.parse(taskOf(answer).createdAt)
    expect(created).toBeGreaterThanOrEqual(before - 1)
    expect(created).toBeLessThanOrEqual(Date.now() + 1)
  })

  it('is on the checklist of its event, of the caller’s company, not completed', async () => {
    const { id } = taskOf(await create({ eventId: 'ev_other', description: 'Count chairs' }))
    expect(await storedTask(id)).toEqual({
      companyId: 'co_1',
      eventId: 'ev_other',
      description: 'Count chairs',
      dueDate: null,
      completedAt: null,
    })
  })

  it('an id that two companies use means the event of the caller', async () => {
    const mine = taskOf(await create({ eventId: 'ev_shared' }))
    const theirs = taskOf(await create({ eventId: 'ev_shared' }, { 'x-api-key': OTHER_KEY }))
    expect((await storedTask(mine.id))?.companyId).toBe('co_1')
    expect((await storedTask(theirs.id))?.companyId).toBe('co_2')
  })

  it('the same request twice without an idempotency-key is two tasks', async () => {
    const [first, second] = [await create({}), await create({})]
    expect(taskOf(first).id).not.toBe(taskOf(second).id)
    expect(await storedTask(taskOf(first).id)).toBeDefined()
    expect(await storedTask(taskOf(second).id)).toBeDefined()
  })

  it('an export of the world shows it', async () => {
    const { id, createdAt } = taskOf(
      await create({ description: 'Zelt prüfen', dueDate: '2026-05-01T09:30+02:00' }),
    )
    const chunks: Buffer[] = []
    const output = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        chunks.push(Buffer.from(chunk))
        done()
      },
    })
    await exportWorld(connection, output)
    const lines = Buffer.concat(chunks).toString('utf8').trim().split('\n')
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(records.find((record) => record['id'] === id)).toEqual({
      object: 'task',
      id,
      companyId: 'co_1',
      eventId: 'ev_1',
      description: 'Zelt prüfen',
      dueDate: '2026-05-01T07:30:00.000Z',
      createdAt,
      updatedAt: createdAt,
    })
  })

  it('query parameters are ignored', async () => {
    const answer = await server.call(`${TASK_PATH}?eventId=ev_other&x=%ff&expand[]=event`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ eventId: 'ev_1', description: 'Order ice' }),
    })
    expect(answer.status).toBe(201)
    expect(taskOf(answer).eventId).toBe('ev_1')
  })
})

describe('L11, R11: eventId', () => {
  it.each<[why: string, eventId: unknown]>([
    ['a number', 1],
    ['null', null],
    ['a boolean', true],
    ['an array', ['ev_1']],
    ['an object', { id: 'ev_1' }],
    ['empty', ''],
  ])('%s is 400', async (_why, eventId) => {
    await expectRefused(create({ eventId }), 'eventId')
  })

  it('missing is 400', async () => {
    await expectRefused(post({ description: 'Order ice' }), 'eventId')
  })

  it.each([
    ['unknown', 'ev_unknown'],
    ['of another company', 'ev_foreign'],
    ['with a NUL', 'ev_1\0'],
    ['only a NUL', '\0'],
    ['of 256 characters', 'e'.repeat(256)],
    ['of 10,000 characters', 'e'.repeat(10_000)],
    ['in another case', 'EV_1'],
    ['with a blank before', ' ev_1'],
    ['with a blank behind', 'ev_1 '],
    ['of blanks', '   '],
    ['with a quote', "ev_1' OR '1'='1"],
    ['percent-encoded', 'ev%5F1'],
  ])('%s is 404, every time byte for byte the same', async (_why, eventId) => {
    const before = await countTasks()
    const answer = await create({ eventId })
    expect(answer.status).toBe(404)
    expect(answer.text).toBe(NOT_FOUND)
    expect(await countTasks()).toBe(before)
  })

  it('has up to 255 code points of any kind', async () => {
    for (const id of ['😀'.repeat(255), 'é', '‮ev', 'a/b?c#d%20', "it's", '\u{10FFFF}', 'a\nb']) {
      await plant(pool, 'events', 'co_1', id)
      const answer = await create({ eventId: id })
      expect(answer.status, answer.text).toBe(201)
      expect(taskOf(answer).eventId).toBe(id)
    }
    // One in composed form is not the same in decomposed form: byte for byte.
    expect((await create({ eventId: 'e\u0301' })).status).toBe(404)
  })
})

describe('L2: description', () => {
  it.each([
    ['one letter', 'x'],
    ['one code point outside the basic plane', '😀'],
    ['10,000 letters', 'x'.repeat(10_000)],
    ['10,000 code points outside the basic plane', '😀'.repeat(10_000)],
    ['10,000 combining marks', '\u0301'.repeat(10_000)],
    ['10,000 of which all but one are blanks', `${' '.repeat(9_999)}x`],
    ['blanks and line breaks around it', '\n\t  Order ice \r\n '],
    ['line separators in it', 'a\u2028b\u2029c\u0085d'],
    ['control characters', '\u0001\u0008\u001b\u007f'],
    ['non-characters and private use', '\ufffe\uffff\u{1ffff}\ue000'],
    ['markup', '<script>alert(1)</script>&amp;'],
    ['quotes and backslashes', `"'\\\\n\\u0000 $1 {} %s`],
    ['right to left', 'مهمة ‮abc'],
    ['composed and decomposed', 'é e\u0301'],
    ['a byte order mark in front', '\ufeffx'],
  ])('%s is taken, returned and stored as sent', async (_why, description) => {
    const answer = await create({ description })
    expect(answer.status, answer.text.slice(0, 200)).toBe(201)
    expect(taskOf(answer).description).toBe(description)
    expect((await storedTask(taskOf(answer).id))?.description).toBe(description)
  })

  it.each<[why: string, description: unknown]>([
    ['10,001 letters', 'x'.repeat(10_001)],
    ['10,001 code points outside the basic plane', '😀'.repeat(10_001)],
    ['10,001 with blanks that a trim would take off', ` ${'x'.repeat(10_000)}`],
    ['empty', ''],
    ['a NUL', '\0'],
    ['a NUL inside', 'Order\0ice'],
    ['null', null],
    ['a number', 5],
    ['an array', ['Order ice']],
    ['an object', {}],
    ['a boolean', false],
  ])('%s is 400', async (_why, description) => {
    await expectRefused(create({ description }), 'description')
  })

  it('missing is 400', async () => {
    await expectRefused(post({ eventId: 'ev_1' }), 'description')
  })

  it('only white space, of any kind that Unicode knows, is 400', async () => {
    const blanks = [...Array(0x11_0000).keys()]
      .filter((point) => point < 0xd800 || point > 0xdfff)
      .map((point) => String.fromCodePoint(point))
      .filter((character) => /\p{White_Space}/u.test(character))
    expect(blanks).toHaveLength(25)
    for (const blank of [...blanks, '\ufeff', blanks.join(''), ' '.repeat(10_000)]) {
      await expectRefused(create({ description: blank }), 'description')
    }
  })

  it('any text of 1 to 10,000 characters comes back as it was sent', async () => {
    const texts = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(
        texts.filter((text) => !text.includes('\0') && /[^\p{White_Space}\ufeff]/u.test(text)),
        async (description) => {
          const answer = await create({ description })
          expect(answer.status, answer.text).toBe(201)
          expect(taskOf(answer).description).toBe(description)
          expect((await storedTask(taskOf(answer).id))?.description).toBe(description)
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('L3, R6: dueDate', () => {
  it.each([
    ['2026-05-01T09:30Z', '2026-05-01T09:30:00.000Z'],
    ['2026-05-01T09:30:15Z', '2026-05-01T09:30:15.000Z'],
    ['2026-05-01T09:30:15.5Z', '2026-05-01T09:30:15.500Z'],
    ['2026-05-01T09:30:15.9999Z', '2026-05-01T09:30:15.999Z'],
    ['2026-05-01T09:30:15.999999999Z', '2026-05-01T09:30:15.999Z'],
    ['2026-05-01T23:59:59.9995Z', '2026-05-01T23:59:59.999Z'],
    ['2026-05-01T09:30+02:00', '2026-05-01T07:30:00.000Z'],
    ['2026-05-01T09:30:00-05:30', '2026-05-01T15:00:00.000Z'],
    ['2026-05-01T00:30:00.123456+01:00', '2026-04-30T23:30:00.123Z'],
    ['2026-12-31T23:59:59.999-00:01', '2027-01-01T00:00:59.999Z'],
    ['2026-05-01T09:30:00+00:00', '2026-05-01T09:30:00.000Z'],
    ['2026-05-01T09:30:00-00:00', '2026-05-01T09:30:00.000Z'],
    ['2026-05-01T09:30:00+23:59', '2026-04-30T09:31:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0050-03-01T00:00:00+01:00', '0050-02-28T23:00:00.000Z'],
    ['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:59.999999+00:00', '9999-12-31T23:59:59.999Z'],
    ['1969-12-31T23:59:59.9999Z', '1969-12-31T23:59:59.999Z'],
  ])('%s is returned and stored as %s', async (sent, shown) => {
    const answer = await create({ dueDate: sent })
    expect(answer.status, answer.text).toBe(201)
    expect(taskOf(answer).dueDate).toBe(shown)
    expect((await storedTask(taskOf(answer).id))?.dueDate).toBe(`${shown.slice(0, -1)}000`)
  })

  it('null, or left out, is none', async () => {
    for (const members of [{ dueDate: null }, {}]) {
      const task = taskOf(await create(members))
      expect(task.dueDate).toBeNull()
      expect((await storedTask(task.id))?.dueDate).toBeNull()
    }
  })

  it.each<[dueDate: unknown]>([
    [''],
    ['2026-05-01'],
    ['2026-05-01T09:30:00'],
    ['2026-05-01T09:30'],
    ['2026-05-01 09:30:00Z'],
    ['2026-05-01t09:30:00Z'],
    ['2026-05-01T09:30:00z'],
    ['2026-05-01T09Z'],
    ['2026-05-01T09:30:00.Z'],
    ['2026-05-01T09:30:00.1234567890Z'],
    ['2026-05-01T09:30.5Z'],
    ['2026-05-01T09:30:00,5Z'],
    ['2026-05-01T24:00:00Z'],
    ['2026-05-01T09:60:00Z'],
    ['2026-05-01T23:59:60Z'],
    ['2026-02-29T00:00:00Z'],
    ['1900-02-29T00:00:00Z'],
    ['2026-02-30T00:00:00Z'],
    ['2026-04-31T00:00:00Z'],
    ['2026-13-01T00:00:00Z'],
    ['2026-00-01T00:00:00Z'],
    ['2026-01-00T00:00:00Z'],
    ['0000-01-01T00:00:00Z'],
    ['10000-01-01T00:00:00Z'],
    ['+2026-05-01T09:30:00Z'],
    ['-0001-01-01T00:00:00Z'],
    ['26-05-01T09:30:00Z'],
    ['2026-5-1T9:30:00Z'],
    ['2026-05-01T09:30:00+0200'],
    ['2026-05-01T09:30:00+02'],
    ['2026-05-01T09:30:00+24:00'],
    ['2026-05-01T09:30:00+02:60'],
    ['2026-05-01T09:30:00 02:00'],
    ['2026-05-01T09:30:00\u221202:00'],
    ['2026-05-01T09:30:00UTC'],
    ['2026-05-01T09:30:00Z[Europe/Paris]'],
    ['2026-05-01T09:30:00ZZ'],
    [' 2026-05-01T09:30:00Z'],
    ['2026-05-01T09:30:00Z\n'],
    ['2026-05-01T09:30:00Z\0'],
    ['２０２６-05-01T09:30:00Z'],
    ['0001-01-01T00:00:00+00:01'],
    ['9999-12-31T23:59:59-00:01'],
    ['2026-W18-5T09:30:00Z'],
    ['2026-121T09:30:00Z'],
    ['20260501T093000Z'],
    ['tomorrow'],
    ['now'],
    ['infinity'],
    [1_777_627_800_000],
    [true],
    [['2026-05-01T09:30:00Z']],
    [{}],
  ])('%j is 400', async (dueDate) => {
    await expectRefused(create({ dueDate }), 'dueDate')
  })
})

describe('L4: the 400 body', () => {
  it('has one member per offending field, each with its messages', async () => {
    await expectRefused(post({}), 'eventId', 'description')
    await expectRefused(
      post({ eventId: 1, description: '', dueDate: 'x' }),
      'eventId',
      'description',
      'dueDate',
    )
    await expectRefused(create({ description: ' ', dueDate: 5 }), 'description', 'dueDate')
    await expectRefused(create({ eventId: '', dueDate: '2026-05-01' }), 'eventId', 'dueDate')
  })

  it('messages name the field and say what to do', async () => {
    const { body } = await post({ eventId: '', description: '\0', dueDate: '2026-05-01' })
    const { details } = body as { details: Record<string, { _errors: string[] }> }
    for (const [field, { _errors }] of Object.entries(details)) {
      for (const message of _errors) expect(message).toMatch(new RegExp(`^${field} must`))
    }
    expect(details['dueDate']?._errors[0]).toContain('2026-05-01T09:30:00Z')
  })

  it('a field that breaks several rules has a message for each', async () => {
    const { body } = await create({ description: `\0${'x'.repeat(10_000)}` })
    const { details } = body as { details: Record<string, { _errors: string[] }> }
    expect(details['description']?._errors).toHaveLength(2)
  })

  it('nothing is created', async () => {
    const before = await countTasks()
    await expectRefused(create({ dueDate: 'x' }), 'dueDate')
    expect(await countTasks()).toBe(before)
  })

  it('a wrong body is told before an unknown event', async () => {
    await expectRefused(create({ eventId: 'ev_unknown', description: '' }), 'description')
  })
})

describe('L4: a body that is no JSON object has one member, body', () => {
  it.each([
    ['broken JSON', '{"eventId": "ev_1", "description": "x"'],
    ['two values', '{"eventId":"ev_1","description":"x"}{}'],
    ['a trailing comma', '{"eventId":"ev_1","description":"x",}'],
    ['a comment', '{"eventId":"ev_1","description":"x"} // please'],
    ['single quotes', "{'eventId':'ev_1','description':'x'}"],
    ['a raw line break in a text', '{"eventId":"ev_1","description":"a\nb"}'],
    ['an array', '[{"eventId":"ev_1","description":"x"}]'],
    ['an empty array', '[]'],
    ['a string', '"ev_1"'],
    ['a number', '5'],
    ['true', 'true'],
    ['null', 'null'],
    ['nothing', ''],
    ['a blank', ' '],
    ['NaN', 'NaN'],
    ['a NUL', '\0'],
    ['a form', 'eventId=ev_1&description=x'],
    ['XML', '<task eventId="ev_1"/>'],
  ])('%s', async (_why, body) => {
    await expectRefused(post(body), 'body')
  })

  it('no body at all', async () => {
    await expectRefused(post(undefined), 'body')
    await expectRefused(post(undefined, { 'content-type': undefined }), 'body')
    await expectRefused(post(undefined, { 'content-length': '0' }), 'body')
    await expectRefused(post(undefined, { 'transfer-encoding': 'chunked' }), 'body')
  })

  const good = '{"eventId":"ev_1","description":"x"}'

  it.each<[contentType: string | undefined]>([
    [undefined],
    [''],
    ['text/plain'],
    ['text/json'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/octet-stream'],
    ['application/xml'],
    ['application/jsonp'],
    ['application/json-patch+json'],
    ['application/vnd.api+json'],
    ['*/*'],
    // Not even of the form of a media type: the framework must not answer in our place.
    ['application'],
    ['json'],
    ['/'],
    ['application/'],
    ['/json'],
    ['application/json/x'],
    ['application json'],
    ['application/json, application/json'],
    ['application/json charset=utf-8'],
    ['app lication/json; charset=utf-8'],
    [';charset=utf-8'],
    ['undefined'],
    ['"application/json"'],
    ['\u00e4/\u00f6'],
    // Another charset.
    ['application/json; charset=utf-16'],
    ['application/json; charset=utf-16le'],
    ['application/json; charset=iso-8859-1'],
    ['application/json; charset=latin1'],
    ['application/json; charset=us-ascii'],
    ['application/json; charset=windows-1252'],
    ['application/json; charset="utf-7"'],
    ['application/json; charset=utf-8; charset=latin1'],
    ['application/json; charset=latin1; charset=utf-8'],
    ['application/json; charset='],
    ['application/json; charset=""'],
    ['application/json; charset="utf-8'],
    ['application/json; charset=utf-88'],
  ])('content-type %j', async (contentType) => {
    const before = await countTasks()
    await expectRefused(post(good, { 'content-type': contentType }), 'body')
    await expectRefused(post(good, { 'content-type': contentType, 'transfer-encoding': 'chunked' }), 'body')
    expect(await countTasks()).toBe(before)
  })

  it.each([
    ['application/json'],
    ['Application/JSON'],
    ['application/json;'],
    ['application/json; charset=utf-8'],
    ['application/json;charset=UTF-8'],
    ['application/json ; charset=Utf-8'],
    ['application/json; Charset="utf-8"'],
    ['application/json; charset=utf8'],
    ['application/json; profile=x'],
    ['application/json; v=2; charset=utf-8'],
  ])('content-type %j is taken', async (contentType) => {
    const answer = await post(good, { 'content-type': contentType })
    expect(answer.status, answer.text).toBe(201)
  })

  it('UTF-8 texts come through whatever the charset is called', async () => {
    for (const contentType of ['application/json', 'application/json; charset=UTF-8']) {
      const answer = await create({ description: 'Küche 😀' }, { 'content-type': contentType })
      expect(taskOf(answer).description).toBe('Küche 😀')
    }
  })

  it('a byte order mark before the JSON is taken', async () => {
    expect((await post(`\ufeff${good}`)).status).toBe(201)
  })

  it.each([
    ['a byte that never occurs', [0xff]],
    ['a continuation byte alone', [0x80]],
    ['half a character', [0xc3]],
    ['an over-long slash', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['beyond the last code point', [0xf4, 0x90, 0x80, 0x80]],
    ['Latin 1', [0xe4, 0x20]],
  ])('invalid UTF-8: %s', async (_why, bytes) => {
    const inside = (before: string, after: string) =>
      Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])
    await expectRefused(post(inside('{"eventId":"ev_1","description":"x', '"}')), 'body')
    await expectRefused(post(inside('{"eventId":"ev_1","description":"x","y":"', '"}')), 'body')
    await expectRefused(post(inside(good, '')), 'body')
  })

  it('UTF-16 and compressed bytes', async () => {
    await expectRefused(post(Buffer.from(good, 'utf16le')), 'body')
    await expectRefused(post(Buffer.from(`\ufeff${good}`, 'utf16le')), 'body')
    await expectRefused(post(Buffer.from([0x1f, 0x8b, 8, 0, 0]), { 'content-encoding': 'gzip' }), 'body')
  })

  it.each([
    ['in the description', String.raw`{"eventId":"ev_1","description":"x\ud83d"}`],
    ['the second half', String.raw`{"eventId":"ev_1","description":"\ude00x"}`],
    ['the halves the wrong way round', String.raw`{"eventId":"ev_1","description":"\ude00\ud83d"}`],
    ['the halves apart', String.raw`{"eventId":"ev_1","description":"\ud83d \ude00"}`],
    ['the halves with a NUL between', String.raw`{"eventId":"ev_1","description":"\ud83d\u0000\ude00"}`],
    ['in eventId', String.raw`{"eventId":"ev_1\ud800","description":"x"}`],
    ['in dueDate', String.raw`{"eventId":"ev_1","description":"x","dueDate":"\udfff"}`],
    ['in an unknown member', String.raw`{"eventId":"ev_1","description":"x","y":"\ud83d"}`],
    ['deep in an unknown member', String.raw`{"eventId":"ev_1","description":"x","y":[{"z":["\ud83d"]}]}`],
    ['in the name of a member', String.raw`{"eventId":"ev_1","description":"x","\ud83d":1}`],
    ['in the name of a nested member', String.raw`{"eventId":"ev_1","description":"x","y":[{"\ud83d":1}]}`],
    ['in __proto__', String.raw`{"eventId":"ev_1","description":"x","__proto__":{"y":"\ud83d"}}`],
    [
      'next to a NUL in an unknown member',
      String.raw`{"eventId":"ev_1","description":"x","y":"\ud83d\u0000\ude00"}`,
    ],
  ])('a lone surrogate %s', async (_why, body) => {
    await expectRefused(post(body), 'body')
  })

  it('both halves of a pair, escaped, are one character', async () => {
    const answer = await post(String.raw`{"eventId":"ev_1","description":"\ud83d\ude00"}`)
    expect(taskOf(answer).description).toBe('😀')
  })

  it.each([
    ['opened only', '['.repeat(200_000)],
    ['closed', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['objects', '{"a":'.repeat(50_000)],
  ])('nested 200 KB deep, %s', async (_why, body) => {
    await expectRefused(post(body), 'body')
  })
})

describe('L4: unknown members of the body are ignored', () => {
  it.each([
    ['others', '"priority":"high","completed":true,"id":"mine","createdAt":"2020-01-01T00:00:00Z"'],
    ['a NUL in one', String.raw`"note":"\u0000"`],
    ['an empty name', '"":1'],
    ['__proto__', '"__proto__":{"dueDate":"nonsense","completed":true}'],
    ['constructor and toString', '"constructor":{"prototype":1},"toString":1,"hasOwnProperty":null'],
    ['nested 100 KB deep', `"deep":${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['objects nested 200 KB deep', `"deep":${'{"a":'.repeat(33_000)}1${'}'.repeat(33_000)}`],
    ['many', Array.from({ length: 5000 }, (_, i) => `"member_${i}":${i}`).join(',')],
    ['large numbers', '"n":1e999,"m":123456789012345678901234567890'],
  ])('%s', async (_why, members) => {
    const answer = await post(`{"eventId":"ev_1","description":"x",${members}}`)
    expect(answer.status, answer.text).toBe(201)
    expect(taskOf(answer)).toMatchObject({ description: 'x', dueDate: null, completed: false })
    expect(taskOf(answer).id).not.toBe('mine')
    expect(taskOf(answer).createdAt).not.toMatch(/^2020/)
  })

  it('fields inside __proto__ do not count', async () => {
    await expectRefused(post('{"__proto__":{"eventId":"ev_1","description":"x"}}'), 'eventId', 'description')
    expect({}).not.toHaveProperty('eventId')
  })

  it('of a member given twice, the last counts', async () => {
    const answer = await post('{"eventId":"ev_1","description":"first","description":"last"}')
    expect(taskOf(answer).description).toBe('last')
  })
})

describe('L4: no body whatsoever is a 5xx', () => {
  const statuses = [201, 400, 404]

  it('any JSON', async () => {
    const field = fc.oneof(fc.jsonValue(), fc.constantFrom('ev_1', '2026-05-01T09:30:00Z', 'Order ice'))
    const task = fc.record(
      { eventId: field, description: field, dueDate: field, other: fc.jsonValue() },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(fc.oneof(task, fc.jsonValue()), async (body) => {
        const answer = await post(JSON.stringify(body))
        expect(statuses, answer.text).toContain(answer.status)
        expect('details' in (answer.body as object)).toBe(answer.status === 400)
      }),
      { numRuns: 150 },
    )
  })

  it('any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
        await expectRefused(post(Buffer.from(bytes)), 'body')
      }),
      { numRuns: 60 },
    )
  })
})

describe('R13: bodies to 256 KiB', () => {
  it('exactly 256 KiB is taken', async () => {
    expect((await post(bodyOfSize(KIB_256))).status).toBe(201)
    expect((await post(bodyOfSize(KIB_256), { 'transfer-encoding': 'chunked' })).status).toBe(201)
  })

  it.each([
    ['one byte more', KIB_256 + 1, {}],
    ['one byte more, of unknown length', KIB_256 + 1, { 'transfer-encoding': 'chunked' }],
    ['many more', 8 * 1024 * 1024, {}],
    ['many more, of unknown length', 8 * 1024 * 1024, { 'transfer-encoding': 'chunked' }],
  ])('%s is 413 in the shape of the endpoint', async (_why, bytes, headers) => {
    const before = await countTasks()
    const answer = await post(bodyOfSize(bytes), headers)
    expect(answer.status).toBe(413)
    expect(answer.body).toEqual(anError)
    expect(await countTasks()).toBe(before)
  })

  it('a body that counts characters, not bytes, would pass', async () => {
    const body = JSON.stringify({ eventId: 'ev_1', description: 'x', extra: 'é'.repeat(KIB_256 / 2) })
    expect(body.length).toBeLessThan(KIB_256)
    expect((await post(body)).status).toBe(413)
  })

  it('the server goes on', async () => {
    expect((await create({})).status).toBe(201)
  })
})

describe('A3, A4: denials and failures have the shape {error}', () => {
  it('401, one and the same whatever the reason', async () => {
    await insertCompany(pool, 'co_pro', { key: 'key-of-a-pro-plan', plan: 'PRO' })
    await insertCompany(pool, 'co_basic', { key: 'key-of-a-basic-plan', plan: 'BASIC' })
    await insertCompany(pool, 'co_legacy', { key: 'key-of-a-legacy-plan', plan: 'LEGACY_PRO' })
    await insertCompany(pool, 'co_far', { key: 'key-from-elsewhere', allowedIps: ['192.0.2.1'] })
    await insertKey(pool, 'co_1', 'key-that-is-revoked', { revokedAt: '2026-01-01T00:00:00Z' })
    const answers: Answer[] = []
    for (const key of [
      undefined,
      '',
      'short',
      'key-nobody-has',
      'key-that-is-revoked',
      'key-of-a-pro-plan',
      'key-of-a-basic-plan',
      'key-of-a-legacy-plan',
      'key-from-elsewhere',
    ]) {
      answers.push(await create({}, { 'x-api-key': key }))
    }
    for (const { status, body } of answers) {
      expect(status).toBe(401)
      expect(body).toEqual(anError)
    }
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    '%s is 405 with Allow, also without a key',
    async (method) => {
      for (const headers of [{}, { 'x-api-key': KEY }]) {
        const answer = await server.call(TASK_PATH, { method, headers })
        expect(answer.status).toBe(405)
        expect(answer.headers['allow']).toBe('POST')
        expect(answer.body).toEqual(anError)
      }
    },
  )

  it('HEAD is 405, without a body', async () => {
    const answer = await server.call(TASK_PATH, { method: 'HEAD', headers: { 'x-api-key': KEY } })
    expect([answer.status, answer.headers['allow'], answer.text]).toEqual([405, 'POST', ''])
  })

  it('A9: 429 with retry-after; only authenticated requests count', async () => {
    const limited = await startServer(connection, { rateLimitPerMinute: 1 })
    const body = { eventId: 'ev_1', description: 'x' }
    for (let i = 0; i < 5; i++) {
      expect((await postTask(limited, body, { 'x-api-key': 'key-nobody-has' })).status).toBe(401)
    }
    // The minute may turn in between: of four, two in a row fall into one.
    const answers: Answer[] = []
    for (let i = 0; i < 4; i++) answers.push(await postTask(limited, body))
    expect(answers[0]?.status).toBe(201)
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body).toEqual(anError)
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(60)
  })

  it('500 where the store fails after authentication, without a detail of it', async () => {
    const data = openPool(onDatabase(connection, 'no_such_database'), 'data', () => undefined)
    const broken = await startServer(connection, { data })
    const body = { eventId: 'ev_1', description: 'x' }
    for (const headers of [{}, { 'idempotency-key': 'k' }]) {
      const answer = await postTask(broken, body, headers)
      expect(answer.status).toBe(500)
      expect(answer.body).toEqual(anError)
      expect(answer.text).not.toMatch(/no_such_database|postgres|FATAL/i)
    }
    // What can be told without the store is told all the same.
    await expectRefused(postTask(broken, {}), 'eventId', 'description')
    await data.end()
  })

  it('503 where the store of keys is away, with retry-after', async () => {
    const keys = openPool(onDatabase(connection, 'no_such_database'), 'keys', () => undefined)
    const broken = await startServer(connection, { keys })
    const answer = await postTask(broken, { eventId: 'ev_1', description: 'x' })
    expect(answer.status).toBe(503)
    expect(answer.headers['retry-after']).toBe('1')
    expect(answer.body).toEqual(anError)
    expect((await postTask(broken, {}, { 'x-api-key': undefined })).status).toBe(401)
    await keys.end()
  })
})

describe('R1: the order of checks', () => {
  const large = bodyOfSize(KIB_256 + 1)
  const stranger = { 'x-api-key': 'key-nobody-has' }

  it('the method before the key, the size and the body', async () => {
    for (const headers of [{}, { 'content-type': 'nonsense' }, { 'content-type': 'application/json' }]) {
      const answer = await server.call(TASK_PATH, { method: 'PUT', headers, body: large })
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST'])
      expect(answer.body).toEqual(anError)
    }
  })

  it('the path before the key, the size and the body', async () => {
    for (const path of ['/api/task/create/', '/api/task', '/api/task/created']) {
      const headers = { 'content-type': 'nonsense' }
      const answer = await server.call(path, { method: 'POST', headers, body: large })
      expect(answer.status).toBe(404)
      expect(answer.body).toMatchObject({ error: { type: 'invalid_request_error', code: 'not_found' } })
    }
  })

  it('the key before the size, the content type, the idempotency-key and the body', async () => {
    expect((await post(large, stranger)).status).toBe(401)
    expect((await post(large, { ...stranger, 'transfer-encoding': 'chunked' })).status).toBe(401)
    expect((await post('{', stranger)).status).toBe(401)
    expect((await post('{', { ...stranger, 'content-type': 'nonsense' })).status).toBe(401)
    expect((await create({ eventId: 'ev_unknown' }, { ...stranger, 'idempotency-key': ' ' })).status).toBe(
      401,
    )
    expect((await post(undefined, { 'x-api-key': undefined, 'content-type': undefined })).status).toBe(401)
  })

  it('the size before the content type, the idempotency-key and the body', async () => {
    expect((await post(large, { 'content-type': 'text/plain' })).status).toBe(413)
    expect((await post(large, { 'content-type': 'nonsense' })).status).toBe(413)
    expect((await post(large, { 'content-type': '' })).status).toBe(413)
    expect((await post(large, { 'content-type': undefined })).status).toBe(413)
    expect((await post(large, { 'idempotency-key': '' })).status).toBe(413)
    expect((await post('x'.repeat(KIB_256 + 1))).status).toBe(413)
  })

  it('the body before the event', async () => {
    await expectRefused(create({ eventId: 'ev_foreign', dueDate: 'x' }), 'dueDate')
    await expectRefused(create({ eventId: 'ev_foreign' }, { 'idempotency-key': '' }), 'idempotency-key')
  })
})
