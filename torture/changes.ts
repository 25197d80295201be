/**
 * 20 writers on three processes. Processes and the database are killed at random. A third of the writes have no idempotency
 * key, so that their changes are sent in one packet with the commit. Followers read the change feed without gaps, duplicates or
 * changes out of order, and their copies equal the responses of the API.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../test/support/command.ts'
import { follow } from './changes-followers.ts'
import { judge, newestSequence, readObjects } from './changes-judge.ts'
import { write } from './changes-writers.ts'
import { atLeast } from './item.ts'
import type { Figure, Item, Settings } from './item.ts'
import { POSTGRES_PROGRAMS, SLOW_COMMITS, startPostgres } from './postgres.ts'
import type { Postgres } from './postgres.ts'
import { waitUntil } from './programs.ts'
import { createRandom } from './random.ts'
import type { Random } from './random.ts'
import { startService } from './service.ts'
import type { Service } from './service.ts'

export const changes: Item = {
  name: 'changes',
  title: 'The change feed',
  programs: POSTGRES_PROGRAMS,
  run,
}

const PROCESSES = 3
const WRITERS = 20
const FOLLOWERS = 3
/** `saved`: writes that were saved although their response was lost. A quick run can have none. */
const GOALS = {
  quick: { changes: 5_000, processes: 10, databases: 2, saved: 0 },
  full: { changes: 100_000, processes: 200, databases: 40, saved: 1 },
}

async function run({ folder, seed, quick }: Settings): Promise<Figure[]> {
  const postgres = await startPostgres(folder, SLOW_COMMITS)
  const random = createRandom(seed)
  const goal = quick ? GOALS.quick : GOALS.full
  const services = await startProcesses(folder, postgres)
  const earlier = await readObjects(services.ports[0] ?? 0)
  const followers = Array.from({ length: FOLLOWERS }, (_, i) => follow(services.ports, i))
  const first = followers[0]
  if (first === undefined) throw new Error('there are no followers of the feed')
  const killing = killAtRandom(services, postgres, random)
  let isWriting = true
  const writers = Array.from({ length: WRITERS }, (_, i) =>
    write(services.ports, `${seed}-${i}`, createRandom(seed + i + 1), () => isWriting),
  )
  // Writes until there were enough kills, on slow and fast machines.
  const isEnough = () =>
    first.last() >= goal.changes &&
    killing.kills.service >= goal.processes &&
    killing.kills.database >= goal.databases
  await waitUntil('enough changes and kills', async () => isEnough(), {
    timeoutMs: quick ? 600_000 : 5_400_000,
    everyMs: 200,
  })
  isWriting = false
  const acknowledged = (await Promise.all(writers)).flat()
  await killing.stop()
  const newest = await newestSequence(services.ports[0] ?? 0)
  await waitUntil('the followers are done', async () => followers.every(({ last }) => last() >= newest), {
    timeoutMs: 60_000,
  })
  const copies = await Promise.all(followers.map(({ stop }) => stop()))
  const current = await readObjects(services.ports[0] ?? 0)
  const figures = judge({ earlier, current }, { copies, acknowledged, leastSaved: goal.saved })
  await Promise.all(services.running.map((service) => end(service)))
  return [
    atLeast('kills of a process', killing.kills.service, goal.processes),
    atLeast('kills of the database', killing.kills.database, goal.databases),
    atLeast('changes recorded', newest, goal.changes),
    ...figures,
  ]
}

interface Services {
  ports: readonly number[]
  running: Service[]
  restart: (i: number) => Promise<void>
}

async function startProcesses(folder: string, postgres: Postgres): Promise<Services> {
  const ports = await Promise.all(Array.from({ length: PROCESSES }, () => freePort()))
  const start = (i: number) => {
    const own = join(folder, `process-${i}`)
    mkdirSync(own, { recursive: true })
    // Links of invoices must be the same on every process.
    const settings = { DATABASE_URL: postgres.url, PUBLIC_URL: 'http://127.0.0.1' }
    return startService({ folder: own, port: ports[i] ?? 0, settings })
  }
  // The first process migrates and fills the database.
  const running = [await start(0), ...(await Promise.all([start(1), start(2)]))]
  return {
    ports,
    running,
    restart: async (i) => {
      running[i]?.kill('SIGKILL')
      await running[i]?.ended
      running[i] = await start(i)
    },
  }
}

async function end(service: Service): Promise<void> {
  service.kill('SIGTERM')
  await service.ended
}

/** Kills until it is stopped. All processes run at the end. */
function killAtRandom(
  services: Services,
  postgres: Postgres,
  random: Random,
): { kills: { service: number; database: number }; stop: () => Promise<void> } {
  const kills = { service: 0, database: 0 }
  const stopping = new AbortController()
  const keepKilling = async () => {
    while (!stopping.signal.aborted) {
      await sleep(random.between(100, 1_500))
      if (random.between(1, 5) === 1) {
        await postgres.kill()
        kills.database++
        await postgres.start()
      } else {
        await services.restart(random.between(0, PROCESSES - 1))
        kills.service++
      }
    }
  }
  const killing = keepKilling()
  return {
    kills,
    stop: async () => {
      stopping.abort()
      await killing
    },
  }
}
