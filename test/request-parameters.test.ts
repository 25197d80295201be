import { describe, expect, it } from 'vitest'
import { UNKNOWN_ID, errorOf, invalidParameter } from './support/errors.ts'
import { insertResource } from './support/records.ts'
import { createRequestServer } from './support/requests.ts'

const { pool, server, get } = await createRequestServer()

const EMPTY = { object: 'list', url: '/api/resources', hasMore: false, data: [] }

async function filtersOf(query: string): Promise<Record<string, unknown>> {
  const answer = await get(`/api/test-filters?${query}`)
  expect(answer.status).toBe(200)
  return JSON.parse((answer.body as { id: string }).id) as Record<string, unknown>
}

describe('R2: unknown query parameters', () => {
  it.each([
    'foo=1',
    'foo=1&foo=2',
    'foo[]=1',
    'Limit=abc',
    'limits=abc',
    'LIMIT[]=1',
    'limit%20=abc',
    '%20limit=abc',
    'created_at[gt]=abc',
    'expandx=1',
    'Expand[]=x',
    'page=2&sort=name&q=',
    '__proto__=1&constructor=2&toString=3&hasOwnProperty[]=4',
    '[]=1&[limit]=2&]=3',
    '&&&=&=1&%zz=1',
  ])('are ignored: %s', async (query) => {
    const answer = await get(`/api/resources?${query}`)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe((await get('/api/resources')).text)
  })
})

describe('R3: wrong use of a known parameter is 400, with the name as it was sent', () => {
  it.each([
    ['created_at=2026-01-01T00:00Z', 'created_at'],
    ['created_at', 'created_at'],
    ['created_at[eq]=2026-01-01T00:00Z', 'created_at[eq]'],
    ['created_at[GT]=2026-01-01T00:00Z', 'created_at[GT]'],
    ['created_at[]=2026-01-01T00:00Z', 'created_at[]'],
    ['created_at[gt', 'created_at[gt'],
    ['created_at[gt][]=x', 'created_at[gt][]'],
    ['created_at%5Beq%5D=x', 'created_at[eq]'],
    ['created_at[gt]=a&created_at[gt]=b', 'created_at[gt]'],
    ['created_at%5Bgt%5D=a&created_at[gt]=a', 'created_at[gt]'],
    ['limit=1&limit=2', 'limit'],
    ['limit=1&limit=1', 'limit'],
    ['limit=1&l%69mit=2', 'limit'],
    ['lead_id=a&lead_id=b', 'lead_id'],
    ['lead_id=&lead_id=', 'lead_id'],
    ['starting_after=a&x=1&starting_after=b', 'starting_after'],
    ['lead_id[]=a', 'lead_id[]'],
    ['lead_id[0]=a', 'lead_id[0]'],
    ['lead_id[gt]=a', 'lead_id[gt]'],
    ['limit[]=1', 'limit[]'],
    ['limit%5B%5D=1', 'limit[]'],
    ['limit[', 'limit['],
    ['limit[%zz]=1', 'limit[%zz]'],
    ['limit%5B%FF%5D=1', 'limit[%FF]'],
    ['starting_after[]=x', 'starting_after[]'],
    ['expand[x]=a', 'expand[x]'],
    ['expand[][]=a', 'expand[][]'],
    ['expand[-1]=a', 'expand[-1]'],
    ['expand[0][0]=a', 'expand[0][0]'],
    ['expand[%200]=a', 'expand[ 0]'],
  ])('%s', async (query, param) => {
    expect(errorOf(await get(`/api/test-filters?${query}`))).toEqual(invalidParameter(param))
  })

  it.each([
    ['limit=0&expand[x]=1', 'limit'],
    ['expand[x]=1&limit=0', 'expand[x]'],
    ['lead_id=a&limit=abc&lead_id=b', 'limit'],
    ['lead_id=a&lead_id=b&limit=abc', 'lead_id'],
    ['foo=1&created_at=x&created_at[eq]=y', 'created_at'],
    ['created_at[eq]=y&created_at=x', 'created_at[eq]'],
  ])('reports the first of several wrong parameters: %s', async (query, param) => {
    expect(errorOf(await get(`/api/test-filters?${query}`))).toEqual(invalidParameter(param))
  })

  it('reports the first wrong parameter of GET /resources', async () => {
    expect(errorOf(await get('/api/resources?expand[]=b,a&limit=0'))).toEqual(invalidParameter('b'))
    expect(errorOf(await get('/api/resources?limit=0&expand[]=b'))).toEqual(invalidParameter('limit'))
    expect(errorOf(await get('/api/resources?location_id[]=x'))).toEqual(invalidParameter('location_id[]'))
    expect(errorOf(await get('/api/resources?location_id=a&location_id=a'))).toEqual(
      invalidParameter('location_id'),
    )
  })

  it('names the parameter in the message', async () => {
    const answer = await get('/api/test-filters?created_at[eq]=x')
    expect(answer.text).toContain('created_at[eq] is not supported; use created_at[gt], created_at[gte]')
    expect((await get('/api/test-filters?limit=1&limit=2')).text).toContain('limit must be given only once')
  })
})

describe('R4: limit', () => {
  it.each(['1', '9', '10', '99', '100', '01', '007', '000100', '%31', '0'.repeat(500) + '5'])(
    'accepts %s',
    async (limit) => {
      expect(await filtersOf(`limit=${limit}`)).toMatchObject({ limit: Number(decodeURIComponent(limit)) })
    },
  )

  it('defaults to 10', async () => {
    expect(await filtersOf('')).toMatchObject({ limit: 10 })
  })

  it.each([
    ['an empty value', ''],
    ['zero', '0'],
    ['zeros', '000'],
    ['101', '101'],
    ['a minus sign', '-1'],
    ['a plus sign', '%2B1'],
    ['a plus sign that means a space', '+1'],
    ['a fraction', '1.5'],
    ['a fraction of zero', '1.0'],
    ['an exponent', '1e1'],
    ['hexadecimal', '0x10'],
    ['a leading space', '%201'],
    ['a trailing space', '1%20'],
    ['a trailing line break', '1%0A'],
    ['a NUL', '1%00'],
    ['a word', 'abc'],
    ['an infinity', 'Infinity'],
    ['NaN', 'NaN'],
    ['a separator', '1_0'],
    ['a comma', '1,2'],
    ['a large number', '18446744073709551617'],
    ['400 digits', '9'.repeat(400)],
    ['Arabic digits', encodeURIComponent('٣')],
    ['full-width digits', encodeURIComponent('５')],
    ['an invalid percent-encoding', '%zz'],
    ['true', 'true'],
  ])('rejects %s', async (_, limit) => {
    const answer = await get(`/api/resources?limit=${limit}`)
    expect(errorOf(answer)).toEqual(invalidParameter('limit'))
    expect(answer.text).toContain('"message":"limit must be an integer between 1 and 100"')
  })
})

describe('R7: spellings of the expansion parameter', () => {
  it.each([
    ['expand[]=a', ['a']],
    ['expand=a', ['a']],
    ['expand[0]=a&expand[1]=b', ['a', 'b']],
    ['expand[7]=a&expand[7]=b', ['a', 'b']],
    ['expand%5B%5D=a&expand%5b%5d=b', ['a', 'b']],
    ['expand[]=a,b&expand=c&expand[0]=d', ['a', 'b', 'c', 'd']],
    ['expand=a%2Cb', ['a', 'b']],
    ['expand=a,a', ['a', 'a']],
    ['expand=a,%20b', ['a', ' b']],
    ['expand=a+', ['a ']],
    ['expand[]=', ['']],
    ['expand', ['']],
    ['expand=a,,b', ['a', '', 'b']],
    ['expand=,', ['', '']],
  ])('%s', async (query, paths) => {
    expect((await filtersOf(query))['paths']).toEqual(paths)
  })
})

describe('R9: param of an invalid expansion', () => {
  it.each([
    ['expand[]=location', 'location'],
    ['expand[]=data.location', 'data.location'],
    ['expand=b,a', 'b'],
    ['expand=%20a', ' a'],
    ['expand[]=a%22b', 'a"b'],
    ['expand[]=%C3%A4', 'ä'],
    ['expand[]=%zz', '%zz'],
    ['expand[]=%FF,a', '%FF'],
    ['expand[]=', 'expand'],
    ['expand[]=,a', 'expand'],
    ['expand=a,', 'a'],
  ])('is the first path as it was sent: %s', async (query, param) => {
    for (const path of ['/api/resources', '/api/resources/res_1', '/api/resources/unknown']) {
      const answer = await get(`${path}?${query}`)
      expect(errorOf(answer)).toEqual(invalidParameter(param))
      expect((answer.body as { error: { message: string } }).error.message).toContain(param)
    }
  })
})

describe('R10, R11: ids as filter and cursor', () => {
  it.each([
    ['an empty value', ''],
    ['no equals sign', undefined],
    ['an unknown id', 'unknown'],
    ['an id in another case', 'RES_1'],
    ['256 characters', 'a'.repeat(256)],
    ['10,000 characters', 'a'.repeat(10_000)],
    ['a NUL', 'res_1%00'],
    ['an unpaired surrogate', '%ED%A0%80'],
    ['an invalid percent-encoding', 'res_1%'],
    ['invalid UTF-8', '%FF'],
  ])('%s leads to an empty page', async (_, id) => {
    for (const name of ['starting_after', 'location_id']) {
      const answer = await get(`/api/resources?${name}${id === undefined ? '' : `=${id}`}`)
      expect([answer.status, answer.body]).toEqual([200, EMPTY])
    }
  })

  it('finds a percent-encoded id', async () => {
    await insertResource(pool, 'co_1', 'res/ä 1', { created_at: '2001-01-01T00:00Z', location_id: 'loc/ä+1' })
    const found = await get('/api/resources?location_id=loc%2F%C3%A4%2B1')
    expect(found.body).toMatchObject({ data: [{ id: 'res/ä 1' }] })
    expect((await get('/api/resources?location_id=loc/%C3%A4+1')).body).toEqual(EMPTY)
    expect((await get('/api/resources?starting_after=res/%C3%A4+1')).body).toEqual(EMPTY)
    expect((await get('/api/resources?starting_after=res_1')).body).toMatchObject({
      data: [{ id: 'res/ä 1' }],
    })
  })
})

describe('R15: param', () => {
  it('is id in a 404 for a resource or staff member', async () => {
    expect(errorOf(await get('/api/resources/unknown'))).toEqual(UNKNOWN_ID)
    expect(errorOf(await get('/api/staff/unknown'))).toEqual(UNKNOWN_ID)
  })

  it('is absent, not null, if no parameter is wrong', async () => {
    for (const answer of [await get('/api/unknown'), await server.call('/api/resources')]) {
      expect(Object.keys((answer.body as { error: object }).error)).toEqual(['type', 'code', 'message'])
    }
  })
})
