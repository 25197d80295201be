/** The older endpoints for tests: task creation, form responses, invoices. */
import type { Pool } from 'pg'
import type { Connection } from '../../src/db/connect.ts'
import type { ServerParts } from '../../src/server/build-server.ts'
import { createDatabase } from './database.ts'
import { KEY, OTHER_KEY, plant } from './quotes.ts'
import type { Row } from './quotes.ts'
import { insert, insertCompany } from './records.ts'
import { startServer } from './server.ts'
import type { Answer, TestServer } from './server.ts'

export const TASK_PATH = '/api/task/create'

/** The format of times in the API */
export const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export interface Task {
  id: string
  description: string
  dueDate: string | null
  eventId: string
  completed: boolean
  createdAt: string
}

/** Sends text and bytes unchanged, and other bodies as JSON. Undefined headers are not sent. */
export async function postTask(
  server: TestServer,
  body: unknown,
  headers: Record<string, string | string[] | undefined> = {},
): Promise<Answer> {
  const all: typeof headers = { 'x-api-key': KEY, 'content-type': 'application/json', ...headers }
  const sent = Object.entries(all).filter(
    (pair): pair is [string, string | string[]] => pair[1] !== undefined,
  )
  const options = { method: 'POST', headers: Object.fromEntries(sent) }
  if (body === undefined) return server.call(TASK_PATH, options)
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  return server.call(TASK_PATH, { ...options, body: bytes })
}

export const taskOf = (answer: Answer): Task => (answer.body as { task: Task }).task

/** A database with two companies, `co_1` (KEY) and `co_2` (OTHER_KEY), and a server on it. */
export async function createOlderApi(parts: Partial<ServerParts> = {}): Promise<{
  pool: Pool
  connection: Connection
  server: TestServer
}> {
  const { pool, connection } = await createDatabase()
  await insertCompany(pool, 'co_1', { key: KEY })
  await insertCompany(pool, 'co_2', { key: OTHER_KEY })
  return { pool, connection, server: await startServer(connection, parts) }
}

/** A form response with its answers and their questions. */
export async function plantFormResponse(
  pool: Pool,
  companyId: string,
  id: string,
  answers: readonly { id?: string; question: Row & { id: string; title: string }; response?: string }[],
  row: Row = {},
): Promise<void> {
  await pool.query(
    `INSERT INTO forms (company_id, id, name) VALUES ($1, 'form_1', 'Enquiry') ON CONFLICT DO NOTHING`,
    [companyId],
  )
  await insert(pool, 'form_responses', { company_id: companyId, id, form_id: 'form_1', ...row })
  for (const [ordinal, answer] of answers.entries()) {
    const question = {
      type: 'TEXT',
      position: ordinal,
      ...answer.question,
      id: `${id} ${answer.question.id}`,
    }
    await pool.query(
      `INSERT INTO form_questions (company_id, form_id, id, title, type, position)
      VALUES ($1, 'form_1', $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
      [companyId, question.id, question.title, question.type, question.position],
    )
    await insert(pool, 'form_answers', {
      company_id: companyId,
      form_response_id: id,
      id: answer.id ?? `ans_${ordinal}`,
      ordinal,
      question_id: question.id,
      response: answer.response ?? `Answer ${ordinal}`,
    })
  }
}

/** An invoice, and its booking `book_1` if that does not exist yet. */
export async function plantInvoice(pool: Pool, companyId: string, id: string, row: Row = {}): Promise<void> {
  const { booking_id: bookingId = 'book_1' } = row
  await pool.query(
    `INSERT INTO bookings (company_id, id, currency, total_price_cents) VALUES ($1, $2, 'USD', 0)
    ON CONFLICT DO NOTHING`,
    [companyId, bookingId],
  )
  const { lines = [], ...rest } = row
  await plant(pool, 'invoices', companyId, id, {
    ...rest,
    booking_id: bookingId,
    lines: JSON.stringify(lines),
  })
}
