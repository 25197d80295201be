/** A process that makes load, so that whoever judges the answers is not what the answers wait for. */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from './random.ts'
import { readResponses } from './raw-http.ts'
import type { Response } from './raw-http.ts'

export interface LoadJob {
  port: number
  /** Where it comes from: absent, wherever the system says. */
  localAddress?: string
  /** Whole requests as they go over the wire; which comes next follows from the seed. */
  requests: string[]
  seed: number
  seconds: number
  /** Closed: so many clients, each of which sends its next request when the one before is answered. */
  clients?: number
  /** Open: so many requests arrive per second, whatever becomes of those before. */
  perSecond?: number
}

/** Milliseconds from the moment at which the request was due. */
export interface LoadResult {
  /** From the first request to the last answer. */
  seconds: number
  goodMs: number[]
  /** Of the bodies of these, in all. */
  goodBytes: number
  /** 503 with `retry-after`, in the API's own shape. */
  refusedMs: number[]
  /** Any other answer, or none: how often. */
  others: Record<string, number>
}

/** An arrival that finds all of them busy gets none: as many clients as that do not come from one machine. */
const CONNECTIONS_MAX = 3_000
/** Arrivals are sent so often: a process that wakes for each one would take the processor from what it loads. */
const ARRIVALS_MS = 4
/** The server tells that it closes a connection which is unused for ten seconds; so long before that, clients open another. */
const UNUSED_MAX_MS = 8_000
/** How long answers are waited for after the last request. */
const LAST_ANSWERS_MS = 5_000

interface Connection {
  socket: Socket
  /** When the request was due whose answer is awaited; null while there is none. */
  dueAt: number | null
  /** Since when it is unused. */
  freeAt: number
  answered: (response: Response | null) => void
}

async function run(job: LoadJob): Promise<LoadResult> {
  const startedAt = performance.now()
  const result: LoadResult = { seconds: 0, goodMs: [], goodBytes: 0, refusedMs: [], others: {} }
  await (job.perSecond === undefined ? runClosed(job, result) : runOpen(job, job.perSecond, result))
  result.seconds = (performance.now() - startedAt) / 1000
  return result
}

async function runClosed(job: LoadJob, result: LoadResult) {
  const { requests, seed, seconds, clients = 1 } = job
  const random = createRandom(seed)
  const deadline = performance.now() + seconds * 1000
  const work = async () => {
    const connection = open(job, result)
    while (performance.now() < deadline && !connection.socket.destroyed) {
      await new Promise<void>((done) => send(connection, random.pick(requests), performance.now(), done))
    }
    connection.socket.destroy()
  }
  await Promise.all(Array.from({ length: clients }, work))
}

/** By the clock: the times between arrivals are as random as those of many clients that know nothing of one another. */
async function runOpen(job: LoadJob, perSecond: number, result: LoadResult) {
  const { requests, seed, seconds } = job
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
        connection.freeAt = performance.now()
        free.push(connection)
      })
    dueAt += (-Math.log(1 - random.between(0, 999_999) / 1_000_000) * 1000) / perSecond
  }
  const countBusy = () => [...connections].filter((connection) => connection.dueAt !== null).length
  const lastAt = performance.now()
  while (countBusy() > 0 && performance.now() < lastAt + LAST_ANSWERS_MS) await sleep(20)
  for (let i = countBusy(); i > 0; i--) countOther(result, 'no answer')
  for (const { socket } of connections) socket.destroy()
}

function takeOpen(free: Connection[]): Connection | undefined {
  for (let connection = free.pop(); connection !== undefined; connection = free.pop()) {
    if (performance.now() - connection.freeAt > UNUSED_MAX_MS) connection.socket.destroy()
    if (!connection.socket.destroyed) return connection
  }
  return undefined
}

function open({ port, localAddress }: LoadJob, result: LoadResult): Connection {
  const from = localAddress === undefined ? {} : { localAddress }
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, ...from })
  const connection: Connection = { socket, dueAt: null, freeAt: 0, answered: () => undefined }
  const finish = (response: Response | null, failure = '') => {
    if (connection.dueAt === null) return
    account(result, response, failure, performance.now() - connection.dueAt)
    connection.dueAt = null
    connection.answered(response)
  }
  readResponses(socket, (response) => finish(response))
  socket.on('error', (error: NodeJS.ErrnoException) => finish(null, error.code ?? error.message))
  socket.on('close', () => finish(null, 'closed'))
  return connection
}

function send(connection: Connection, request: string, dueAt: number, done: () => void): void {
  connection.dueAt = dueAt
  connection.answered = done
  connection.socket.write(request)
}

function account(result: LoadResult, response: Response | null, failure: string, ms: number): void {
  if (response === null) countOther(result, failure)
  else if (response.status === 200 || response.status === 201) {
    result.goodMs.push(ms)
    result.goodBytes += response.body.length
  } else if (response.status === 503 && isRefusal(response)) result.refusedMs.push(ms)
  else countOther(result, String(response.status))
}

const RETRY_AFTER = /^retry-after: *[1-9]\d*\r?$/im

/** Bodies that were looked at, and what they are: under load nearly all are the same, and reading each takes time. */
const refusals = new Map<string, boolean>()

function isRefusal({ head, body }: Response): boolean {
  const text = body.toString('latin1')
  let isOurs = refusals.get(text)
  if (isOurs === undefined) {
    const { error } = JSON.parse(body.toString('utf8')) as { error?: { type?: string; code?: string } }
    isOurs = error?.type === 'api_error' && error.code === 'auth_service_unavailable'
    refusals.set(text, isOurs)
  }
  return isOurs && RETRY_AFTER.test(head)
}

function countOther(result: LoadResult, what: string): void {
  result.others[what] = (result.others[what] ?? 0) + 1
}

process.on('message', (job: LoadJob) => {
  run(job).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.message }),
  )
})
