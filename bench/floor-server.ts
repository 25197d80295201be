/**
 * The minimum for a Node.js server: sends the same statements and returns their results. No rules, prices, keys or
 * framework. Any service in Node.js has at least its costs.
 */
import { createServer } from 'node:http'
import { openPool } from '../src/db/connect.ts'
import { trustedSql } from '../src/db/sql.ts'
import { statement } from '../src/db/statement.ts'
import type { Statement } from '../src/db/statement.ts'
import { queryTexts } from '../src/codec/text-query.ts'
import type { TextRow } from '../src/codec/text-query.ts'

const { DATABASE_URL = '', STATEMENTS = '{}', PORT = '' } = process.env
const requests = JSON.parse(STATEMENTS) as Record<string, { text: string; values: string[] }[]>
const prepared = new Map(
  Object.entries(requests).map(([name, statements]) => [
    name,
    statements.map(({ text, values }) => ({ sql: statement(trustedSql(text)), values })),
  ]),
)
const data = openPool({ connectionString: DATABASE_URL }, 'data', () => undefined)

/** Runs the statements one after the other, because the page must come before its relations. */
async function answer(statements: { sql: Statement; values: string[] }[], id?: string): Promise<string> {
  const rows: TextRow[] = []
  for (const { sql, values } of statements)
    rows.push(...(await queryTexts(data, sql, id === undefined ? values : [...values.slice(0, -1), id])))
  return rows.join('\n')
}

createServer((request, response) => {
  // `/get/quote_1` sends the statement of `get` with that id as its last value.
  const [, name = '', id] = (request.url ?? '').split('/')
  const statements = prepared.get(name)
  if (statements === undefined) {
    response.end('ready')
    return
  }
  answer(statements, id).then(
    (text) => response.end(text),
    () => response.destroy(),
  )
}).listen(Number(PORT), '127.0.0.1')
