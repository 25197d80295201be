import { describe, expect, it, vi } from 'vitest'
import { generateApiKey } from '../src/core/security/api-key.ts'
import type { RequestLogAnswer } from '../src/console/request-log.ts'
import { signedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { insertCompany, insertKey, insertResource } from './support/records.ts'
import { readLog, startLoggingServer } from './support/request-log.ts'

const database = await createDatabase()
const { pool, connection } = database
const server = await startLoggingServer(connection)

let companies = 0
async function newCompany(options: Parameters<typeof insertCompany>[2] = {}) {
  const id = `co_${++companies}`
  const key = generateApiKey()
  await insertCompany(pool, id, options)
  await insertKey(pool, id, key, { id: `key_${companies}` })
  return { id, key }
}

/** Writes the log at once. Code, message and parameter of each entry, oldest first. */
async function errorsOf(companyId: string, count: number) {
  await server.requestLog.stop()
  await vi.waitFor(async () => expect(await readLog(pool, companyId)).toHaveLength(count), {
    timeout: 8_000,
    interval: 100,
  })
  const entries = await readLog(pool, companyId)
  return entries.map((entry) => [entry['error_code'], entry['error_message'], entry['error_param']])
}

describe('the error of an entry', () => {
  it('has code, message and parameter of the response, for every shape of an error body', async () => {
    const { id, key } = await newCompany()
    const post = (body: object) =>
      server.call('/api/task/create', {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const structured = await server.get('/api/resources?limit=0', key)
    const plain = await server.get('/api/form-response/nobody', key)
    const { body: fields } = await post({ eventId: 'evt', description: '' })
    const { details } = fields as { details: { description: { _errors: string[] } } }
    expect(await errorsOf(id, 3)).toEqual([
      ['invalid_parameter', (structured.body as { error: { message: string } }).error.message, 'limit'],
      ['not_found', (plain.body as { message: string }).message, null],
      ['invalid_body', details.description._errors[0], 'description'],
    ])
  })

  it('is stored for requests that are rejected before the key is looked up', async () => {
    const { id, key } = await newCompany()
    await server.get('/api/nothing', key)
    await server.call('/api/quotes', { method: 'DELETE', headers: { 'x-api-key': key } })
    expect(await errorsOf(id, 2)).toEqual([
      ['not_found', 'There is nothing at this path. See /docs for the API.', null],
      ['method_not_allowed', 'DELETE is not supported here; use GET, HEAD, POST', null],
    ])
  })

  it('is empty for a successful request', async () => {
    const { id, key } = await newCompany()
    await insertResource(pool, id, 'res_1')
    await server.get('/api/resources/res_1', key)
    expect(await errorsOf(id, 1)).toEqual([[null, null, null]])
  })

  it('does not contain keys from parameters', async () => {
    const { id, key } = await newCompany()
    const other = generateApiKey()
    await server.get(`/api/quotes?expand[]=${key}`, key)
    await server.get(`/api/quotes?expand[]=data.${other}`, key)
    await server.get(`/api/quotes?created_at[${other}]=1`, key)
    const errors = JSON.stringify(await errorsOf(id, 3))
    expect(errors).toContain('[key]')
    for (const secret of [key, other]) expect(errors).not.toContain(secret.slice(4, 16))
  })

  it('has at most 500 characters, and no characters that PostgreSQL cannot store', async () => {
    const { id, key } = await newCompany()
    await server.get(`/api/quotes?expand[]=a%00b`, key)
    await server.get(`/api/quotes?expand[]=${'x'.repeat(1_000)}`, key)
    await server.get(`/api/quotes?expand[]=${'x'.repeat(475)}${'%F0%9F%8E%89'.repeat(20)}`, key)
    const errors = await errorsOf(id, 3)
    expect(errors[0]?.[1]).toContain('a\uFFFDb')
    for (const [, message] of errors) {
      expect(String(message).length).toBeLessThanOrEqual(500)
      expect(String(message)).not.toMatch(/\p{Surrogate}/u)
    }
    expect(server.messages).toEqual([])
  })

  it('is shown on the page of the log to administrators only', async () => {
    const { id, key } = await newCompany()
    await server.get('/api/resources?limit=0', key)
    await errorsOf(id, 1)
    const admin = await signedIn(server, database, id)
    const { requests } = (await admin.call('GET', 'request-log')).body as RequestLogAnswer
    expect(requests).toMatchObject([
      {
        status: 400,
        errorCode: 'invalid_parameter',
        errorMessage: 'limit must be an integer between 1 and 100',
        errorParam: 'limit',
      },
    ])
    const member = await signedIn(server, database, id, 'MEMBER')
    expect((await member.call('GET', 'request-log')).status).toBe(403)
  })
})
