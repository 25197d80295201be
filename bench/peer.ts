/**
 * The peer of the benchmark: PostGraphile 4, which serves GraphQL, on the same rows. Its requests read the same columns as the
 * REST requests, without calculated fields such as totals of quotes, statuses of invoices and `hasMore`. It is installed in a
 * separate folder and is not a dependency of the project.
 */
import { execFile, fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Connection } from '../src/db/connect.ts'

interface PeerRequest {
  method: 'POST'
  path: '/graphql'
  headers: Record<string, string>
  body: string
}

export interface Peer {
  name: string
  port: number
  pid: number
  requests: {
    /** One quote. */
    get: (quoteId: string) => PeerRequest
    /** The ten newest quotes. */
    list10: PeerRequest
    /** The hundred newest, with lead, location, services, service days, events with their staff, and invoices. */
    list100: PeerRequest
  }
  stop: () => Promise<void>
}

export interface PeerOptions {
  databaseUrl: string | Connection
  /** The peer is installed in this folder once. */
  cacheDir: string
  /** The company of the requested quotes. It needs a hundred quotes, some of them booked. */
  companyId: string
}

/** Exact versions, so that figures of different days are comparable. The driver has the same version as in the service. */
const PACKAGES = { postgraphile: '4.14.1', graphql: '15.11.0', pg: '8.23.1' }

const SERVER = 'peer-server.cjs'

const START_DEADLINE = 60_000

export async function startPeer({ databaseUrl, cacheDir, companyId }: PeerOptions): Promise<Peer> {
  await install(cacheDir)
  const connection = typeof databaseUrl === 'string' ? { connectionString: databaseUrl } : databaseUrl
  const { child, pid, port } = await startServer(cacheDir, connection)
  const requests = peerRequests(companyId)
  const stop = () => stopServer(child)
  try {
    await verify(port, requests)
  } catch (error) {
    await stop()
    throw error
  }
  return { name: `PostGraphile ${PACKAGES.postgraphile}`, port, pid, requests, stop }
}

async function install(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  if (!(await isInstalled(folder))) {
    const manifest = { name: 'peer', private: true, dependencies: PACKAGES }
    await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    // The prefix keeps npm in that folder if npm started the benchmark in another one.
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder]
    await promisify(execFile)('npm', ['install', ...options], { cwd: folder })
  }
  await copyFile(join('bench', SERVER), join(folder, SERVER))
}

/** npm writes this list of packages last, so that an interrupted installation is repeated. */
async function isInstalled(folder: string): Promise<boolean> {
  try {
    const list = await readFile(join(folder, 'node_modules', '.package-lock.json'), 'utf8')
    const { packages } = JSON.parse(list) as { packages: Record<string, { version: string }> }
    return Object.entries(PACKAGES).every(
      ([name, version]) => packages[`node_modules/${name}`]?.version === version,
    )
  } catch {
    return false
  }
}

async function startServer(
  folder: string,
  connection: Connection,
): Promise<{ child: ChildProcess; pid: number; port: number }> {
  const { DEBUG: _costly, ...environment } = process.env
  const child = fork(join(folder, SERVER), {
    cwd: folder,
    env: { ...environment, NODE_ENV: 'production' },
    // Without the options of this process, such as a TypeScript loader, which would be measured too.
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const settled = new AbortController()
  const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(START_DEADLINE)])
  try {
    const ready = once(child, 'message', { signal })
    const ended = once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`the peer ended with ${String(code)} before it was ready`)
    })
    child.send(connection)
    const [message] = (await Promise.race([ready, ended])) as [{ port: number }]
    if (child.pid === undefined) throw new Error('the peer has no process id')
    return { child, pid: child.pid, port: message.port }
  } catch (error) {
    await stopServer(child)
    throw error
  } finally {
    settled.abort()
  }
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill()
  await exit
}

const QUOTE = `
  id createdAt updatedAt sentAt expiresAt bookedAt lostAt lostReason leadId locationId eventTypeId bookingId discountId
  taxRateId paymentTermsId contractId numberOfStaff numberOfResources guestCount eventAddress eventDescription
  siteContactName siteContactPhone entityToInvoice currency`

const EVENT = `
  id companyId bookingId locationId name clientName clientEmail clientPhone siteContactName siteContactPhone
  eventDescription eventAddress additionalLocationInfo specialNotes parkingLoadingInfo staffDressCode serviceStartTime
  serviceEndTime shiftStartTime shiftEndTime staffNumber resourceNumber guestCount multiDay outdoors tipJarAllowed
  createdAt updatedAt
  staff { id firstName lastName email phone role status createdAt updatedAt }`

const BOOKING = `
  id quoteId leadId eventTypeId fullName email phone entityToInvoice paymentMethod billingNotes cardOnFile currency
  totalPriceCents gratuityAmountCents canceledAt createdAt updatedAt
  events(orderBy: [SERVICE_START_TIME_ASC, ID_ASC]) { ${EVENT} }
  invoices: invoicesByCompanyIdAndBookingIdList(orderBy: [CREATED_AT_ASC, ID_ASC]) {
    id bookingId leadId invoiceNumber description notes poNumber currency totalCents amountPaidCents issuedAt dueDate
    voidedAt createdAt updatedAt
  }`

const EXPANSIONS = `
  lead { id firstName lastName email phone companyName }
  location { id name streetAddress city state zip timeZone }
  lineItems: lineItemsByCompanyIdAndQuoteIdList(condition: { kind: "SERVICE", deletedAt: null }) {
    service { id name description imageUrl }
  }
  serviceDays: serviceDaysByCompanyIdAndQuoteIdList(orderBy: [SERVICE_START_TIME_ASC, ID_ASC]) {
    id quoteId serviceStartTime serviceEndTime createdAt updatedAt
  }
  booking { ${BOOKING} }`

const GET_QUERY = `query ($companyId: String!, $id: RecordId!) {
  quote: quoteByCompanyIdAndId(companyId: $companyId, id: $id) { ${QUOTE} }
}`

/** Excludes deleted quotes like the service, so that the peer can use the same index. */
const listQuery = (fields: string) => `query ($companyId: String!, $first: Int!) {
  quotes: allQuotesList(
    condition: { companyId: $companyId, deletedAt: null }, orderBy: [CREATED_AT_DESC, ID_DESC], first: $first
  ) { ${fields} }
}`

/** Values are variables, so that the peer caches the parsed query and the prepared statement. */
function peerRequests(companyId: string): Peer['requests'] {
  return {
    get: (quoteId) => request(GET_QUERY, { companyId, id: quoteId }),
    list10: request(listQuery(QUOTE), { companyId, first: 10 }),
    list100: request(listQuery(QUOTE + EXPANSIONS), { companyId, first: 100 }),
  }
}

function request(query: string, variables: Record<string, string | number>): PeerRequest {
  return {
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: query.replaceAll(/\s+/g, ' ').trim(), variables }),
  }
}

interface PeerQuote {
  id: string
  createdAt: string
}

interface ExpandedPeerQuote extends PeerQuote {
  lead: object | null
  location: object | null
  lineItems: { service: object | null }[]
  serviceDays: object[]
  booking: { events: { staff: object[] }[]; invoices: object[] } | null
}

/** Whether a quote shows that an expansion works. */
const SHOWN: Record<string, (quote: ExpandedPeerQuote) => boolean> = {
  lead: ({ lead }) => lead !== null,
  location: ({ location }) => location !== null,
  services: ({ lineItems }) => lineItems.some(({ service }) => service !== null),
  serviceDays: ({ serviceDays }) => serviceDays.length > 0,
  'booking.events.staff': ({ booking }) => booking?.events.some(({ staff }) => staff.length > 0) ?? false,
  'booking.invoices': ({ booking }) => (booking?.invoices.length ?? 0) > 0,
}

/** Checks that fast responses are also correct. */
async function verify(port: number, { get, list10, list100 }: Peer['requests']): Promise<void> {
  const { quotes: ten } = await ask<{ quotes: PeerQuote[] }>(port, list10)
  const { quotes: hundred } = await ask<{ quotes: ExpandedPeerQuote[] }>(port, list100)
  const newest = ten[0]
  if (newest === undefined || ten.length !== 10 || hundred.length !== 100) {
    throw new Error(`the peer lists ${ten.length} quotes of 10, and ${hundred.length} of 100`)
  }
  const isSorted = hundred.every(
    ({ createdAt }, i) => Date.parse(createdAt) <= Date.parse(hundred[i - 1]?.createdAt ?? createdAt),
  )
  if (!isSorted || !ten.every(({ id }, i) => id === hundred[i]?.id)) {
    throw new Error('the peer does not list the newest quotes first')
  }
  for (const [path, isShown] of Object.entries(SHOWN)) {
    if (!hundred.some(isShown)) throw new Error(`the peer expands ${path} on none of 100 quotes`)
  }
  const { quote } = await ask<{ quote: PeerQuote | null }>(port, get(newest.id))
  if (quote?.id !== newest.id) throw new Error(`the peer does not find quote ${newest.id}`)
}

async function ask<Data>(port: number, { method, path, headers, body }: PeerRequest): Promise<Data> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    body,
    signal: AbortSignal.timeout(START_DEADLINE),
  })
  const reply = (await response.json()) as { data?: Data; errors?: unknown }
  if (!response.ok || reply.errors !== undefined || reply.data === undefined) {
    throw new Error(`the peer responds with ${response.status}: ${JSON.stringify(reply.errors)}`)
  }
  return reply.data
}
