/** Ambiguous requests with each proxy and without: one response for each, and hidden requests are not processed. */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from './client.ts'
import { HAPROXY, startHaproxy } from './haproxy.ts'
import { atLeast, atMost } from './item.ts'
import type { Figure, Item } from './item.ts'
import { NGINX, startNginx } from './nginx.ts'
import { POSTGRES_PROGRAMS, startPostgres } from './postgres.ts'
import { headerOf, parseResponse } from './raw-http.ts'
import { GOOD_KEY, startService } from './service.ts'
import { PROBES, request } from './smuggling-probes.ts'
import type { Probe } from './smuggling-probes.ts'

export const smuggling: Item = {
  name: 'smuggling',
  title: 'Request smuggling',
  programs: [...POSTGRES_PROGRAMS, HAPROXY, NGINX],
  run: async ({ folder }) => {
    const postgres = await startPostgres(folder)
    const settings = { DATABASE_URL: postgres.url, TRUST_PROXY: '127.0.0.1' }
    const { port, hasEnded } = await startService({ folder, settings })
    const targets: Target[] = [
      { name: 'direct', port },
      { name: 'nginx', port: await startNginx(folder, port) },
      { name: 'haproxy', port: await startHaproxy(folder, [port, port]) },
    ]
    const results: TargetResult[] = []
    for (const target of targets) results.push(await probeAll(target))
    // The log is written later.
    await sleep(500)
    const logged = countLogged(join(folder, `service-${port}.log`))
    return [...results.flatMap((result) => judge(result, logged)), atMost('crashes', hasEnded() ? 1 : 0, 0)]
  },
}

interface Target {
  name: string
  port: number
}

/** The responses to a probe and to the request directly after it. */
interface Outcome {
  probe: Probe
  ids: Ids
  /** Request ids of the responses. An empty text for responses of a parser or proxy */
  answers: string[]
  /** Whether the connection was closed, as requested by the last request */
  isClosed: boolean
}

interface Ids {
  own: string
  hidden: string
  next: string
}

interface TargetResult {
  name: string
  outcomes: Outcome[]
  /** Concurrent requests of other clients, and those that got a wrong response */
  others: number
  othersWrong: string[]
}

const PARALLEL = 6
const ANSWER_MS = 3_000
/** Also after the probes, because a remaining response would be sent to the next client. */
const OTHERS = 200

async function probeAll({ name, port }: Target): Promise<TargetResult> {
  const outcomes: Outcome[] = []
  const waiting = PROBES.entries()
  const work = async () => {
    for (const [i, probe] of waiting) {
      const ids = { own: `own-${name}-${i}`, hidden: `hidden-${name}-${i}`, next: `next-${name}-${i}` }
      const next = request('GET /api/resources HTTP/1.1', ids.next, ['connection: close'])
      outcomes.push({ probe, ids, ...(await exchange(port, probe.bytes(ids) + next)) })
    }
  }
  let stopped = false
  const others = workOfOthers(name, port, () => stopped)
  await Promise.all(Array.from({ length: PARALLEL }, work))
  stopped = true
  return { name, outcomes, ...(await others) }
}

/** Normal requests on persistent and new connections, which the proxy forwards on the connections of the probes. */
async function workOfOthers(
  name: string,
  port: number,
  isOver: () => boolean,
): Promise<{ others: number; othersWrong: string[] }> {
  const clients = [true, true, false, false].map((keepAlive) => createClient(port, { keepAlive }))
  const wrong: string[] = []
  let count = 0
  const work = async (client: (typeof clients)[number]) => {
    while (!isOver() || count < OTHERS) {
      const id = `other-${name}-${count++}`
      const headers = { 'x-request-id': id }
      const answer = await client.send({ path: '/api/quotes/quote_0246', key: GOOD_KEY, headers })
      const isOwn = answer.status === 200 && answer.headers['x-request-id'] === id
      if (!isOwn) wrong.push(`${answer.status} ${answer.failure ?? String(answer.headers['x-request-id'])}`)
      await sleep(5)
    }
    client.close()
  }
  await Promise.all(clients.map(work))
  return { others: count, othersWrong: wrong }
}

/** The request ids of all responses until the connection ends. */
function exchange(port: number, bytes: string): Promise<Pick<Outcome, 'answers' | 'isClosed'>> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let isClosed = true
    const timer = setTimeout(() => {
      isClosed = false
      socket.destroy()
    }, ANSWER_MS)
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(timer)
      resolve({ answers: answersIn(Buffer.concat(chunks)), isClosed })
    })
    socket.write(bytes, 'latin1')
  })
}

function answersIn(bytes: Buffer): string[] {
  const answers: string[] = []
  let rest = bytes
  while (rest.length > 0) {
    const parsed = parseOrNull(rest)
    // The rest is a response of HTTP/0.9, which has no delimiters.
    if (parsed === null) return [...answers, '']
    rest = rest.subarray(parsed.bytes)
    if (parsed.response.status >= 200) answers.push(headerOf(parsed.response, 'x-request-id') ?? '')
  }
  return answers
}

function parseOrNull(bytes: Buffer) {
  try {
    const parsed = parseResponse(bytes)
    return 'needed' in parsed ? null : parsed
  } catch {
    return null
  }
}

/** The number of times that the server processed each request id. */
function countLogged(file: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [, id = ''] of readFileSync(file, 'utf8').matchAll(/"requestId":"([^"]+)".*"msg":"request"/g)) {
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

function describe(outcomes: readonly Outcome[]): string | undefined {
  if (outcomes.length === 0) return undefined
  return outcomes.map(({ probe, answers }) => `${probe.name}: ${JSON.stringify(answers)}`).join('; ')
}

function judge({ name, outcomes, others, othersWrong }: TargetResult, logged: Map<string, number>): Figure[] {
  const done = (id: string) => logged.get(id) ?? 0
  const isDoneAlone = ({ ids, answers }: Outcome) => done(ids.next) > 0 && !answers.includes(ids.next)
  const count = (what: string, isWrong: (outcome: Outcome) => boolean) => {
    const wrong = outcomes.filter(isWrong)
    return atMost(`${name}: ${what}`, wrong.length, 0, '', describe(wrong))
  }
  return [
    atLeast(`${name}: ambiguous requests`, outcomes.length, 60),
    count('with another number of responses than requests', (outcome) => !isOneEach(outcome, name)),
    count('with a processed hidden request', ({ probe, ids }) => done(ids.hidden) > 0 && !isTwo(probe, name)),
    count('without a response', ({ probe, isClosed }) => !isClosed && probe.isUnfinished !== true),
    count('that were processed twice', ({ ids }) => done(ids.own) > 1 || done(ids.next) > 1),
    count('with a next request that was processed without a response', isDoneAlone),
    atLeast(`${name}: requests of others meanwhile`, others, OTHERS),
    atMost(`${name}: of these, with a wrong response`, othersWrong.length, 0, '', othersWrong[0]),
  ]
}

/** Whether the proxy itself recognized the hidden request. */
function isTwo({ isTwoTo = [] }: Probe, name: string): boolean {
  return isTwoTo.includes(name)
}

/** One for the probe, then one for the next request, unless the connection ended with the first. */
function isOneEach({ probe, ids, answers }: Outcome, name: string): boolean {
  const sent = isTwo(probe, name) ? [ids.own, ids.hidden, ids.next] : [ids.own, ids.next]
  if (answers.length === 0) return probe.isUnfinished === true
  // Responses without an id are from a parser or a proxy.
  return answers.length <= sent.length && answers.every((id, i) => id === '' || id === sent[i])
}
