/**
 * The least that a process of Node can do for a request: send the same statement, and answer with what comes. No rule, no
 * price, no key, no framework. What it costs more than the database alone is what no service in Node can avoid.
 */
import { createServer } from 'node:http'
import { openPool, statement } from '../src/db/connect.ts'
import { queryTexts } from '../src/db/text-query.ts'

const { DATABASE_URL = '', STATEMENTS = '{}', PORT = '' } = process.env
const statements = JSON.parse(STATEMENTS) as Record<string, { text: string; values: string[] }>
const prepared = new Map(
  Object.entries(statements).map(([name, { text, values }]) => [name, { sql: statement(text), values }]),
)
const data = openPool({ connectionString: DATABASE_URL }, 'data', () => undefined)

createServer((request, response) => {
  // `/get/quote_1` sends the statement `get` with that id as its last value.
  const [, name = '', id] = (request.url ?? '').split('/')
  const known = prepared.get(name)
  if (known === undefined) {
    response.end('ready')
    return
  }
  const values = id === undefined ? known.values : [...known.values.slice(0, -1), id]
  queryTexts(data, known.sql, values).then(
    (rows) => response.end(rows.join('\n')),
    () => response.destroy(),
  )
}).listen(Number(PORT), '127.0.0.1')
