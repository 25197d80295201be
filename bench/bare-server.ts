/** GET /api/quotes/{id} of one company with nothing around it: what authentication, log and metrics are compared with. */
import Fastify from 'fastify'
import { jsonBytes } from '../src/core/json.ts'
import type { Json } from '../src/core/json.ts'
import { openPool } from '../src/db/connect.ts'
import { getQuote } from '../src/http/quotes.ts'

const { DATABASE_URL = '', COMPANY = '', PORT = '' } = process.env
const data = openPool({ connectionString: DATABASE_URL }, 'data', () => undefined)
const presentation = { now: new Date().toISOString(), invoiceUrl: () => '' }
const app = Fastify()
app.get('/ready', () => 'ready')
app.get<{ Params: { id: string } }>(getQuote.path, async (request, reply) => {
  const call = {
    db: data,
    primary: data,
    companyId: COMPANY,
    id: request.params.id,
    query: [],
    headers: {},
    rawBody: undefined,
  }
  const { body } = await getQuote.answer({ ...call, presentation })
  return reply.type('application/json; charset=utf-8').send(jsonBytes(body as Json))
})
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
