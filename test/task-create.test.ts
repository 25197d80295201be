import { Writable } from 'node:stream'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exportWorld } from '../src/world/export.ts'
import { ISO_TIME, TASK_PATH, taskOf } from './support/older.ts'
import { KEY, OTHER_KEY, plant } from './support/quotes.ts'
import { createTaskApi, expectRejected } from './support/task-create.ts'

const { pool, connection, server, post, create, countTasks } = await createTaskApi()

const NOT_FOUND = '{"error":"Event not found"}'

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

describe('L1, L11, O18: creating a task', () => {
  it('responds with 201, success and exactly the fields of the task', async () => {
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

  it('adds it to the checklist of the event of the caller’s company, not completed', async () => {
    const { id } = taskOf(await create({ eventId: 'ev_other', description: 'Count chairs' }))
    expect(await storedTask(id)).toEqual({
      companyId: 'co_1',
      eventId: 'ev_other',
      description: 'Count chairs',
      dueDate: null,
      completedAt: null,
    })
  })

  it('uses the event of the caller for an id that two companies use', async () => {
    const mine = taskOf(await create({ eventId: 'ev_shared' }))
    const theirs = taskOf(await create({ eventId: 'ev_shared' }, { 'x-api-key': OTHER_KEY }))
    expect((await storedTask(mine.id))?.companyId).toBe('co_1')
    expect((await storedTask(theirs.id))?.companyId).toBe('co_2')
  })

  it('creates two tasks for equal requests without an idempotency-key', async () => {
    const [first, second] = [await create({}), await create({})]
    expect(taskOf(first).id).not.toBe(taskOf(second).id)
    expect(await storedTask(taskOf(first).id)).toBeDefined()
    expect(await storedTask(taskOf(second).id)).toBeDefined()
  })

  it('exports contain it', async () => {
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

  it('ignores query parameters', async () => {
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
  it.each<[name: string, eventId: unknown]>([
    ['a number', 1],
    ['null', null],
    ['a boolean', true],
    ['an array', ['ev_1']],
    ['an object', { id: 'ev_1' }],
    ['an empty text', ''],
  ])('responds with 400 to %s', async (_, eventId) => {
    await expectRejected(create({ eventId }), 'eventId')
  })

  it('is required', async () => {
    await expectRejected(post({ description: 'Order ice' }), 'eventId')
  })

  it.each([
    ['an unknown id', 'ev_unknown'],
    ['an id of another company', 'ev_foreign'],
    ['an id with a NUL', 'ev_1\0'],
    ['a NUL', '\0'],
    ['256 characters', 'e'.repeat(256)],
    ['10,000 characters', 'e'.repeat(10_000)],
    ['an id in another case', 'EV_1'],
    ['a leading space', ' ev_1'],
    ['a trailing space', 'ev_1 '],
    ['spaces', '   '],
    ['a quotation mark', "ev_1' OR '1'='1"],
    ['a percent-encoded id', 'ev%5F1'],
  ])('responds to %s with the same 404', async (_, eventId) => {
    const before = await countTasks()
    const answer = await create({ eventId })
    expect(answer.status).toBe(404)
    expect(answer.text).toBe(NOT_FOUND)
    expect(await countTasks()).toBe(before)
  })

  it('can have up to 255 code points of any kind', async () => {
    for (const id of ['😀'.repeat(255), 'é', '‮ev', 'a/b?c#d%20', "it's", '\u{10FFFF}', 'a\nb']) {
      await plant(pool, 'events', 'co_1', id)
      const answer = await create({ eventId: id })
      expect(answer.status, answer.text).toBe(201)
      expect(taskOf(answer).eventId).toBe(id)
    }
    // Composed and decomposed forms are different ids.
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
    ['10,000 characters, all but one spaces', `${' '.repeat(9_999)}x`],
    ['leading and trailing white space', '\n\t  Order ice \r\n '],
    ['line separators', 'a\u2028b\u2029c\u0085d'],
    ['control characters', '\u0001\u0008\u001b\u007f'],
    ['noncharacters and private use', '\ufffe\uffff\u{1ffff}\ue000'],
    ['markup', '<script>alert(1)</script>&amp;'],
    ['quotes and backslashes', `"'\\\\n\\u0000 $1 {} %s`],
    ['right-to-left text', 'مهمة ‮abc'],
    ['composed and decomposed characters', 'é e\u0301'],
    ['a leading byte order mark', '\ufeffx'],
  ])('returns and stores %s as sent', async (_, description) => {
    const answer = await create({ description })
    expect(answer.status, answer.text.slice(0, 200)).toBe(201)
    expect(taskOf(answer).description).toBe(description)
    expect((await storedTask(taskOf(answer).id))?.description).toBe(description)
  })

  it.each<[name: string, description: unknown]>([
    ['10,001 letters', 'x'.repeat(10_001)],
    ['10,001 code points outside the basic plane', '😀'.repeat(10_001)],
    ['10,001 characters before trimming', ` ${'x'.repeat(10_000)}`],
    ['an empty text', ''],
    ['a NUL', '\0'],
    ['a NUL inside', 'Order\0ice'],
    ['null', null],
    ['a number', 5],
    ['an array', ['Order ice']],
    ['an object', {}],
    ['a boolean', false],
  ])('responds with 400 to %s', async (_, description) => {
    await expectRejected(create({ description }), 'description')
  })

  it('is required', async () => {
    await expectRejected(post({ eventId: 'ev_1' }), 'description')
  })

  it('responds with 400 to white space of any kind in Unicode', async () => {
    const blanks = [...Array(0x11_0000).keys()]
      .filter((point) => point < 0xd800 || point > 0xdfff)
      .map((point) => String.fromCodePoint(point))
      .filter((character) => /\p{White_Space}/u.test(character))
    expect(blanks).toHaveLength(25)
    for (const blank of [...blanks, '\ufeff', blanks.join(''), ' '.repeat(10_000)]) {
      await expectRejected(create({ description: blank }), 'description')
    }
  })

  it('any text of 1 to 10,000 characters is returned as it was sent', async () => {
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

  it('can be null or absent', async () => {
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
  ])('responds with 400 to %j', async (dueDate) => {
    await expectRejected(create({ dueDate }), 'dueDate')
  })
})
