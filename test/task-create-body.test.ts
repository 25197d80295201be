import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { taskOf } from './support/older.ts'
import { KIB_256, anError, bodyOfSize, createTaskApi, expectRejected } from './support/task-create.ts'

const { post, create, countTasks } = await createTaskApi()

describe('L4: the 400 body', () => {
  it('has one member per invalid field, each with its messages', async () => {
    await expectRejected(post({}), 'eventId', 'description')
    await expectRejected(
      post({ eventId: 1, description: '', dueDate: 'x' }),
      'eventId',
      'description',
      'dueDate',
    )
    await expectRejected(create({ description: ' ', dueDate: 5 }), 'description', 'dueDate')
    await expectRejected(create({ eventId: '', dueDate: '2026-05-01' }), 'eventId', 'dueDate')
  })

  it('has messages that name the field and say what to do', async () => {
    const { body } = await post({ eventId: '', description: '\0', dueDate: '2026-05-01' })
    const { details } = body as { details: Record<string, { _errors: string[] }> }
    for (const [field, { _errors }] of Object.entries(details)) {
      for (const message of _errors) expect(message).toMatch(new RegExp(`^${field} must`))
    }
    expect(details['dueDate']?._errors[0]).toContain('2026-05-01T09:30:00Z')
  })

  it('has a message for each rule that a field breaks', async () => {
    const { body } = await create({ description: `\0${'x'.repeat(10_000)}` })
    const { details } = body as { details: Record<string, { _errors: string[] }> }
    expect(details['description']?._errors).toHaveLength(2)
  })

  it('does not create a task', async () => {
    const before = await countTasks()
    await expectRejected(create({ dueDate: 'x' }), 'dueDate')
    expect(await countTasks()).toBe(before)
  })

  it('reports an invalid body before an unknown event', async () => {
    await expectRejected(create({ eventId: 'ev_unknown', description: '' }), 'description')
  })
})

describe('L4: an error about a body that is not a JSON object has one member, body', () => {
  it.each([
    ['invalid JSON', '{"eventId": "ev_1", "description": "x"'],
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
    ['an empty body', ''],
    ['a space', ' '],
    ['NaN', 'NaN'],
    ['a NUL', '\0'],
    ['a form', 'eventId=ev_1&description=x'],
    ['XML', '<task eventId="ev_1"/>'],
  ])('%s', async (_, body) => {
    await expectRejected(post(body), 'body')
  })

  it('no body at all', async () => {
    await expectRejected(post(undefined), 'body')
    await expectRejected(post(undefined, { 'content-type': undefined }), 'body')
    await expectRejected(post(undefined, { 'content-length': '0' }), 'body')
    await expectRejected(post(undefined, { 'transfer-encoding': 'chunked' }), 'body')
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
    // Not a valid media type: the framework must not send its own response.
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
    await expectRejected(post(good, { 'content-type': contentType }), 'body')
    await expectRejected(post(good, { 'content-type': contentType, 'transfer-encoding': 'chunked' }), 'body')
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
  ])('content-type %j is accepted', async (contentType) => {
    const answer = await post(good, { 'content-type': contentType })
    expect(answer.status, answer.text).toBe(201)
  })

  it('UTF-8 text is stored with any spelling of the charset', async () => {
    for (const contentType of ['application/json', 'application/json; charset=UTF-8']) {
      const answer = await create({ description: 'Küche 😀' }, { 'content-type': contentType })
      expect(taskOf(answer).description).toBe('Küche 😀')
    }
  })

  it('a byte order mark before the JSON is accepted', async () => {
    expect((await post(`\ufeff${good}`)).status).toBe(201)
  })

  it.each([
    ['a byte that never occurs', [0xff]],
    ['a continuation byte alone', [0x80]],
    ['a truncated character', [0xc3]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['a code point above the maximum', [0xf4, 0x90, 0x80, 0x80]],
    ['Latin 1', [0xe4, 0x20]],
  ])('invalid UTF-8: %s', async (_, bytes) => {
    const inside = (before: string, after: string) =>
      Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])
    await expectRejected(post(inside('{"eventId":"ev_1","description":"x', '"}')), 'body')
    await expectRejected(post(inside('{"eventId":"ev_1","description":"x","y":"', '"}')), 'body')
    await expectRejected(post(inside(good, '')), 'body')
  })

  it('UTF-16 and compressed bytes', async () => {
    await expectRejected(post(Buffer.from(good, 'utf16le')), 'body')
    await expectRejected(post(Buffer.from(`\ufeff${good}`, 'utf16le')), 'body')
    await expectRejected(post(Buffer.from([0x1f, 0x8b, 8, 0, 0]), { 'content-encoding': 'gzip' }), 'body')
  })

  it.each([
    ['in the description', String.raw`{"eventId":"ev_1","description":"x\ud83d"}`],
    ['of the second half', String.raw`{"eventId":"ev_1","description":"\ude00x"}`],
    ['pair in reverse order', String.raw`{"eventId":"ev_1","description":"\ude00\ud83d"}`],
    ['pair with a space between', String.raw`{"eventId":"ev_1","description":"\ud83d \ude00"}`],
    ['pair with a NUL between', String.raw`{"eventId":"ev_1","description":"\ud83d\u0000\ude00"}`],
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
  ])('an unpaired surrogate %s', async (_, body) => {
    await expectRejected(post(body), 'body')
  })

  it('an escaped surrogate pair is accepted as one character', async () => {
    const answer = await post(String.raw`{"eventId":"ev_1","description":"\ud83d\ude00"}`)
    expect(taskOf(answer).description).toBe('😀')
  })

  it.each([
    ['opened only', '['.repeat(200_000)],
    ['closed', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['objects', '{"a":'.repeat(50_000)],
  ])('nested 200 KB deep, %s', async (_, body) => {
    await expectRejected(post(body), 'body')
  })
})

describe('L4: unknown members of the body are ignored', () => {
  it.each([
    ['other fields', '"priority":"high","completed":true,"id":"mine","createdAt":"2020-01-01T00:00:00Z"'],
    ['a NUL in one', String.raw`"note":"\u0000"`],
    ['an empty name', '"":1'],
    ['__proto__', '"__proto__":{"dueDate":"nonsense","completed":true}'],
    ['constructor and toString', '"constructor":{"prototype":1},"toString":1,"hasOwnProperty":null'],
    ['nested 100 KB deep', `"deep":${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['objects nested 200 KB deep', `"deep":${'{"a":'.repeat(33_000)}1${'}'.repeat(33_000)}`],
    ['5,000 members', Array.from({ length: 5000 }, (_, i) => `"member_${i}":${i}`).join(',')],
    ['large numbers', '"n":1e999,"m":123456789012345678901234567890'],
  ])('%s', async (_, members) => {
    const answer = await post(`{"eventId":"ev_1","description":"x",${members}}`)
    expect(answer.status, answer.text).toBe(201)
    expect(taskOf(answer)).toMatchObject({ description: 'x', dueDate: null, completed: false })
    expect(taskOf(answer).id).not.toBe('mine')
    expect(taskOf(answer).createdAt).not.toMatch(/^2020/)
  })

  it('ignores fields inside __proto__', async () => {
    await expectRejected(post('{"__proto__":{"eventId":"ev_1","description":"x"}}'), 'eventId', 'description')
    expect({}).not.toHaveProperty('eventId')
  })

  it('uses the last of duplicate members', async () => {
    const answer = await post('{"eventId":"ev_1","description":"first","description":"last"}')
    expect(taskOf(answer).description).toBe('last')
  })
})

describe('L4: no body leads to a 5xx', () => {
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
        await expectRejected(post(Buffer.from(bytes)), 'body')
      }),
      { numRuns: 60 },
    )
  })
})

describe('R13: bodies up to 256 KiB', () => {
  it('accepts exactly 256 KiB', async () => {
    expect((await post(bodyOfSize(KIB_256))).status).toBe(201)
    expect((await post(bodyOfSize(KIB_256), { 'transfer-encoding': 'chunked' })).status).toBe(201)
  })

  it.each([
    ['one byte more', KIB_256 + 1, {}],
    ['one byte more, of unknown length', KIB_256 + 1, { 'transfer-encoding': 'chunked' }],
    ['8 MiB', 8 * 1024 * 1024, {}],
    ['8 MiB, of unknown length', 8 * 1024 * 1024, { 'transfer-encoding': 'chunked' }],
  ])('responds to %s with 413 in the shape of the endpoint', async (_, bytes, headers) => {
    const before = await countTasks()
    const answer = await post(bodyOfSize(bytes), headers)
    expect(answer.status).toBe(413)
    expect(answer.body).toEqual(anError)
    expect(await countTasks()).toBe(before)
  })

  it('counts bytes, not characters', async () => {
    const body = JSON.stringify({ eventId: 'ev_1', description: 'x', extra: 'é'.repeat(KIB_256 / 2) })
    expect(body.length).toBeLessThan(KIB_256)
    expect((await post(body)).status).toBe(413)
  })

  it('keeps serving afterwards', async () => {
    expect((await create({})).status).toBe(201)
  })
})
