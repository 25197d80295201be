import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutToMilliseconds, isoFromPostgres, parseDateTime } from '../src/core/schedule/datetime.ts'
import { createDatabase } from './support/database.ts'
import { UNKNOWN_ID, errorOf, invalidParameter } from './support/errors.ts'
import { insertCompany, insertResource } from './support/records.ts'
import { startServer } from './support/server.ts'

const KEY = 'key-of-the-first-company'
const { pool, connection } = await createDatabase()
const server = await startServer(connection)

await insertCompany(pool, 'co_1', { key: KEY })
await insertCompany(pool, 'co_2', { key: 'key-of-the-second-company' })
await insertResource(pool, 'co_1', 'res_1', {
  name: 'Taco cart',
  description: 'Seats twelve',
  image_url: 'https://example.com/cart.png',
  category: 'Carts',
  status: 'Active',
  location_id: 'loc_9',
  created_at: '2026-03-01T09:30:00.123Z',
  updated_at: '2026-03-02T10:00:00+02:00',
})
await insertResource(pool, 'co_1', 'res_bare', { status: 'Inactive' })
await insertResource(pool, 'co_2', 'res_foreign')
// Two companies with the same id
await insertResource(pool, 'co_1', 'res_both', { name: 'Ours' })
await insertResource(pool, 'co_2', 'res_both', { name: 'Theirs' })

/** Any text that PostgreSQL can store: UTF-8 without NUL. */
const isStorable = (text: string) => !text.includes('\0') && Buffer.from(text).toString() === text

const get = (path: string) => server.get(`/api/resources/${path}`, KEY)

describe('O16: the resource object', () => {
  it('has exactly the documented fields, in this order', async () => {
    const answer = await get('res_1')
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.text).toBe(
      JSON.stringify({
        object: 'resource',
        id: 'res_1',
        name: 'Taco cart',
        description: 'Seats twelve',
        imageUrl: 'https://example.com/cart.png',
        category: 'Carts',
        status: 'Active',
        locationId: 'loc_9',
        createdAt: '2026-03-01T09:30:00.123Z',
        updatedAt: '2026-03-02T08:00:00.000Z',
      }),
    )
  })

  it('has null for unset fields, also if the resource is inactive', async () => {
    expect((await get('res_bare')).body).toMatchObject({
      description: null,
      imageUrl: null,
      category: null,
      status: 'Inactive',
    })
  })

  it('is the same in a list', async () => {
    const list = (await server.get('/api/resources', KEY)).body as { data: { id: string }[] }
    expect(list.data.find(({ id }) => id === 'res_1')).toEqual((await get('res_1')).body)
  })

  it('returns an empty text, not null', async () => {
    await insertResource(pool, 'co_1', 'res_empty', { description: '', category: '' })
    expect((await get('res_empty')).body).toMatchObject({ description: '', category: '', imageUrl: null })
  })

  it('returns any text exactly', async () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }).filter(isStorable)
    const awkward = [
      '"\\/\b\f\n\r\t',
      '\u2028\u2029',
      '</script>',
      '\u0001\u001f\u007f',
      '😀'.repeat(60),
      'x"'.repeat(60),
    ]
    const texts = [...awkward, ...fc.sample(text, 60)]
    for (const [i, name] of texts.entries())
      await insertResource(pool, 'co_1', `text_${i}`, { name, category: name })
    const answers = await Promise.all(texts.map((_, i) => get(`text_${i}`)))
    expect(answers.map(({ body }) => (body as { name: string }).name)).toEqual(texts)
    expect(answers.map(({ body }) => (body as { category: string }).category)).toEqual(texts)
  })
})

describe('times are UTC with milliseconds', () => {
  it.each([
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00.001Z', '0001-01-01T00:00:00.001Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
    ['2026-03-01T09:30:00.5Z', '2026-03-01T09:30:00.500Z'],
    ['2026-03-01T09:30:00.05+05:30', '2026-03-01T04:00:00.050Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is returned as %s', async (stored, shown) => {
    await insertResource(pool, 'co_1', `at ${stored}`, { created_at: stored, updated_at: stored })
    const answer = await get(encodeURIComponent(`at ${stored}`))
    expect(answer.body).toMatchObject({ createdAt: shown, updatedAt: shown })
  })

  it('R6: parseDateTime and PostgreSQL read every date-time alike, and milliseconds survive', async () => {
    const dateTime = fc
      .record({
        date: fc.date({
          min: new Date('0001-01-02T00:00Z'),
          max: new Date('9999-12-30T23:59Z'),
          noInvalidDate: true,
        }),
        fraction: fc.nat(999_999),
        offset: fc.constantFrom('Z', '+00:00', '-03:30', '+05:45', '+14:00', '-12:00'),
      })
      .map(
        ({ date, fraction, offset }) =>
          `${date.toISOString().slice(0, 19)}.${String(fraction).padStart(6, '0')}${offset}`,
      )
    const texts = [
      '0001-01-01T00:00Z',
      '9999-12-31T23:59:59.999999Z',
      '2024-02-29T23:59:59.9999999+00:01',
      ...fc.sample(dateTime, 300),
    ]
    const instants = texts.map((text) => parseDateTime(text) ?? '')
    const { rows } = await pool.query<{ same: boolean; stored: string }>(
      `SELECT text::timestamptz = instant::timestamptz AS same, cut::timestamptz(3) AS stored
       FROM unnest($1::text[], $2::text[], $3::text[]) AS t (text, instant, cut)`,
      // PostgreSQL rounds more than six digits, parseDateTime truncates them.
      [texts.map((text) => text.replace(/(\.\d{6})\d+/, '$1')), instants, instants.map(cutToMilliseconds)],
    )
    expect(rows.filter(({ same }) => !same)).toEqual([])
    expect(rows.map(({ stored }) => isoFromPostgres(stored))).toEqual(instants.map(cutToMilliseconds))
  })
})

describe('S2: GET /resources/{id}', () => {
  it.each([
    ['an unknown id', 'unknown'],
    ['an id of another company', 'res_foreign'],
    ['an id in another case', 'RES_1'],
    ['a trailing space', 'res_1%20'],
    ['a prefix of an id', 'res_'],
    ['a pattern', 'res%25'],
    ['the id of a location', 'loc_9'],
  ])('responds with 404 and param id to %s', async (_, path) => {
    const answer = await get(path)
    expect(errorOf(answer)).toEqual(UNKNOWN_ID)
    expect(answer.text).toContain('"message":"Resource not found"')
  })

  it('returns to each company its own record for an id that both use', async () => {
    expect((await get('res_both')).body).toMatchObject({ name: 'Ours' })
    const theirs = await server.get('/api/resources/res_both', 'key-of-the-second-company')
    expect(theirs.body).toMatchObject({ name: 'Theirs' })
  })

  it.each([
    ['expand[]=location', 'location'],
    ['expand%5B%5D=locationId', 'locationId'],
    ['expand=a,b', 'a'],
    ['expand[7]=x', 'x'],
    ['expand[]=', 'expand'],
    ['expand', 'expand'],
    ['expand[]=%20', ' '],
    ['expand[]=%zz', '%zz'],
  ])('rejects any expand[]: %s', async (query, param) => {
    expect(errorOf(await get(`res_1?${query}`))).toEqual(invalidParameter(param))
    expect(errorOf(await get(`unknown?${query}`))).toEqual(invalidParameter(param))
  })

  it('ignores parameters of the list', async () => {
    expect((await get('res_1?limit=abc&starting_after=&location_id=x&limit[]=1')).status).toBe(200)
  })
})

describe('R11: ids in the path', () => {
  it('finds any percent-encoded id of 1 to 255 code points', async () => {
    const anyId = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }).filter(isStorable)
    const awkward = [
      'a/b',
      'a?b',
      'a#b',
      'a%b',
      '%41',
      '%2F',
      '%252F',
      '..',
      '.',
      '/',
      ' ',
      '+',
      'a&b=c',
      ':id',
      '*',
      ';',
      'ä',
      '😀'.repeat(255),
      'a'.repeat(255),
      "'; DROP TABLE resources; --",
    ]
    const ids = [...new Set([...awkward, ...fc.sample(anyId, 80)])]
    for (const id of ids) await insertResource(pool, 'co_1', id)
    const answers = await Promise.all(ids.map((id) => get(encodeURIComponent(id))))
    expect(answers.map(({ body }) => (body as { id: string }).id)).toEqual(ids)
    // The same with every byte encoded in lower case
    const bytes = ids.map((id) =>
      [...Buffer.from(id)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    )
    const again = await Promise.all(bytes.map((path) => get(path)))
    expect(again.map(({ text }) => text)).toEqual(answers.map(({ text }) => text))
  })

  it.each([
    ['256 characters', 'a'.repeat(256)],
    ['10,000 characters', 'a'.repeat(10_000)],
    ['a NUL', 'res_1%00'],
    ['only a NUL', '%00'],
    ['an unpaired surrogate', '%ED%A0%80'],
    ['an invalid percent-encoding', 'res_1%'],
    ['letters that are not hexadecimal', '%zz'],
    ['invalid UTF-8', '%FF'],
    ['a truncated UTF-8 sequence', 'res_1%C3'],
    ['an overlong UTF-8 sequence', '%C0%AF'],
  ])('%s matches nothing', async (_, path) => {
    expect(errorOf(await get(path))).toEqual(UNKNOWN_ID)
  })
})
