/** The requests whose costs are goals: one quote, pages, and a page with everything around it. */
import type { Peer } from './peer.ts'
import { LARGE, SMALL } from './big-world.ts'
import type { BigWorld } from './big-world.ts'
import { judge } from './goals.ts'
import type { GoalResult } from './goals.ts'
import { httpGet, loadDatabase } from './load.ts'
import type { DatabaseLoad, LoadMaker, ServiceLoad } from './load.ts'
import { interleave, median, ratioOver } from './rounds.ts'
import type { Watched } from './sent-statements.ts'
import { startFloorServer } from './servers.ts'
import type { RunningServer } from './servers.ts'

/** Quotes that exist: in the generated world every twentieth, beginning with the 18th, is deleted. */
const FIRST = 500
const LAST = 4_999
const numberOf = (n: number) => 20 * (FIRST + (n % (LAST - FIRST + 1))) + 1
export const GET_PATH = (n: number) => `/api/quotes/quote_${numberOf(n)}`
const SIX_EXPANSIONS = [
  'lead',
  'location',
  'services',
  'serviceDays',
  'booking.events.staff',
  'booking.invoices',
]
export const LIST_100 = `/api/quotes?limit=100&expand[]=${SIX_EXPANSIONS.map((path) => `data.${path}`).join(',')}`

/** Different quotes in an order that has nothing to do with where they lie: 1,009 steps through all of them. */
const GETS = Array.from({ length: 4_000 }, (_, i) => GET_PATH(i * 1_009))

export interface LoadFigure {
  name: string
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  /** Per request. */
  serverUs: number
  databaseUs: number
}

interface Effort {
  rounds: number
  seconds: number
}

interface Parts extends Effort {
  world: BigWorld
  watched: Watched
  service: RunningServer
  bare: RunningServer
  load: LoadMaker
  deepCursor: string
}

const totalUs = ({ serverUs, databaseUs }: ServiceLoad) => serverUs + databaseUs
const aloneUs = ({ databaseUs, clientUs }: DatabaseLoad) => databaseUs + clientUs
/** Requests per processor second, as a share of those of the database alone. */
const share = (ours: ServiceLoad, alone: DatabaseLoad) => aloneUs(alone) / totalUs(ours)

/** All that the small company has. One page alone may by chance hold quotes with twice as many lines as another. */
const PAGES = 9

async function firstPages({ port }: RunningServer, key: string): Promise<string[]> {
  const paths = ['/api/quotes']
  while (paths.length < PAGES) {
    const answer = await fetch(`http://127.0.0.1:${port}${paths.at(-1)}`, { headers: { 'x-api-key': key } })
    const { data } = (await answer.json()) as { data: { id: string }[] }
    paths.push(`/api/quotes?starting_after=${data.at(-1)?.id}`)
  }
  return paths
}

export async function measureRequests(parts: Parts): Promise<{ goals: GoalResult[]; loads: LoadFigure[] }> {
  const { world, watched, service, bare, load, deepCursor, rounds, seconds } = parts
  const onService = (paths: string[], key = LARGE.key, server = service) =>
    load.onService(
      server,
      paths.map((path) => httpGet(path, key)),
      seconds,
    )
  const [getOne] = await watched.statementsOf(GET_PATH(0))
  if (getOne === undefined) throw new Error('no statement was sent')
  const getAny = { text: getOne.text, values: [LARGE.id, `quote_{20 * random(${FIRST}, ${LAST}) + 1}`] }
  const list10 = await watched.statementsOf('/api/quotes')
  const list100 = await watched.statementsOf(LIST_100)
  const alone = (statements: typeof list10) => () =>
    loadDatabase(world.connection, world.databasePid, statements, seconds)
  const floor = await startFloorServer(world.url, { get: [getOne], list10, list100 })
  const largePages = await firstPages(service, LARGE.key)
  const smallPages = await firstPages(service, SMALL.key)
  const floorGets = GETS.map((path) => path.replace('/api/quotes', '/get'))
  const services = {
    floorGet: () => onService(floorGets, LARGE.key, floor),
    get: () => onService(GETS),
    bareGet: () => onService(GETS, LARGE.key, bare),
    large: () => onService(largePages),
    small: () => onService(smallPages, SMALL.key),
    deep: () => onService([`/api/quotes?starting_after=${deepCursor}`]),
    list10: () => onService(['/api/quotes']),
    floorList10: () => onService(['/list10'], LARGE.key, floor),
    list100: () => onService([LIST_100]),
    floorList100: () => onService(['/list100'], LARGE.key, floor),
  }
  const databases = { get: alone([getAny]), list10: alone(list10), list100: alone(list100) }
  // What is compared runs one after the other.
  const cases = Object.fromEntries(
    Object.entries(services).flatMap(([name, run]): [string, () => Promise<ServiceLoad | DatabaseLoad>][] =>
      name in databases
        ? [
            [`service ${name}`, run],
            [`database ${name}`, databases[name as keyof typeof databases]],
          ]
        : [[`service ${name}`, run]],
    ),
  )
  const results = await interleave<string, ServiceLoad | DatabaseLoad>(cases, rounds, (round) =>
    console.log(round <= 0 ? 'Warming up' : `Round ${round} of ${rounds}`),
  ).finally(() => void floor.stop())
  const of = (name: keyof typeof services) => results[`service ${name}`] as ServiceLoad[]
  const dbOf = (name: keyof typeof databases) => results[`database ${name}`] as DatabaseLoad[]
  const loads = Object.keys(services).map((name) => figureOf(name, of(name as keyof typeof services)))
  return { goals: requestGoals(of, dbOf), loads }
}

type ServiceName =
  | 'get'
  | 'bareGet'
  | 'floorGet'
  | 'floorList10'
  | 'floorList100'
  | 'list10'
  | 'deep'
  | 'large'
  | 'small'
  | 'list100'

function requestGoals(
  of: (name: ServiceName) => ServiceLoad[],
  dbOf: (name: 'get' | 'list10' | 'list100') => DatabaseLoad[],
): GoalResult[] {
  const floorOf = { get: of('floorGet'), list10: of('floorList10'), list100: of('floorList100') }
  const against = (name: 'get' | 'list10' | 'list100') => {
    const value = ratioOver(of(name), dbOf(name), share)
    const speed = ratioOver(
      of(name),
      dbOf(name),
      (ours, alone) => ours.requestsPerSecond / alone.requestsPerSecond,
    )
    const floor = ratioOver(floorOf[name], dbOf(name), share).toFixed(2)
    const least = `; a server that only passes the statements on ${floor}`
    const note = `CPU ${costs(of(name), dbOf(name))}; requests per second ${speed.toFixed(2)}${least}`
    return judge(name, value, note)
  }
  const total = (name: ServiceName) => median(of(name).map(totalUs)).toFixed(0)
  const between = (first: ServiceName, second: ServiceName) =>
    ratioOver(of(first), of(second), (a, b) => totalUs(a) / totalUs(b))
  return [
    against('get'),
    against('list10'),
    against('list100'),
    judge(
      'list10Cpu',
      ratioOver(of('list10'), dbOf('list10'), (ours, alone) => totalUs(ours) / alone.databaseUs),
      `CPU ${costs(of('list10'), dbOf('list10'))}`,
    ),
    judge('deep', between('deep', 'list10'), `${total('deep')} / ${total('list10')} µs`),
    judge(
      'large',
      between('large', 'small'),
      `${total('large')} / ${total('small')} µs, over the first ${PAGES} pages of each`,
    ),
    judge('overhead', between('get', 'bareGet'), `${total('get')} / ${total('bareGet')} µs`),
  ]
}

function costs(ours: ServiceLoad[], alone: DatabaseLoad[]): string {
  const of = (pick: (load: ServiceLoad) => number) => median(ours.map(pick)).toFixed(0)
  const bare = median(alone.map(({ databaseUs }) => databaseUs)).toFixed(0)
  return `server ${of(({ serverUs }) => serverUs)} + database ${of(({ databaseUs }) => databaseUs)}, alone ${bare} µs`
}

function figureOf(name: string, loads: ServiceLoad[]): LoadFigure {
  const of = (pick: (load: ServiceLoad) => number) => median(loads.map(pick))
  return {
    name,
    requestsPerSecond: of((load) => load.requestsPerSecond),
    p50Ms: of((load) => load.p50Ms),
    p99Ms: of((load) => load.p99Ms),
    serverUs: of((load) => load.serverUs),
    databaseUs: of((load) => load.databaseUs),
  }
}

function httpPost({ path, headers, body }: Peer['requests']['list10']): string {
  const all = { host: 'localhost', ...headers, 'content-length': Buffer.byteLength(body) }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\n${head.join('')}\r\n${body}`
}

function againstPeer(
  goal: 'peerGet' | 'peerList10' | 'peerList100',
  our: ServiceLoad[],
  their: ServiceLoad[],
): GoalResult {
  const speed = ratioOver(our, their, (a, b) => a.requestsPerSecond / b.requestsPerSecond)
  const value = ratioOver(our, their, (a, b) => totalUs(b) / totalUs(a))
  return judge(goal, value, `requests per second ${speed.toFixed(2)}`)
}

/** Like for like: the same quote, page and expanded page, from the peer and from us, in the same round. */
export async function measurePeer({
  peer,
  service,
  load,
  rounds,
  seconds,
}: Effort & { peer: Peer; service: RunningServer; load: LoadMaker }): Promise<{
  goals: GoalResult[]
  loads: LoadFigure[]
}> {
  const ours = (paths: string[]) => () =>
    load.onService(
      service,
      paths.map((path) => httpGet(path, LARGE.key)),
      seconds,
    )
  const theirs = (requests: string[]) => () => load.onService(peer, requests, seconds)
  const ids = GETS.map((path) => path.replace('/api/quotes/', ''))
  const results = await interleave(
    {
      ourGet: ours(GETS),
      peerGet: theirs(ids.map((id) => httpPost(peer.requests.get(id)))),
      ourList10: ours(['/api/quotes']),
      peerList10: theirs([httpPost(peer.requests.list10)]),
      ourList100: ours([LIST_100]),
      peerList100: theirs([httpPost(peer.requests.list100)]),
    },
    rounds,
    (round) =>
      console.log(round <= 0 ? `Warming up ${peer.name}` : `Round ${round} of ${rounds} with ${peer.name}`),
  )
  return {
    goals: [
      againstPeer('peerGet', results.ourGet, results.peerGet),
      againstPeer('peerList10', results.ourList10, results.peerList10),
      againstPeer('peerList100', results.ourList100, results.peerList100),
    ],
    loads: [
      figureOf(`${peer.name} get`, results.peerGet),
      figureOf(`${peer.name} list10`, results.peerList10),
      figureOf(`${peer.name} list100`, results.peerList100),
    ],
  }
}
