/** On a host with other programs on all cores, requests take longer, but none is rejected. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atLeast, atMost } from './item.ts'
import type { Figure, Item, Settings } from './item.ts'
import { countOthers, quantile, startLoadGenerator } from './start-load-generator.ts'
import type { LoadJob, LoadResult } from './load-generator.ts'
import type { LoadGenerator } from './start-load-generator.ts'
import { MIXED_REQUESTS } from './mixed-requests.ts'
import { POSTGRES_PROGRAMS, startPostgres } from './postgres.ts'
import { startProgram } from './programs.ts'
import type { Running } from './programs.ts'
import { startService } from './service.ts'
import type { Service } from './service.ts'

export const busyHost: Item = {
  name: 'busy-host',
  title: 'A busy host',
  programs: POSTGRES_PROGRAMS,
  run: async (settings) => {
    const { folder } = settings
    const postgres = await startPostgres(folder)
    const service = await startService({ folder, settings: { DATABASE_URL: postgres.url } })
    return serveBesideBusyLoops(service, startLoadGenerator(), settings)
  },
}

const BUSY_LOOPS_PER_CORE = 4
const CLIENTS = 16
/** Share of the throughput of the clients beside the busy loops */
const LIGHT_SHARE = 0.3
const SECONDS = 20

async function serveBesideBusyLoops(
  { port, hasEnded }: Service,
  generator: LoadGenerator,
  { folder, seed }: Settings,
): Promise<Figure[]> {
  const run = (job: Pick<LoadJob, 'clients' | 'perSecond' | 'seconds'>) =>
    generator.run({ port, requests: MIXED_REQUESTS, seed, ...job })
  await run({ clients: CLIENTS, seconds: 5 })
  const idle = await run({ clients: 1, seconds: 3 })
  const loops = startBusyLoops(folder)
  await sleep(1_000)
  const clients = await run({ clients: CLIENTS, seconds: SECONDS })
  const perSecond = (LIGHT_SHARE * clients.goodMs.length) / clients.seconds
  const light = await run({ perSecond, seconds: SECONDS })
  for (const loop of loops) loop.kill('SIGKILL')
  await Promise.all(loops.map(({ ended }) => ended))
  const after = await run({ clients: CLIENTS, seconds: 3 })
  return [
    ...figuresOf(`${CLIENTS} clients`, clients, 3 * CLIENTS, idle),
    ...figuresOf('light mixed load', light, Math.floor(0.7 * perSecond * SECONDS), idle),
    ...figuresOf('afterwards', after, CLIENTS, idle),
    atMost('crashes', hasEnded() ? 1 : 0, 0),
  ]
}

function startBusyLoops(folder: string): Running[] {
  const count = BUSY_LOOPS_PER_CORE * availableParallelism()
  return Array.from({ length: count }, () =>
    startProgram(process.execPath, ['-e', 'for (;;);'], {
      cwd: folder,
      logFile: join(folder, 'busy-loops.log'),
    }),
  )
}

function p99({ goodMs }: LoadResult): string {
  return `${Math.round(quantile(goodMs, 0.99))} ms`
}

function figuresOf(name: string, result: LoadResult, least: number, idle: LoadResult): Figure[] {
  const { goodMs, rejectedMs, others } = result
  return [
    atLeast(
      `${name}: responses`,
      goodMs.length,
      least,
      `p99 ${p99(result)}; of one client alone, ${p99(idle)}`,
    ),
    atMost(`${name}: 503`, rejectedMs.length, 0),
    atMost(`${name}: other responses, or none`, countOthers(result), 0, '', JSON.stringify(others)),
  ]
}
