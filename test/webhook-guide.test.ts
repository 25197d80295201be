/** Runs the code of docs/webhooks.md. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { atEnd } from './support/at-end.ts'
import { createDatabase } from './support/database.ts'
import { KEY, plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import { addEndpoint, addTask, passTime, startWorker, untilSettled } from './support/webhooks.ts'

interface Change {
  id: string
  type: string
}
interface Guide {
  verify: (headers: Record<string, string>, body: string, secret: string, now?: number) => unknown
  createReceiver: (secret: string, handle: (change: Change) => Promise<void>) => Server
}

const document = readFileSync(new URL('../docs/webhooks.md', import.meta.url), 'utf8')
const [, code = ''] = /```js\n([^]+?)```/.exec(document) ?? []
const folder = mkdtempSync(join(tmpdir(), 'quoting-test-'))
atEnd(async () => rmSync(folder, { recursive: true }))
const file = join(folder, 'receiver.mjs')
writeFileSync(file, code)
const { verify, createReceiver } = (await import(pathToFileURL(file).href)) as Guide

const { pool, connection } = await createDatabase()
await insertCompany(pool, 'co_1', { key: KEY })
await plant(pool, 'events', 'co_1', 'ev_1')
const server = await startServer(connection, { webhookAllowPrivate: true })

describe('docs/webhooks.md', () => {
  it('K1: the subscription creates an endpoint with a secret', async () => {
    const [, method = '', path = ''] = /^curl -X (\w+) 'https:\/\/[^/]+([^']+)'/m.exec(document) ?? []
    const [, body = ''] = /^ {2}-d '(.+)'$/m.exec(document) ?? []
    const headers = { 'x-api-key': KEY, 'content-type': 'application/json' }
    const answer = await server.call(path, { method, headers, body })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      ...(JSON.parse(body) as object),
      secret: expect.stringMatching(/^whsec_/) as string,
    })
    const { id } = answer.body as { id: string }
    await server.call(`/api/webhook-endpoints/${id}`, { method: 'DELETE', headers: { 'x-api-key': KEY } })
  })

  it('K2, K5: the receiver verifies deliveries and handles each change once', async () => {
    const { id, secret } = await addEndpoint(pool, 'http://127.0.0.1:1/')
    const handled: string[] = []
    let fails = true
    const receiver = createReceiver(secret, async ({ id: change, type }) => {
      handled.push(`${change} ${type}`)
      if (fails) throw new Error('not now')
    })
    // An unhandled rejection in the sample would end the process.
    const [listener] = receiver.listeners('request') as ((...args: unknown[]) => Promise<unknown>)[]
    receiver.removeAllListeners('request')
    receiver.on('request', (request, response) => {
      listener?.(request, response).catch(() => response.writeHead(500).end())
    })
    await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve))
    atEnd(async () => void receiver.close())
    const { port } = receiver.address() as AddressInfo
    const call = (method: string, path: string, body: object) =>
      server.call(`/api${path}`, {
        method,
        headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    await call('POST', `/webhook-endpoints/${id}`, { url: `http://127.0.0.1:${port}/` })
    startWorker(pool)
    await addTask(pool)
    await untilSettled(pool)
    fails = false
    await passTime(pool)
    await untilSettled(pool)
    await call('POST', `/webhook-endpoints/${id}/replay`, { since: '2026-01-01T00:00:00Z' })
    await untilSettled(pool)
    expect(handled).toEqual(['chg_1 task.created', 'chg_1 task.created'])
    const unsigned = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })
    expect(unsigned.status).toBe(401)
  })

  it('K2: verify accepts exactly the signatures of Standard Webhooks', () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const now = new Date()
    const body = '{"data":"ü"}'
    const signature = new Webhook(secret).sign('chg_1', now, body)
    const timestamp = String(Math.floor(now.getTime() / 1_000))
    const headers = { 'webhook-id': 'chg_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature }
    expect(verify(headers, body, secret)).toEqual({ data: 'ü' })
    const two = { ...headers, 'webhook-signature': `v1,AAAA ${signature}` }
    expect(verify(two, body, secret)).toEqual({ data: 'ü' })
    for (const wrong of [
      { 'webhook-id': 'chg_2' },
      { 'webhook-signature': 'v1,AAAA' },
      { 'webhook-timestamp': 'x' },
    ])
      expect(verify({ ...headers, ...wrong }, body, secret)).toBeNull()
    expect(verify(headers, `${body} `, secret)).toBeNull()
    expect(verify(headers, body, secret, now.getTime() + 600_000)).toBeNull()
    expect(verify({}, body, secret)).toBeNull()
  })

  it('K1: the requests of the REST hooks steps succeed', async () => {
    const { text } = await server.get('/api/changes?type=task.created&order=desc&limit=3', KEY)
    expect(text).toContain('"type":"task.created"')
    expect((await server.get('/api/webhook-endpoints', KEY)).status).toBe(200)
  })
})
