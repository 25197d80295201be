/** The memory of the process: at the largest answers there are, and after long work. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atLeast, atMost } from './item.ts'
import type { Figure, Item, Settings } from './item.ts'
import {
  LARGE_BOOKINGS_KEY,
  TWENTY_PATHS,
  TWENTY_PATHS_TOO_DEEP,
  largeBookingsWorld,
} from './large-bookings.ts'
import { countOthers, startLoadMaker } from './load-makers.ts'
import type { LoadMaker } from './load-makers.ts'
import { POSTGRES_PROGRAMS, makePostgres } from './postgres.ts'
import { runProgram } from './programs.ts'
import { PROGRAM, requestOf, startService } from './service.ts'
import type { Service } from './service.ts'

export const memory: Item = {
  name: 'memory',
  title: 'Memory',
  programs: POSTGRES_PROGRAMS,
  run: async (settings) => {
    const { folder } = settings
    const postgres = await makePostgres(folder)
    const database = { DATABASE_URL: postgres.url }
    const service = await startService({ folder, settings: database })
    await importLargeBookings(folder, database)
    const maker = startLoadMaker()
    const peak = await largestAnswers(service, maker, settings)
    service.kill('SIGTERM')
    await service.ended
    // Another process, which the answers before have not made large already.
    const next = await startService({ folder, settings: database })
    return [...peak, ...(await longWork(next, maker, settings))]
  },
}

async function importLargeBookings(folder: string, env: Record<string, string>): Promise<void> {
  const file = join(folder, 'large-bookings.ndjson')
  writeFileSync(file, largeBookingsWorld())
  await runProgram(process.execPath, [PROGRAM, 'import', file], {
    cwd: folder,
    logFile: join(folder, 'import.log'),
    env: { APP_SECRET: 't'.repeat(32), ...env },
  })
}

const CONCURRENT = 16

function page(paths: readonly string[]): string {
  const expand = paths.map((path) => `data.${path}`).join(',')
  return requestOf(`/api/quotes?limit=100&expand[]=${expand}`, LARGE_BOOKINGS_KEY)
}

async function largestAnswers(
  service: Service,
  maker: LoadMaker,
  { seed, quick }: Settings,
): Promise<Figure[]> {
  const { port, pid } = service
  await maker.run({ port, requests: MIX, seed, seconds: 5, clients: 2 })
  await sleep(2_000)
  const restingBytes = memoryOf(pid, 'VmRSS')
  const oneBytes = await sizeOf(maker, port, page(TWENTY_PATHS))
  // One of four asks for more than an answer may hold.
  const requests = [...Array.from({ length: 3 }, () => page(TWENTY_PATHS)), page(TWENTY_PATHS_TOO_DEEP)]
  const result = await maker.run({ port, requests, seed, seconds: quick ? 20 : 60, clients: CONCURRENT })
  const peakBytes = memoryOf(pid, 'VmHWM')
  const { 400: tooLarge = 0, ...others } = result.others
  return [
    atLeast(
      `${CONCURRENT} at once, limit=100 and 20 paths: answers`,
      result.goodMs.length,
      CONCURRENT,
      `of ${shown(oneBytes)} each; ${result.refusedMs.length} × 503 with retry-after`,
    ),
    atLeast('400 to what is larger than 32 MiB', tooLarge, 4),
    atMost('others, or none', countOthers({ ...result, others }), 0, '', JSON.stringify(others)),
    atMost(
      'most memory over the resting size',
      megabytes(peakBytes - restingBytes),
      512,
      'MB',
      `resting ${shown(restingBytes)}, at most ${shown(peakBytes)}`,
    ),
    atMost('crashes', service.hasEnded() ? 1 : 0, 0),
  ]
}

/** The server answers it alone, once. */
async function sizeOf(maker: LoadMaker, port: number, request: string): Promise<number> {
  const { goodMs, goodBytes } = await maker.run({
    port,
    requests: [request],
    seed: 0,
    seconds: 0.001,
    clients: 1,
  })
  return goodBytes / goodMs.length
}

const SAMPLE_MS = 500

/** A bit of everything by the clock, below what can be done; each fifth of the time has its mean. */
async function longWork(service: Service, maker: LoadMaker, { seed, quick }: Settings): Promise<Figure[]> {
  const { port, pid } = service
  const job = { port, requests: MIX, perSecond: 60 }
  // Until code is compiled and the heap has the size that this load asks for.
  await maker.run({ ...job, seed, seconds: quick ? 20 : 120 })
  const seconds = quick ? 60 : 20 * 60
  const samples: number[] = []
  const timer = setInterval(() => {
    if (!service.hasEnded()) samples.push(memoryOf(pid, 'VmRSS'))
  }, SAMPLE_MS)
  const result = await maker.run({ ...job, seed: seed + 1, seconds })
  clearInterval(timer)
  const mean = (fifth: number) => {
    const part = samples.slice((fifth * samples.length) / 5, ((fifth + 1) * samples.length) / 5)
    return part.reduce((sum, bytes) => sum + bytes, 0) / part.length
  }
  const drift = (mean(4) / mean(1) - 1) * 100
  return [
    atLeast('mixed load: requests answered', result.goodMs.length, seconds * 20, `in ${seconds} s`),
    atMost('mixed load: others', countOthers(result), 0, '', JSON.stringify(result.others)),
    atMost(
      'mixed load: growth of the memory',
      Math.round(drift * 10) / 10,
      5,
      '%',
      `mean of the second fifth ${shown(mean(1))}, of the last ${shown(mean(4))}`,
    ),
    atMost('mixed load: crashes', service.hasEnded() ? 1 : 0, 0),
  ]
}

const TASK = JSON.stringify({ eventId: 'event_0246_1', description: 'Load the van' })
const MIX = [
  requestOf('/api/quotes/quote_0246'),
  requestOf('/api/quotes/quote_0246?expand[]=lead,booking.events.staff'),
  requestOf('/api/quotes?limit=10'),
  requestOf('/api/quotes?limit=10&expand[]=data.lead,data.services,data.booking.events.staff'),
  requestOf('/api/quotes?limit=100&expand[]=data.lead,data.booking.invoices'),
  requestOf('/api/quotes?limit=25&starting_after=quote_0200&created_at[gte]=2020-01-01T00:00:00Z'),
  requestOf('/api/resources?limit=50'),
  requestOf('/api/invoice/book_0246'),
  requestOf('/api/task/create').replace('GET', 'POST').trimEnd() +
    `\r\ncontent-type: application/json\r\ncontent-length: ${TASK.length}\r\n\r\n${TASK}`,
]

/** As the system counts it: now (`VmRSS`), or the most there ever was (`VmHWM`). */
function memoryOf(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e5) / 10
}

function shown(bytes: number): string {
  return `${megabytes(bytes)} MB`
}
