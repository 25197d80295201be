/**
 * 20 writers on three processes, which are killed at random, and so is the database. Followers read the change feed: without a
 * gap, a duplicate or a change out of order, and a copy that is built from it equals the answers of the API.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { freePort } from '../test/support/command.ts'
import { follow, write } from './changes-load.ts'
import type { Acknowledged, Change, Copy } from './changes-load.ts'
import { createClient } from './client.ts'
import { atLeast, atMost } from './item.ts'
import type { Figure, Item, Settings } from './item.ts'
import { POSTGRES_PROGRAMS, makePostgres } from './postgres.ts'
import type { Postgres } from './postgres.ts'
import { waitUntil } from './programs.ts'
import { createRandom } from './random.ts'
import type { Random } from './random.ts'
import { GOOD_KEY, startService } from './service.ts'
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
const GOALS = {
  quick: { changes: 5_000, processes: 10, databases: 2 },
  full: { changes: 100_000, processes: 200, databases: 40 },
}

async function run({ folder, seed, quick }: Settings): Promise<Figure[]> {
  const postgres = await makePostgres(folder)
  const random = createRandom(seed)
  const goal = quick ? GOALS.quick : GOALS.full
  const services = await startProcesses(folder, postgres)
  const followers = Array.from({ length: FOLLOWERS }, (_, i) => follow(services.ports, i))
  const first = followers[0]
  if (first === undefined) throw new Error('nothing follows the feed')
  const killing = killAtRandom(services, postgres, random)
  let isWriting = true
  const writers = Array.from({ length: WRITERS }, (_, i) =>
    write(services.ports, `${seed}-${i}`, createRandom(seed + i + 1), () => isWriting),
  )
  // Writing goes on until there were enough kills, however fast the machine writes.
  const isEnough = () =>
    first.last() >= goal.changes &&
    killing.kills.service >= goal.processes &&
    killing.kills.database >= goal.databases
  await waitUntil('enough changes and kills', async () => isEnough(), {
    timeoutMs: quick ? 600_000 : 3_600_000,
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
  const figures = await judge(services.ports[0] ?? 0, copies, acknowledged)
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
    return startService({ folder: own, port: ports[i] ?? 0, settings: { DATABASE_URL: postgres.url } })
  }
  // The first one migrates and fills the database.
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

/** Until it is stopped. Then all of them run. */
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

async function newestSequence(port: number): Promise<number> {
  const [change] = await readAll<Change>(port, '/api/changes?order=desc&limit=1', 1)
  return change?.sequence ?? 0
}

/** All objects of a list, or the first ones. */
async function readAll<Listed extends { id: string }>(
  port: number,
  path: string,
  max = Infinity,
): Promise<Listed[]> {
  const client = createClient(port)
  const items: Listed[] = []
  for (;;) {
    const last = items.at(-1)
    const after = last === undefined ? '' : `&starting_after=${last.id}`
    const answer = await client.send({ path: `${path}${after}`, key: GOOD_KEY })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`)
    const { data, hasMore } = JSON.parse(answer.text) as { data: Listed[]; hasMore: boolean }
    items.push(...data)
    if (hasMore && items.length < max) continue
    client.close()
    return items
  }
}

async function judge(
  port: number,
  copies: readonly Copy[],
  acknowledged: readonly Acknowledged[],
): Promise<Figure[]> {
  const listed = [
    ...(await readAll<{ id: string }>(port, '/api/leads?limit=100')),
    ...(await readAll<{ id: string }>(port, '/api/tasks?limit=100')),
  ]
  const current = new Map(listed.map((object) => [object.id, object]))
  const differences = copies.map(({ objects }) => {
    const wrong = [...objects].filter(([id, object]) => {
      const isListed = object['object'] === 'lead' || object['object'] === 'task'
      return isListed && !isDeepStrictEqual(current.get(id), object)
    })
    const missing = acknowledged.filter(({ id, object }) => (object === null) === objects.has(id))
    return wrong.length + missing.length
  })
  const lost = acknowledged.filter(({ id, object }) =>
    object === null ? current.has(id) : !isDeepStrictEqual(current.get(id), object),
  )
  return [
    atLeast('objects with an acknowledged write', acknowledged.length, 100),
    atMost('gaps and duplicates in the feed', sum(copies.map(({ gaps }) => gaps)), 0),
    atMost('changes older than the one before', sum(copies.map(({ backwards }) => backwards)), 0),
    atMost('objects that differ between a copy of the feed and the API', sum(differences), 0),
    atMost('acknowledged writes lost or undone', lost.length, 0),
  ]
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
