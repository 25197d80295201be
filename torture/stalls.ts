/** No request stalls the service for others: CPU time of the most expensive requests, and valid requests beside them. */
import { readFileSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { hideApiKeys } from '../src/core/security/hide-api-keys.ts'
import { readJsonObject } from '../src/http/json-body.ts'
import { DEMO_PASSWORD, DEMO_USERS } from '../src/world/demo/users.ts'
import { atLeast, atMost, largest } from './item.ts'
import type { Figure, Item, Settings } from './item.ts'
import { quantile, startLoadGenerator } from './start-load-generator.ts'
import { createRandom } from './random.ts'
import { readResponses } from './raw-http.ts'
import type { Response } from './raw-http.ts'
import { requestOf, startService } from './service.ts'
import type { Service } from './service.ts'
import { checklistFigures } from './stalls-checklist.ts'
import { BODIES } from './stalls-content.ts'
import { hostileRequests, listRoutes, namedRequests } from './stalls-requests.ts'
import type { HostileRequest } from './stalls-requests.ts'

const CPU_MAX_MS = 50
const P99_MAX_MS = 500

export const stalls: Item = {
  name: 'stalls',
  title: 'Requests that stall the service',
  run: async (settings) => {
    const { folder } = settings
    const service = await startService({ folder, settings: { DATA_DIR: join(folder, 'data') } })
    const cookie = await signIn(service.port)
    const routes = await listRoutes()
    const random = createRandom(settings.seed)
    const share = settings.quick ? 0.3 : 1
    const requests = hostileRequests(routes, cookie, (kinds) => kinds.filter(() => random.fraction() < share))
    requests.push(...namedRequests(cookie))
    const { costs, figures } = await measureAll(service, requests, settings)
    const worst = costs.slice(0, settings.quick ? 3 : 8).map(({ request }) => request)
    return [
      atLeast('routes covered', new Set(requests.map(({ route }) => route)).size, routes.length),
      ...figures,
      ...(await goodBeside(service, worst, settings)),
      ...(await checklistFigures(service, cookie)),
      ...parserFigures(),
      atMost('crashes', service.hasEnded() ? 1 : 0, 0),
    ]
  },
}

async function signIn(port: number): Promise<string> {
  const [{ email }] = DEMO_USERS
  const answer = await fetch(`http://127.0.0.1:${port}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: DEMO_PASSWORD }),
  })
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** CPU time of all threads of the process in milliseconds. */
function cpuOf(pid: number): number {
  let nanoseconds = 0
  for (const thread of readdirSync(`/proc/${pid}/task`))
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
  return nanoseconds / 1e6
}

interface Cost {
  request: HostileRequest
  /** CPU time of one request in milliseconds */
  cpuMs: number
}

/** Sends all requests a few times to find the most expensive ones, and repeats those for a mean. */
async function measureAll(
  { port, pid }: Service,
  requests: readonly HostileRequest[],
  { quick }: Settings,
): Promise<{ costs: Cost[]; figures: Figure[] }> {
  const sender = createSender(port)
  const failed = new Map<string, number>()
  let sent = 0
  const measure = async (request: HostileRequest, times: number): Promise<Cost> => {
    const before = cpuOf(pid)
    for (let i = 0; i < times; i++) {
      const status = await sender.send(request.text)
      if (status >= 500 || status === 0) failed.set(request.what, status)
    }
    sent += times
    return { request, cpuMs: (cpuOf(pid) - before) / times }
  }
  const screened: Cost[] = []
  for (const request of requests) screened.push(await measure(request, quick ? 1 : 4))
  const suspects = screened.toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, quick ? 12 : 40)
  const costs: Cost[] = []
  for (const { request } of suspects) costs.push(await measure(request, quick ? 15 : 60))
  costs.sort((a, b) => b.cpuMs - a.cpuMs)
  sender.close()
  const [first] = costs
  const shown = costs.slice(0, 3).map(({ request, cpuMs }) => `${cpuMs.toFixed(1)} ms ${request.what}`)
  return {
    costs,
    figures: [
      atLeast('kinds of hostile requests', requests.length, 1_000, `${sent} requests sent`),
      atMost(
        'requests with a 5xx or without response',
        failed.size,
        0,
        '',
        [...failed].slice(0, 3).join('; '),
      ),
      atMost(
        'CPU time of the most expensive request',
        first?.cpuMs ?? Infinity,
        CPU_MAX_MS,
        'ms',
        shown.join('; '),
      ),
    ],
  }
}

/** Keeps its connection if the server does. Returns the status, or 0 without a response. */
function createSender(port: number): { send: (text: string) => Promise<number>; close: () => void } {
  let socket: Socket | undefined
  let answered: ((status: number) => void) | undefined
  const open = (): Socket => {
    const opened = connect({ port, host: '127.0.0.1', noDelay: true })
    readResponses(opened, ({ status, head }: Response) => {
      if (/^connection: close/im.test(head)) {
        socket = undefined
        opened.destroy()
      }
      answered?.(status)
    })
    opened.on('error', () => undefined)
    opened.on('close', () => {
      if (opened === socket) answered?.(0)
    })
    return opened
  }
  return {
    send: (text) =>
      new Promise((resolve) => {
        if (socket === undefined || socket.destroyed) socket = open()
        answered = resolve
        socket.write(text)
      }),
    close: () => socket?.destroy(),
  }
}

const GOOD = [
  '/api/quotes/quote_0246',
  '/api/quotes?limit=10',
  '/api/quotes?limit=10&expand[]=data.lead,data.services,data.booking.events.staff',
].map((path) => requestOf(path))

async function goodBeside(
  { port }: Service,
  worst: readonly HostileRequest[],
  { seed, quick }: Settings,
): Promise<Figure[]> {
  const [good, hostile] = [startLoadGenerator(), startLoadGenerator()]
  const seconds = quick ? 3 : 15
  const job = { port, seed, seconds, requests: GOOD, perSecond: 40 }
  await good.run({ ...job, seconds: 1 })
  const alone = await good.run(job)
  const p99s: number[] = []
  let count = 0
  for (const { text } of worst) {
    const bad = hostile.run({ port, seed, seconds: seconds + 1, requests: [text], clients: 4 })
    const { goodMs, rejectedMs } = await good.run(job)
    await bad
    count += goodMs.length
    p99s.push(quantile([...goodMs, ...rejectedMs.map(() => Infinity)], 0.99))
  }
  const aloneP99 = Math.round(quantile(alone.goodMs, 0.99))
  const each = p99s.map((ms) => Math.round(ms)).join(', ')
  return [
    atLeast('valid requests beside four senders of the most expensive', count, worst.length * seconds * 30),
    atMost(
      'p99 of these',
      Math.round(largest(p99s)),
      // Valid requests are also slow without hostile ones if other programs use the processor.
      P99_MAX_MS,
      'ms',
      `beside each kind ${each} ms; alone ${aloneP99} ms`,
    ),
  ]
}

const BODY_BYTES = 256 * 1024
const CONSOLE_LIMITS = { depth: 16, values: 24_000 }

/** Relative to the minimum: decoding and JSON.parse. */
function parserFigures(): Figure[] {
  const ratios = Object.entries(BODIES).map(([content, make]) => {
    const bytes = Buffer.from(make(BODY_BYTES))
    const parse = () => void JSON.parse(bytes.toString())
    const least = timeOf(parse)
    const read = Math.max(
      timeOf(() => void readJsonObject('application/json', bytes)),
      timeOf(() => void readJsonObject('application/json', bytes, CONSOLE_LIMITS)),
    )
    return { content, ratio: read / least }
  })
  const worst = ratios.toSorted((a, b) => b.ratio - a.ratio)[0]
  const line = `/api/%${'a'.repeat(16_000)}`
  const redact = (key: string) => timeOf(() => void hideApiKeys(line, key, 500))
  const keys = ['aaaaaaaa', 'a'.repeat(200), `${'a'.repeat(199)}b`]
  const redaction = largest(keys.map(redact)) / redact('not-in-the-line')
  return [
    atMost(
      'reading a body relative to JSON.parse',
      round(worst?.ratio ?? Infinity),
      3,
      'times',
      worst?.content,
    ),
    atMost('redacting 16 kB that repeat the key relative to another key', round(redaction), 4, 'times'),
  ]
}

const TURN = 6
const round = (value: number) => Math.round(value * 100) / 100

/** The minimum CPU time of three turns, because other programs and the garbage collector slow down some of them. */
function timeOf(work: () => void): number {
  const quietly = () => {
    try {
      work()
    } catch {
      // JSON.parse of invalid JSON.
    }
  }
  const turn = () => {
    const before = process.cpuUsage()
    for (let i = 0; i < TURN; i++) quietly()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000 / TURN
  }
  turn()
  return Math.min(turn(), turn(), turn())
}
