/** The requests with a goal: one quote, pages, and a page with six expansions. */
import { LARGE, SMALL } from './big-world.ts'
import type { BigWorld } from './big-world.ts'
import { judge } from './goals.ts'
import type { GoalResult } from './goals.ts'
import { httpGet, loadDatabase } from './load.ts'
import type { DatabaseLoad, ServiceLoader, ServiceLoad } from './load.ts'
import { interleave, median, ratioOver } from './rounds.ts'
import type { Watched } from './sent-statements.ts'
import { startFloorServer } from './servers.ts'
import type { RunningServer } from './servers.ts'

/** Existing quotes: every twentieth, starting with the 18th, is deleted in the generated world. */
const FIRST = 500
const LAST = 4_999
const numberOf = (n: number) => 20 * (FIRST + (n % (LAST - FIRST + 1))) + 1
export const GET_PATH = (n: number) => `/api/quotes/quote_${numberOf(n)}`
export const SIX_EXPANSIONS = [
  'lead',
  'location',
  'services',
  'serviceDays',
  'booking.events.staff',
  'booking.invoices',
]
export const LIST_100 = `/api/quotes?limit=100&expand[]=${SIX_EXPANSIONS.map((path) => `data.${path}`).join(',')}`

/** Different quotes in an order unrelated to their position in the table. */
export const GETS = Array.from({ length: 4_000 }, (_, i) => GET_PATH(i * 1_009))

export interface LoadFigure {
  name: string
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  /** Per request. */
  serverUs: number
  databaseUs: number
}

export interface Effort {
  rounds: number
  /** Rounds of the comparisons of nearly equal cases. */
  pairRounds: number
  seconds: number
}

interface Parts extends Effort {
  world: BigWorld
  watched: Watched
  service: RunningServer
  bare: RunningServer
  load: ServiceLoader
  deepCursor: string
}

export const totalUs = ({ serverUs, databaseUs }: ServiceLoad) => serverUs + databaseUs
const aloneUs = ({ databaseUs, clientUs }: DatabaseLoad) => databaseUs + clientUs
/** Requests per processor second, as a share of those of the database alone. */
const share = (ours: ServiceLoad, alone: DatabaseLoad) => aloneUs(alone) / totalUs(ours)

/** All pages of the small company. A single page can have twice as many lines as another. */
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
  const { world, watched, service, bare, load, deepCursor, rounds, pairRounds, seconds } = parts
  let sliceSeconds = seconds
  const onService = (paths: string[], key = LARGE.key, server = service) =>
    load.onService(
      server,
      paths.map((path) => httpGet(path, key)),
      sliceSeconds,
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
  // Compared cases run one after the other.
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
  sliceSeconds = PAIR_SECONDS
  const pair = async (first: keyof typeof services, second: keyof typeof services): Promise<Pair> => {
    console.log(`Pairs of ${first} and ${second}`)
    const both = { first: services[first], second: services[second] }
    return interleave(both, pairRounds, () => undefined, 1)
  }
  const pairs = {
    deep: await pair('deep', 'list10'),
    large: await pair('large', 'small'),
    overhead: await pair('get', 'bareGet'),
  }
  const of = (name: keyof typeof services) => results[`service ${name}`] as ServiceLoad[]
  const dbOf = (name: keyof typeof databases) => results[`database ${name}`] as DatabaseLoad[]
  const loads = Object.keys(services).map((name) => figureOf(name, of(name as keyof typeof services)))
  return { goals: [...requestGoals(of, dbOf), ...pairGoals(pairs)], loads }
}

/** Nearly equal cases are compared in many short runs, because the speed of a shared machine varies. */
const PAIR_SECONDS = 0.25

const medianTotal = (loads: ServiceLoad[]) => median(loads.map(totalUs)).toFixed(0)

interface Pair {
  first: ServiceLoad[]
  second: ServiceLoad[]
}

function pairGoals(pairs: Record<'deep' | 'large' | 'overhead', Pair>): GoalResult[] {
  const judgePair = (name: keyof typeof pairs, note = '') => {
    const { first, second } = pairs[name]
    const value = ratioOver(first, second, (a, b) => totalUs(a) / totalUs(b))
    return judge(
      name,
      value,
      `${medianTotal(first)} / ${medianTotal(second)} µs${note}; ${first.length} pairs`,
    )
  }
  return [
    judgePair('deep'),
    judgePair('large', `, over the first ${PAGES} pages of each`),
    judgePair('overhead'),
  ]
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
  return [
    against('get'),
    against('list10'),
    against('list100'),
    judge(
      'list10Cpu',
      ratioOver(of('list10'), dbOf('list10'), (ours, alone) => totalUs(ours) / alone.databaseUs),
      `CPU ${costs(of('list10'), dbOf('list10'))}`,
    ),
  ]
}

function costs(ours: ServiceLoad[], alone: DatabaseLoad[]): string {
  const of = (pick: (load: ServiceLoad) => number) => median(ours.map(pick)).toFixed(0)
  const bare = median(alone.map(({ databaseUs }) => databaseUs)).toFixed(0)
  return `server ${of(({ serverUs }) => serverUs)} + database ${of(({ databaseUs }) => databaseUs)}, alone ${bare} µs`
}

export function figureOf(name: string, loads: ServiceLoad[]): LoadFigure {
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
