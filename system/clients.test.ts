/** Clients of four generators compile under `--strict` and call every endpoint. */
import { execFile } from 'node:child_process'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../src/api/endpoints.ts'
import { followChanges } from '../src/changes/webhooks/follow.ts'
import { atEnd } from '../test/support/at-end.ts'
import { temporaryFolder } from '../test/support/process.ts'
import { startDemo } from './demo.ts'

const CLIENTS = fileURLToPath(new URL('./clients/', import.meta.url))
const demo = await startDemo()
// Creates webhook deliveries without sending them.
const following = setInterval(() => {
  void followChanges({ pool: demo.pool, log: { warn: () => undefined } })
}, 100)
atEnd(async () => clearInterval(following))

/** The callers and the generated code */
const folder = temporaryFolder()
const DOCUMENT = join(folder, 'openapi.json')
writeFileSync(DOCUMENT, await (await fetch(`${demo.url}/api/openapi.json`)).text())
cpSync(join(CLIENTS, 'callers'), folder, { recursive: true })
symlinkSync(join(CLIENTS, 'node_modules'), join(folder, 'node_modules'))
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')

const run = (file: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [file, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], BASE_URL: `${demo.url}/api`, API_KEY: demo.key },
  })

const tool = (path: string) => join(folder, 'node_modules', path)

function writeConfig(name: string, config: object): string {
  const file = join(folder, name)
  writeFileSync(file, `module.exports = ${JSON.stringify(config)}`)
  return file
}

const HEY_API = writeConfig('hey-api.config.cjs', {
  input: DOCUMENT,
  output: { path: join(folder, 'generated/hey-api'), tsConfigPath: join(folder, 'tsconfig.json') },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', 'zod', { name: '@hey-api/sdk', validator: true }],
})

const ORVAL = writeConfig('orval.config.cjs', {
  api: {
    input: DOCUMENT,
    output: {
      target: join(folder, 'generated/orval.ts'),
      client: 'fetch',
      baseUrl: { getBaseUrlFromSpecification: true },
    },
  },
})

/** Arguments of each generator by the name of its caller */
const GENERATE: Record<string, string[]> = {
  'openapi-typescript': ['openapi-typescript/bin/cli.js', DOCUMENT, '-o', 'generated/openapi-typescript.ts'],
  'hey-api': ['@hey-api/openapi-ts/bin/run.js', '-f', HEY_API],
  oazapfts: ['oazapfts/dist/cli.js', DOCUMENT, 'generated/oazapfts.ts'],
  orval: ['orval/dist/bin/orval.js', '--config', ORVAL],
}

const get = async (path: string): Promise<unknown> => {
  const response = await fetch(demo.url + path, { headers: { 'x-api-key': demo.key } })
  return response.json()
}

/** The original responses, which a client must return unchanged. */
const RESPONSES = {
  listQuotes: await get(
    '/api/quotes?limit=2&lead_id=lead_0145&created_at[gte]=2026-01-01T00:00:00Z&expand[]=data.lead,data.booking.events.booking.events',
  ),
  getQuote: await get('/api/quotes/quote_0246?expand[]=lead,booking.invoices'),
  listResources: await get('/api/resources?limit=2'),
  getResource: await get('/api/resources/res_0001'),
  getStaff: await get('/api/staff/staff_0001'),
  createTask: 'Sent by a generated client',
  createLead: 'Nadia Okafor',
  updateLead: '+1 555 0100',
  createTaskOfEvent: 'Sent by a generated client',
  updateTask: true,
  deleteTask: true,
  // None of the lists contains what the callers create.
  getFormResponse: await get('/api/form-response/resp_0006_1'),
  getInvoiceReference: await get('/api/invoice/book_0246'),
  createQuote: 9000,
  updateQuote: 140,
  sendQuote: '2035-12-31T22:00:00.000Z',
  getQuoteLink: 1,
  loseQuote: 'WENT_SILENT',
  reopenQuote: null,
  bookQuote: 'Pier 4, Brooklyn',
  updateEvent: 'Linen',
  cancelEvent: true,
  recordPayment: 'PartiallyPaid',
  createWebhookEndpoint: 'enabled',
  updateWebhookEndpoint: 'CRM',
  rotateWebhookSecret: 'whsec_',
  replayChanges: 'https://hooks.example.com/quoting',
  retryWebhookDelivery: 'pending',
  deleteWebhookEndpoint: true,
  listBookings: await get('/api/bookings?limit=2&starting_after=book_0241'),
  getBooking: await get('/api/bookings/book_0241?expand[]=events.booking.events.booking'),
  listEvents: await get('/api/events?limit=2&starting_after=event_0241_1'),
  getEvent: await get('/api/events/event_0241_1'),
  listStaff: await get('/api/staff?limit=2&status=inactive'),
  listLeads: await get('/api/leads?limit=2&starting_after=lead_0145'),
  getAvailability: await get('/api/availability?from=2027-01-10T00:00:00Z&to=2027-01-11T00:00:00Z'),
  listWebhookEndpoints: await get('/api/webhook-endpoints?limit=2'),
  getWebhookEndpoint: await get('/api/webhook-endpoints/whe_demo_1'),
  listWebhookDeliveries: await get('/api/webhook-deliveries?limit=2&endpoint_id=whe_demo_1'),
  getWebhookDelivery: await get('/api/webhook-deliveries/whd_1'),
  getLead: await get('/api/leads/lead_0145'),
  listTasks: await get('/api/tasks?limit=2&event_id=event_0045_2'),
  getTask: await get('/api/tasks/task_0045_2_1'),
  listFormResponses: await get('/api/form-responses?limit=2'),
  getFormResponseObject: await get('/api/form-responses/resp_0006_1'),
  listInvoices: await get('/api/invoices?limit=2&status=Paid'),
  getInvoice: await get('/api/invoices/inv_0268_1'),
  listServices: await get('/api/services?limit=2&archived=true'),
  getService: await get('/api/services/svc_open_bar'),
  listAddons: await get('/api/addons?limit=2&archived=false'),
  getAddon: await get('/api/addons/addon_late_bar'),
  listLocations: await get('/api/locations?limit=2'),
  getLocation: await get('/api/locations/loc_lisbon'),
  listEventTypes: await get('/api/event-types?limit=2'),
  getEventType: await get('/api/event-types/type_gala'),
  // The first change is the import of the demo world.
  listChanges: await get('/api/changes?limit=1&type=data.imported'),
}
const flat = (await get('/api/form-response/resp_0006_1?format=flat')) as Record<string, string | null>[]

describe('generated clients', () => {
  beforeAll(async () => {
    for (const [path = '', ...args] of Object.values(GENERATE)) await run(tool(path), ...args)
  }, 600_000)

  it('call every operation', () => {
    const operations = ENDPOINTS.map(({ operation }) => operation)
    expect(Object.keys(RESPONSES).toSorted()).toEqual(operations.toSorted())
  })

  it('compile under --strict with code that uses the types of deep expansions, flat answers and errors', async () => {
    const { stdout } = await run(tool('typescript/bin/tsc')).catch((error: { stdout: string }) => error)
    expect(stdout).toBe('')
  }, 600_000)

  it.each(Object.keys(GENERATE))(
    'of %s return all data of every endpoint, and errors with their code',
    async (name) => {
      const { stdout } = await run(join(folder, 'built', `${name}.js`))
      const results = JSON.parse(stdout) as Record<string, unknown>
      expect(results).toMatchObject(RESPONSES)
      expect(results['flatFormResponse']).toEqual(flat)
      expect(results['answers']).toEqual(Object.values(flat[0] ?? {}))
      expect(results['deepestEvent']).toMatch(/^event_0241_/)
      expect(results['deepestBooking']).toBe('book_0241')
      expect(results['error']).toEqual({ code: 'not_found', param: 'id' })
    },
    120_000,
  )
})
