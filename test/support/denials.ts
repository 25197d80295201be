/** Denials for every reason at every endpoint, which must be indistinguishable. */
import type { Pool } from 'pg'
import { ENDPOINTS } from '../../src/api/endpoints.ts'
import { rawRequest, sendRaw } from './raw.ts'
import { insertCompany, insertKey } from './records.ts'

const HEADERS: Record<string, readonly string[]> = {
  'no key': [],
  'malformed key': ['x-api-key: short'],
  'unknown key': ['x-api-key: key-that-is-unknown'],
  'revoked key': ['x-api-key: key-of-yesterday'],
  'another address': ['x-api-key: key-of-elsewhere'],
  'a plan without access': ['x-api-key: key-of-a-basic-plan'],
}

export const DENIAL_REASONS = Object.keys(HEADERS)

export async function insertDenied(pool: Pool): Promise<void> {
  await insertCompany(pool, 'co_revoked_key')
  await insertKey(pool, 'co_revoked_key', 'key-of-yesterday', { revokedAt: '2026-01-01T00:00:00Z' })
  await insertCompany(pool, 'co_elsewhere', { allowedIps: ['192.0.2.1'], key: 'key-of-elsewhere' })
  await insertCompany(pool, 'co_basic', { plan: 'BASIC', key: 'key-of-a-basic-plan' })
}

/** For each endpoint, the distinct responses to all reasons, without the date and the request id. */
export async function listDenials(port: number): Promise<{ operation: string; answers: string[] }[]> {
  const found: { operation: string; answers: string[] }[] = []
  for (const { operation, method, path } of ENDPOINTS) {
    const answers = new Set<string>()
    for (const lines of Object.values(HEADERS)) {
      const request = rawRequest(`${method} ${path.replace(/:\w+/, 'some-id')} HTTP/1.1`, lines)
      const { status, headers, text } = await sendRaw(port, request)
      const visible = Object.entries(headers).filter(([name]) => name !== 'date' && name !== 'x-request-id')
      answers.add(JSON.stringify({ status, visible, names: Object.keys(headers), text }))
    }
    found.push({ operation, answers: [...answers] })
  }
  return found
}
