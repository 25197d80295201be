/** Memory of the process with the largest responses, and after long work. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atLeast, atMost, atMostTimesIdle, exactly, largest } from './item.ts'
import type { Figure, Item, Settings } from './item.ts'
import {
  LARGE_BOOKINGS_KEY,
  TWENTY_PATHS,
  TWENTY_PATHS_TOO_DEEP,
  largeBookingsWorld,
} from './large-bookings.ts'
import { countOthers, quantile, startLoadGenerator } from './start-load-generator.ts'
import type { LoadResult } from './load-generator.ts'
import type { LoadGenerator } from './start-load-generator.ts'
import { MIXED_REQUESTS } from './mixed-requests.ts'
import { POSTGRES_PROGRAMS, startPostgres } from './postgres.ts'
import { runProgram } from './programs.ts'
import { PROGRAM, requestOf, startService } from './service.ts'
import type { Service } from './service.ts'

export const memory: Item = {
  name: 'memory',
  title: 'Memory',
  programs: POSTGRES_PROGRAMS,
  run: async (settings) => {
    const { folder } = settings
    const postgres = await startPostgres(folder)
    const database = { DATABASE_URL: postgres.url }
    const service = await startService({ folder, settings: database })
    await importLargeBookings(folder, database)
    const generator = startLoadGenerator()
    const peak = await largestAnswers(service, generator, settings)
    service.kill('SIGTERM')
    await service.ended
    // A new process, because the previous responses enlarged the first one.
    const next = await startService({ folder, settings: database })
    return [...peak, ...(await longWork(next, generator, settings))]
  },
}

async function importLargeBookings(folder: string, env: Record<string, string>): Promise<void> {
  const file = join(folder, 'large-bookings.ndjson')
  writeFileSync(file, largeBookingsWorld())
  await runProgram(process.execPath, [PROGRAM, 'import', file], {
    cwd: folder,
    logFile: join(folder, 'import.log'),
    env: { APP_SECRET: 'a secret of thirty-two characters', ...env },
  })
}

const CONCURRENT = 16

function page(paths: readonly string[]): string {
  const expand = paths.map((path) => `data.${path}`).join(',')
  return requestOf(`/api/quotes?limit=100&expand[]=${expand}`, LARGE_BOOKINGS_KEY)
}

async function largestAnswers(
  service: Service,
  generator: LoadGenerator,
  { seed, quick }: Settings,
): Promise<Figure[]> {
  const { port, pid } = service
  await generator.run({ port, requests: MIXED_REQUESTS, seed, seconds: 5, clients: 2 })
  await sleep(2_000)
  const restingBytes = memoryOf(pid, 'VmRSS')
  // The first request is slower, because the code is not compiled yet.
  await readOnce(generator, port, 1)
  const alone = await readOnce(generator, port, 1)
  const patient = await readOnce(generator, port, CONCURRENT)
  // One of four requests exceeds the maximum size of a response.
  const requests = [...Array.from({ length: 3 }, () => page(TWENTY_PATHS)), page(TWENTY_PATHS_TOO_DEEP)]
  const seconds = quick ? 20 : 60
  const [result, beside] = await Promise.all([
    generator.run({ port, requests, seed, seconds, clients: CONCURRENT }),
    startLoadGenerator().run({ port, requests: MIXED_REQUESTS, seed, seconds, perSecond: BESIDE_PER_SECOND }),
  ])
  const peakBytes = memoryOf(pid, 'VmHWM')
  const { 400: tooLarge = 0, ...others } = result.others
  return [
    ...patientFigures(alone, patient),
    atLeast(
      `${CONCURRENT} clients, limit=100 and 20 paths repeatedly: responses`,
      result.goodMs.length,
      CONCURRENT,
      `in ${Math.round(result.seconds)} s`,
    ),
    atMost('of these rejected with 503', result.rejectedMs.length, 0),
    atLeast('400 for responses above 32 MiB', tooLarge, 4),
    ...besideFigures(alone, beside, seconds),
    atMost('other responses, or none', countOthers({ ...result, others }), 0, '', JSON.stringify(others)),
    atMost(
      'peak memory above the resting size',
      megabytes(peakBytes - restingBytes),
      512,
      'MB',
      `resting ${shown(restingBytes)}, at most ${shown(peakBytes)}`,
    ),
    atMost('crashes', service.hasEnded() ? 1 : 0, 0),
  ]
}

/** Each client reads one of the largest pages, because the time ends before the first response. */
function readOnce(generator: LoadGenerator, port: number, clients: number): Promise<LoadResult> {
  return generator.run({ port, requests: [page(TWENTY_PATHS)], seed: 0, seconds: 0.05, clients })
}

/** Concurrent requests of another company */
const BESIDE_PER_SECOND = 10

/** They wait for only a few of the statements and the CPU time of a large page. */
function besideFigures(alone: LoadResult, beside: LoadResult, seconds: number): Figure[] {
  return [
    atLeast('other requests meanwhile: responses', beside.goodMs.length, 0.7 * BESIDE_PER_SECOND * seconds),
    atMost(
      'other requests meanwhile: rejected, failed or without response',
      beside.rejectedMs.length + countOthers(beside),
      0,
      '',
      JSON.stringify(beside.others),
    ),
    atMostTimesIdle('other requests meanwhile: p99', quantile(beside.goodMs, 0.99), {
      idleMs: largest(alone.goodMs),
      times: 3,
      leastS: 1,
      detail: `p50 ${Math.round(quantile(beside.goodMs, 0.5))} ms; idle: one of the largest pages alone`,
    }),
  ]
}

/** The largest pages are served one at a time. A slower machine takes longer for each. */
function patientFigures(alone: LoadResult, patient: LoadResult): Figure[] {
  const aloneS = largest(alone.goodMs) / 1000
  return [
    exactly(
      `${CONCURRENT} clients at once, one of the largest pages each: responses`,
      patient.goodMs.length,
      CONCURRENT,
      `of ${shown(alone.goodBytes / alone.goodMs.length)} each`,
    ),
    atMost(
      'the last of these',
      largest(patient.goodMs) / 1000,
      Math.max(10, Math.round(1.5 * CONCURRENT * aloneS)),
      's',
      `one alone takes ${aloneS.toFixed(2)} s`,
    ),
  ]
}

const SAMPLE_MS = 500

/** A light load. On a slow machine, a share of its capacity */
const LIGHT = { perSecond: 60, share: 0.3 }

/** A mixed open-loop load far below the capacity, with a mean for each fifth of the time. */
async function longWork(
  service: Service,
  generator: LoadGenerator,
  { seed, quick }: Settings,
): Promise<Figure[]> {
  const { port, pid } = service
  const mixed = { port, requests: MIXED_REQUESTS }
  const closed = await generator.run({ ...mixed, seed, seconds: 5, clients: CONCURRENT })
  const capacity = closed.goodMs.length / closed.seconds
  const perSecond = Math.min(LIGHT.perSecond, Math.ceil(LIGHT.share * capacity))
  const job = { ...mixed, perSecond }
  // Long enough that code is compiled and the heap has the size for this load.
  await generator.run({ ...job, seed, seconds: quick ? 20 : 120 })
  const seconds = quick ? 60 : 20 * 60
  const samples: number[] = []
  const timer = setInterval(() => {
    if (!service.hasEnded()) samples.push(memoryOf(pid, 'VmRSS'))
  }, SAMPLE_MS)
  const result = await generator.run({ ...job, seed: seed + 1, seconds })
  clearInterval(timer)
  const mean = (fifth: number) => {
    const part = samples.slice((fifth * samples.length) / 5, ((fifth + 1) * samples.length) / 5)
    return part.reduce((sum, bytes) => sum + bytes, 0) / part.length
  }
  const drift = (mean(4) / mean(1) - 1) * 100
  return [
    atLeast(
      'mixed load: responses',
      result.goodMs.length,
      Math.floor(0.8 * perSecond * seconds),
      `in ${seconds} s, ${perSecond} per second of ${Math.round(capacity)}`,
    ),
    atMost('mixed load: rejected with 503', result.rejectedMs.length, 0),
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

/** Memory according to the system: current (`VmRSS`) or peak (`VmHWM`). */
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
