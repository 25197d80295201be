/** An open loop at twice the capacity: accepted requests stay fast, and the others are rejected immediately. */
import { setTimeout as sleep } from 'node:timers/promises'
import { atLeast, atMost, atMostTimesIdle, largest } from './item.ts'
import type { Figure, Item, Settings } from './item.ts'
import { countOthers, quantile, startLoadGenerator } from './start-load-generator.ts'
import type { LoadGenerator } from './start-load-generator.ts'
import type { LoadResult } from './load-generator.ts'
import { POSTGRES_PROGRAMS, startPostgres } from './postgres.ts'
import { requestOf, startService } from './service.ts'
import type { Service } from './service.ts'

export const overload: Item = {
  name: 'overload',
  title: 'Overload',
  programs: POSTGRES_PROGRAMS,
  run: async (settings) => {
    const { folder } = settings
    const postgres = await startPostgres(folder)
    const service = await startService({ folder, settings: { DATABASE_URL: postgres.url } })
    return twiceTheCapacity(service, startLoadGenerator(), settings)
  },
}

const MIX = [
  '/api/quotes/quote_0246',
  '/api/quotes?limit=10',
  '/api/quotes?limit=10&expand[]=data.lead,data.services,data.booking.events.staff',
].map((path) => requestOf(path))

/** More than the number of slots, but few enough that the queue is never full. */
const CLIENTS = 16

/**
 * Other programs can use a varying share of the machine. So there are many short turns, each compared with the capacity
 * directly before and after it. The result is their median.
 */
const TURNS = { quick: 7, whole: 11 }
const SECONDS = {
  warmUp: { quick: 5, whole: 8 },
  capacity: { quick: 2, whole: 5 },
  overload: { quick: 4, whole: 15 },
}

async function twiceTheCapacity(
  { port, hasEnded }: Service,
  generator: LoadGenerator,
  { seed, quick }: Settings,
): Promise<Figure[]> {
  const requests = MIX
  const length = quick ? 'quick' : 'whole'
  // The first seconds of a process are slow and do not count.
  await generator.run({ port, requests, seed, seconds: SECONDS.warmUp[length], clients: CLIENTS })
  const before = await generator.run({ port, requests, seed, seconds: 3, clients: 1 })
  const measureCapacity = async () =>
    perSecond(
      await generator.run({ port, requests, seed, seconds: SECONDS.capacity[length], clients: CLIENTS }),
    )
  const overloadFor = (capacity: number) =>
    generator.run({ port, requests, seed, seconds: SECONDS.overload[length], perSecond: 2 * capacity })
  const capacities = [await measureCapacity()]
  const overloads: LoadResult[] = []
  for (let turn = 1; turn < TURNS[length]; turn++) {
    overloads.push(await overloadFor(capacities.at(-1) ?? 0))
    // The connections of that load are closed by then.
    await sleep(500)
    capacities.push(await measureCapacity())
  }
  overloads.push(await overloadFor(capacities.at(-1) ?? 0))
  await sleep(5_000)
  const after = await generator.run({ port, requests, seed, seconds: 3, clients: 1 })
  capacities.push(await measureCapacity())
  const twice = mergeResults(overloads)
  const capacity = capacities.reduce((sum, one) => sum + one, 0) / capacities.length
  const p99 = { before: quantile(before.goodMs, 0.99), after: quantile(after.goodMs, 0.99) }
  const idleMs = p99.before
  return [
    atLeast(
      'capacity, requests per second',
      Math.round(capacity),
      50,
      `${CLIENTS} clients, a mix of three reads; per turn ${capacities.map(Math.round).join(', ')}`,
    ),
    atLeast('at twice that: accepted', twice.goodMs.length, 100),
    atMostTimesIdle('accepted, p99', quantile(twice.goodMs, 0.99), {
      idleMs,
      times: 30,
      leastS: 1,
      detail: `p50 ${shown(quantile(twice.goodMs, 0.5))}`,
    }),
    atLeast('rejected with 503 and retry-after in the shape of the API', twice.rejectedMs.length, 100),
    atMostTimesIdle('rejected, p99', quantile(twice.rejectedMs, 0.99), {
      idleMs,
      times: 30,
      leastS: 1,
      detail: `p50 ${shown(quantile(twice.rejectedMs, 0.5))}`,
    }),
    atMostTimesIdle('slowest response', largest([...twice.goodMs, ...twice.rejectedMs]), {
      idleMs,
      times: 90,
      leastS: 3,
    }),
    atMost(
      'neither accepted nor rejected like this',
      countOthers(twice),
      0,
      '',
      JSON.stringify(twice.others),
    ),
    goodputOf(overloads, capacities),
    atLeast('5 s later: responses', after.goodMs.length, 100),
    atMost('5 s later: responses other than 200', after.rejectedMs.length + countOthers(after), 0),
    atMostTimesIdle('5 s later: p99', p99.after, { idleMs, times: 2, leastS: 0.05 }),
    atMost('crashes', hasEnded() ? 1 : 0, 0),
  ]
}

const percent = (share: number) => `${Math.round(share * 100)} %`

/** The median of the turns, each relative to the capacity directly before and after it. */
function goodputOf(overloads: readonly LoadResult[], capacities: readonly number[]): Figure {
  const shares = overloads.map((result, turn) => {
    const around = ((capacities[turn] ?? 0) + (capacities[turn + 1] ?? 0)) / 2
    return perSecond(result) / around
  })
  const goodput = quantile(shares, 0.5)
  return {
    name: 'goodput as a share of the capacity',
    value: percent(goodput),
    goal: 'at least 80 %',
    pass: goodput >= 0.8,
    detail: `median of ${shares.map(percent).join(', ')}`,
  }
}

function mergeResults(results: readonly LoadResult[]): LoadResult {
  const others: Record<string, number> = {}
  for (const result of results)
    for (const [kind, count] of Object.entries(result.others)) others[kind] = (others[kind] ?? 0) + count
  return {
    goodMs: results.flatMap(({ goodMs }) => goodMs),
    goodBytes: results.reduce((sum, { goodBytes }) => sum + goodBytes, 0),
    rejectedMs: results.flatMap(({ rejectedMs }) => rejectedMs),
    others,
    seconds: results.reduce((sum, { seconds }) => sum + seconds, 0),
  }
}

function perSecond({ goodMs, seconds }: LoadResult): number {
  return goodMs.length / seconds
}

function shown(ms: number): string {
  return `${Math.round(ms * 10) / 10} ms`
}
