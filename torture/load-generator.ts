/**
 * The load generator of benchmark and torture, as a separate process, so that measuring responses does not delay them.
 * See docs/adr/0019-one-load-generator.md.
 */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from './random.ts'
import { readResponses } from './raw-http.ts'
import type { Response } from './raw-http.ts'

export interface LoadJob {
  port: number
  /** The source address; the system chooses if absent. */
  localAddress?: string
  /** Complete requests as they are sent. The seed decides the order; without a seed they are sent in turn. */
  requests: string[]
  seed?: number
  seconds: number
  /** Closed loop: the number of clients, each of which waits for a response before its next request. */
  clients?: number
  /** Open loop: arrivals per second, independent of responses. */
  perSecond?: number
}

export interface LoadResult {
  /** Time from the first request to the last response */
  seconds: number
  /** Latencies of 200 and 201 responses in milliseconds, from the time the request was due. */
  goodMs: number[]
  /** Total size of their bodies. */
  goodBytes: number
  /** Latencies of load shedding: 503 with `retry-after` and the error code of the API. */
  rejectedMs: number[]
  /** Counts of any other status, and of failures by error code. */
  others: Record<string, number>
}

/** The maximum of one machine. An arrival while all connections are busy counts as a failure. */
const CONNECTIONS_MAX = 3_000
/** Arrivals are sent in batches, because a wake-up for each would use CPU time of the server. */
const ARRIVALS_MS = 4
/** The server closes connections after ten idle seconds. Clients replace them earlier. */
const IDLE_MAX_MS = 8_000
/** Maximum wait for responses after the last request */
const LAST_RESPONSES_MS = 5_000

interface Connection {
  socket: Socket
  /** When the pending request was due; null while idle. */
  dueAt: number | null
  idleSince: number
  onResponse: () => void
}

async function run(job: LoadJob): Promise<LoadResult> {
  const startedAt = performance.now()
  const result: LoadResult = { seconds: 0, goodMs: [], goodBytes: 0, rejectedMs: [], others: {} }
  await (job.perSecond === undefined ? runClosed(job, result) : runOpen(job, job.perSecond, result))
  result.seconds = (performance.now() - startedAt) / 1000
  return result
}

async function runClosed(job: LoadJob, result: LoadResult) {
  const { requests, seed, seconds, clients = 1 } = job
  const random = seed === undefined ? undefined : createRandom(seed)
  let turn = 0
  const nextRequest = () => random?.pick(requests) ?? requests[turn++ % requests.length] ?? ''
  const deadline = performance.now() + seconds * 1000
  const work = async () => {
    const connection = open(job, result)
    while (performance.now() < deadline && !connection.socket.destroyed) {
      await new Promise<void>((done) => send(connection, nextRequest(), performance.now(), done))
    }
    connection.socket.destroy()
  }
  await Promise.all(Array.from({ length: clients }, work))
}

/** A Poisson process: the arrivals of many independent clients. */
async function runOpen(job: LoadJob, perSecond: number, result: LoadResult) {
  const { requests, seed = 0, seconds } = job
  const random = createRandom(seed)
  const connections = new Set<Connection>()
  const free: Connection[] = []
  const openAnother = () => {
    if (connections.size >= CONNECTIONS_MAX) return undefined
    const connection = open(job, result)
    connections.add(connection)
    connection.socket.once('close', () => connections.delete(connection))
    return connection
  }
  const startedAt = performance.now()
  let dueAt = startedAt
  while (dueAt < startedAt + seconds * 1000) {
    if (dueAt > performance.now()) {
      await sleep(ARRIVALS_MS)
      continue
    }
    const connection = takeOpen(free) ?? openAnother()
    if (connection === undefined) countOther(result, 'no free connection')
    else
      send(connection, random.pick(requests), dueAt, () => {
        connection.idleSince = performance.now()
        free.push(connection)
      })
    dueAt += (-Math.log(1 - random.between(0, 999_999) / 1_000_000) * 1000) / perSecond
  }
  const countBusy = () => [...connections].filter((connection) => connection.dueAt !== null).length
  const lastAt = performance.now()
  while (countBusy() > 0 && performance.now() < lastAt + LAST_RESPONSES_MS) await sleep(20)
  for (let i = countBusy(); i > 0; i--) countOther(result, 'no response')
  for (const { socket } of connections) socket.destroy()
}

function takeOpen(free: Connection[]): Connection | undefined {
  for (let connection = free.pop(); connection !== undefined; connection = free.pop()) {
    if (performance.now() - connection.idleSince > IDLE_MAX_MS) connection.socket.destroy()
    if (!connection.socket.destroyed) return connection
  }
  return undefined
}

function open({ port, localAddress }: LoadJob, result: LoadResult): Connection {
  const from = localAddress === undefined ? {} : { localAddress }
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, ...from })
  const connection: Connection = { socket, dueAt: null, idleSince: 0, onResponse: () => undefined }
  const finish = (response: Response | null, failure = '') => {
    if (connection.dueAt === null) return
    count(result, response, failure, performance.now() - connection.dueAt)
    connection.dueAt = null
    connection.onResponse()
  }
  readResponses(socket, (response) => finish(response))
  socket.on('error', (error: NodeJS.ErrnoException) => finish(null, error.code ?? error.message))
  socket.on('close', () => finish(null, 'closed'))
  return connection
}

function send(connection: Connection, request: string, dueAt: number, onResponse: () => void): void {
  connection.dueAt = dueAt
  connection.onResponse = onResponse
  connection.socket.write(request)
}

function count(result: LoadResult, response: Response | null, failure: string, ms: number): void {
  if (response === null) countOther(result, failure)
  else if (response.status === 200 || response.status === 201) {
    result.goodMs.push(ms)
    result.goodBytes += response.body.length
  } else if (response.status === 503 && isLoadShedding(response)) result.rejectedMs.push(ms)
  else countOther(result, String(response.status))
}

const RETRY_AFTER = /^retry-after: *[1-9]\d*\r?$/im

/** Parsed bodies. Nearly all are equal under load, and parsing each takes time. */
const knownBodies = new Map<string, boolean>()

function isLoadShedding({ head, body }: Response): boolean {
  const text = body.toString('latin1')
  let isOurs = knownBodies.get(text)
  if (isOurs === undefined) {
    const { error } = JSON.parse(body.toString('utf8')) as { error?: { type?: string; code?: string } }
    isOurs = error?.type === 'api_error' && error.code === 'auth_service_unavailable'
    knownBodies.set(text, isOurs)
  }
  return isOurs && RETRY_AFTER.test(head)
}

function countOther(result: LoadResult, reason: string): void {
  result.others[reason] = (result.others[reason] ?? 0) + 1
}

process.on('message', (job: LoadJob) => {
  run(job).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.message }),
  )
})
