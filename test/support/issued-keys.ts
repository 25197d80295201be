/** Issues and uses API keys, and searches for traces of them. For the tests and the torture tool. */
import { createKey } from '../../src/cli/keys.ts'
import { withClient } from '../../src/db/connect.ts'
import type { Connection } from '../../src/db/connect.ts'
import { rawRequest, sendRaw } from './raw.ts'
import type { Answer } from './raw.ts'

/** Creates keys as `quoting keys create` does, but in this process: one process per key would take minutes. */
export async function issueKeys(connection: Connection, companyId: string, count: number): Promise<string[]> {
  const printed: string[] = []
  const { log } = console
  console.log = (line: string) => printed.push(line)
  try {
    for (let i = 0; i < count; i++) await createKey(connection, companyId, `Key ${i}`)
  } finally {
    console.log = log
  }
  return printed
}

/** Sends a key in valid requests and in typical mistakes. Returns all responses. */
export async function useKey(port: number, key: string): Promise<Answer[]> {
  const own = `x-api-key: ${key}`
  const requests = [
    rawRequest('GET /api/resources HTTP/1.1', [own]),
    rawRequest('GET /api/quotes?limit=0 HTTP/1.1', [own]),
    rawRequest(`GET /api/staff/${key} HTTP/1.1`, [own]),
    rawRequest(`GET /api/${key} HTTP/1.1`, [own]),
    rawRequest(`GET /${key} HTTP/1.1`),
    rawRequest('GET /api/resources HTTP/1.1', [own, `x-request-id: ${key}`]),
    rawRequest('GET /api/resources HTTP/1.1', [`x-api-key: ${key}${key}`]),
    rawRequest('GET /api/resources HTTP/1.1', [own, own]),
    rawRequest('GET /api/resources HTTP/1.1', [`authorization: Bearer ${key}`, `cookie: key=${key}`]),
    rawRequest(`GET /api/resources?x-api-key=${key}&location_id=${key} HTTP/1.1`, [`referer: ${key}`]),
    rawRequest('POST /api/task/create HTTP/1.1', [own, `idempotency-key: two ${key}`]),
    rawRequest(`GET /i/${key} HTTP/1.1`),
    rawRequest('GET /api/resources HTTP/1.1', [own, `nonsense ${key}`]),
  ]
  const answers: Answer[] = []
  for (const request of requests) answers.push(await sendRaw(port, request))
  return answers
}

/** Headers and body of a response as one text. */
export function answerText({ headers, text }: Answer): string {
  return `${JSON.stringify(headers)}\n${text}`
}

/** All rows of all tables that the role can read, including system tables. Returns one text per table. */
export async function dumpTables(connection: Connection): Promise<string[]> {
  return withClient(connection, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(`
      SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'm', 'S') AND n.nspname !~ '^pg_(toast|temp)' AND has_table_privilege(c.oid, 'SELECT')`)
    const texts: string[] = []
    for (const { name } of tables) {
      const { rows } = await client.query<[string]>({
        text: `SELECT dumped::text FROM ${name} AS dumped`,
        rowMode: 'array',
      })
      texts.push(`${name}\n${rows.map(([row]) => row).join('\n')}`)
    }
    return texts
  })
}

const WINDOW = 16

/**
 * Searches texts for keys: as issued, only the random part, in hexadecimal, and in base64. Compares windows of a few characters,
 * because a separate search for each key would take minutes.
 */
export function keySearch(keys: readonly string[]): (text: string) => string[] {
  const needles = new Map<string, string>()
  for (const key of keys) {
    const bytes = Buffer.from(key)
    for (const form of [key, key.slice(4), bytes.toString('hex'), bytes.toString('base64')])
      needles.set(form.slice(0, WINDOW), key)
  }
  return (text) => {
    const found = new Set<string>()
    for (let i = 0; i + WINDOW <= text.length; i++) {
      const key = needles.get(text.slice(i, i + WINDOW))
      if (key !== undefined) found.add(key)
    }
    return [...found]
  }
}
