/**
 * GET /api/quotes/{id} of one company as in the service, with its limits and headers, but without authentication, log and
 * metrics. The benchmark compares the service with it.
 */
import type { onRequestHookHandler } from 'fastify'
import type { KeyHolder } from '../src/records/api-key/queries.ts'
import { createChangeListener } from '../src/changes/listener.ts'
import { openPool } from '../src/db/connect.ts'
import { createAdmission } from '../src/http/admission.ts'
import { createApp } from '../src/http/app.ts'
import { createLargePages } from '../src/http/large-pages.ts'
import { createWebhookSecrets } from '../src/core/security/webhook-secret.ts'
import { createPieces } from '../src/http/slow-readers.ts'
import { openRequest } from '../src/http/open-request.ts'
import { getQuote } from '../src/api/quotes.ts'
import { addRequestContext } from '../src/api/request-context.ts'
import { registerEndpoints } from '../src/api/register-endpoints.ts'
import { createLogger } from '../src/server/log.ts'

const { DATABASE_URL = '', COMPANY = '', PORT = '' } = process.env
const connection = { connectionString: DATABASE_URL }
const data = openPool(connection, 'data', () => undefined)
const logger = createLogger('silent', { write: () => undefined })
const app = createApp(logger)
addRequestContext(app)
app.addHook('onRequest', (request, reply, done) => {
  openRequest(request, reply)
  done()
})
const holder: KeyHolder = {
  keyId: '',
  keyName: '',
  companyId: COMPANY,
  plan: 'PREMIUM',
  allowedIps: [],
  revoked: false,
}
const enter: onRequestHookHandler = (request, _reply, done) => {
  request.endpoint = getQuote
  request.holder = holder
  done()
}
registerEndpoints(app, [getQuote], () => enter, {
  data,
  admission: createAdmission(2 * data.options.max),
  largePages: createLargePages(),
  inPieces: createPieces(),
  invoiceUrl: () => '',
  quoteUrl: () => '',
  changes: createChangeListener({ connection, db: data, log: logger }),
  outbox: undefined,
  webhooks: { secrets: createWebhookSecrets('unused'), isAllowedUrl: async () => true },
})
app.get('/ready', () => 'ready')
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
