/**
 * Records the statements that a release sends for requests to all endpoints and for all commands:
 *
 *   node test/previous-release/record.js CHECKOUT
 *
 * CHECKOUT is the release before the last migration, installed and built. system/processes/migration-side-by-side.test.ts
 * replays the statements on a database with the migration.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const checkout = resolve(process.argv[2] ?? '.')
const folder = mkdtempSync(join(tmpdir(), 'quoting-record-'))
const RECORD_FILE = join(folder, 'sent.ndjson')
const KEY = 'a-plain-key-of-c'

function start(args, isRecorded = true) {
  const preload = isRecorded ? ['--import', here('record-hook.js')] : []
  return spawn(process.execPath, [...preload, join(checkout, 'bin/quoting.js'), ...args], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      LOG_LEVEL: 'error',
      RECORD_FILE,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function run(...args) {
  const child = start(args, args[0] !== 'migrate')
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  return output
}

/** The point at which the migration runs during the replay. */
const mark = (phase) => writeFileSync(RECORD_FILE, `${JSON.stringify({ phase })}\n`, { flag: 'a' })

const QUOTES = `
  ?limit=10
  ?limit=1&starting_after=q2
  ?lead_id=lead
  ?lead_id=lead&location_id=loc
  ?event_type_id=type
  ?booking_id=book
  ?created_at[gte]=2026-01-01T00:00:00Z
  ?updated_at[gt]=2025-01-01T00:00:00Z
  ?service_start_time[gte]=2026-06-01T00:00:00Z
  ?service_start_time[lt]=2027-01-01T00:00:00Z&lead_id=lead
  ?expand[]=data.lead,data.location,data.eventType
  ?expand[]=data.services,data.addons,data.discounts,data.taxRate,data.paymentTerms,data.serviceCharges
  /q?expand[]=serviceDays,contract,booking.lead,booking.eventType,booking.invoices
  /q?expand[]=booking.events.location,booking.events.services,booking.events.staff,booking.events.addons
  /q?expand[]=booking.events.resources
  /none`
const OTHERS = '/resources /resources/res /staff/staff /form-response/resp /invoice/book'
const PATHS = [
  ...QUOTES.trim()
    .split(/\s+/)
    .map((path) => `/api/quotes${path}`),
  ...OTHERS.split(' ').map((path) => `/api${path}`),
]

async function request(url) {
  const headers = { 'x-api-key': KEY }
  for (const path of PATHS) {
    const { status } = await fetch(url + path, { headers })
    if (status !== 200 && status !== 404) throw new Error(`${path} was answered ${status}`)
  }
  for (const more of [{}, { 'idempotency-key': 'once' }, { 'idempotency-key': 'once' }]) {
    const body = JSON.stringify({ eventId: 'evt', description: 'Call' })
    const init = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', ...more },
      body,
    }
    const { status } = await fetch(`${url}/api/task/create`, init)
    if (status !== 201) throw new Error(`a task was answered ${status}`)
  }
}

const CONSOLE_PATHS = `session settings request-log?status=errors lookups dashboard dashboard/overdue-tasks
  dashboard/overdue-invoices quotes quotes?search=a&state=draft quotes/q agenda/places
  agenda?from=2026-06-01&to=2026-06-30 events/evt events/evt/tasks`

/** The password is that of the demo world. */
async function signIn(url, password, expected) {
  const response = await fetch(`${url}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ADA@example.com', password }),
  })
  if (response.status !== expected) throw new Error(`signing in was answered ${response.status}`)
  return response.headers.get('set-cookie')?.split(';')[0]
}

/** Signs in to the console at the second try, reads its pages, and completes a task. */
async function useConsole(url) {
  await signIn(url, 'a wrong password', 401)
  const headers = { cookie: await signIn(url, 'harborlight-demo', 204) }
  const call = async (method, path, body) => {
    const init = { method, headers: { ...headers, 'content-type': 'application/json' } }
    if (body !== undefined) init.body = JSON.stringify(body)
    const answer = await fetch(`${url}/console/${path}`, init)
    if (!answer.ok && answer.status !== 404)
      throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`)
    return answer.status === 204 ? null : answer.json()
  }
  for (const path of CONSOLE_PATHS.trim().split(/\s+/)) await call('GET', path)
  const { tasks } = await call('GET', 'events/evt/tasks')
  await call('PATCH', `tasks/${tasks[0].id}`, { completed: true })
}

try {
  await run('migrate')
  await run('import', here('world.ndjson'))
  const server = start(['serve'])
  const [line] = await once(server.stdout, 'data')
  const [, url] = /API at (\S+)\/api/.exec(String(line)) ?? []
  const useAll = async () => {
    await request(url)
    await useConsole(url)
  }
  await useAll()
  mark('migrated')
  await useAll()
  server.kill('SIGTERM')
  await once(server, 'close')
  await run('import', here('changes.ndjson'))
  await run('keys', 'create', '--company', 'c', '--name', 'Second')
  await run('keys', 'list', '--company', 'c')
  await run('keys', 'revoke', '--company', 'c', 'key')
  const ada = ['--company', 'c', '--email', 'new@example.com']
  await run('users', 'create', ...ada, '--name', 'Ada', '--role', 'MEMBER', '--generate')
  await run('users', 'password', ...ada, '--generate')
  await run('users', 'disable', ...ada)
  await run('users', 'list', '--company', 'c')
  await run('export')
  await run('doctor')
  writeFileSync(here('statements.json'), `${JSON.stringify(summarize(), null, 1)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Each text is stored once, because most are sent often. */
function summarize() {
  const entries = readFileSync(RECORD_FILE, 'utf8')
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one))
  const texts = [...new Set(entries.filter(({ text }) => text !== undefined).map(({ text }) => text))]
  const names = [...new Set(entries.filter(({ client }) => client !== undefined).map(({ client }) => client))]
  const sent = entries.map(({ client, text, ...entry }) =>
    text === undefined ? entry : { client: names.indexOf(client), text: texts.indexOf(text), ...entry },
  )
  return { migrations: readdirSync(join(checkout, 'migrations')).toSorted(), texts, sent }
}
