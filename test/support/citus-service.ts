/** `quoting serve` for the tests of Citus, and its responses to all reads. */
import { createHash } from 'node:crypto'
import { expect, vi } from 'vitest'
import { ENDPOINTS } from '../../src/api/endpoints.ts'
import { freePort } from './command.ts'
import { runCommand, startCommand } from './process.ts'
import { expandQuery } from './quotes.ts'

type Service = Awaited<ReturnType<typeof startService>>

export async function startService(settings: Record<string, string>) {
  const port = await freePort()
  const command = startCommand(['serve'], {
    ...settings,
    PORT: String(port),
    APP_SECRET: 'k8Jx0WmQ4vT2nB7yR5cL9pZ3sD6fG1hA',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  })
  const open = async (path: string, method = 'GET', body?: object, headers = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }
  const call = async (path: string, key: string, method = 'GET', body?: object, headers = {}) => {
    const { text, ...answer } = await open(path, method, body, { ...headers, 'x-api-key': key })
    // Links have a random part, and a port.
    const comparable = text.replaceAll(`:${port}`, '').replaceAll(/\/(?:i|q|b|f)\/[\w.~-]{20,}/g, '/link')
    return { ...answer, text: comparable }
  }
  await vi.waitFor(async () => expect((await call('/readyz', '')).status).toBe(200), { timeout: 30_000 })
  return { open, call, stop: () => command.kill('SIGTERM') }
}

/** Every list and get with its example in the demo data and all expansions. Without changes and webhooks, which contain times. */
const PATHS = ENDPOINTS.filter(
  ({ method, operation }) => method === 'GET' && !/Link|Changes|Webhook|Availability/.test(operation),
).flatMap(({ path, example, expand }) => {
  const found = path.replace(/:\w+/, example.id ?? '')
  const pages = Math.ceil((expand?.paths.length ?? 1) / 20)
  return Array.from({ length: pages }, (_, i) => {
    const paths = expand?.paths.slice(i * 20, i * 20 + 20) ?? []
    return `${found}?${expandQuery(paths, expand?.prefix)}`
  })
})

export async function readEverything({ call }: Service, key: string): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const path of PATHS) {
    const { status, text } = await call(path, key)
    expect([path, status]).toEqual([path, 200])
    answers[path] = text
  }
  expect(PATHS.length).toBeGreaterThan(10)
  return answers
}

export async function exportHash(settings: Record<string, string>): Promise<string> {
  const { status, stdout, stderr } = await runCommand(['export'], settings)
  expect([status, stderr]).toEqual([0, ''])
  return createHash('sha256').update(stdout).digest('hex')
}
