/** The service is killed repeatedly while it creates tasks. Clients retry with the same key. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../src/db/connect.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { atEnd } from './at-end.ts'
import { atLeast, atMost, exactly, largest } from './item.ts'
import type { Figure, Item, Settings } from './item.ts'
import { compareTasks, startLoad } from './load.ts'
import type { Account, Load } from './load.ts'
import { POSTGRES_PROGRAMS, startPostgres } from './postgres.ts'
import { freePort } from '../test/support/command.ts'
import { waitUntil } from './programs.ts'
import { createRandom } from './random.ts'
import type { Random } from './random.ts'
import { startService } from './service.ts'
import type { Service } from './service.ts'

export const ownDeath: Item = {
  name: 'own-death',
  title: 'Kills of the service',
  programs: POSTGRES_PROGRAMS,
  run: async (settings) => [...(await onSeparate(settings)), ...(await onEmbedded(settings))],
}

const CREATORS = 12

interface Place {
  folder: string
  port: number
  settings: Record<string, string>
  random: Random
}

async function onSeparate({ folder, seed, quick }: Settings): Promise<Figure[]> {
  const own = createFolder(folder, 'separate')
  const postgres = await startPostgres(own)
  const random = createRandom(seed)
  const place = { folder: own, port: await freePort(), settings: { DATABASE_URL: postgres.url }, random }
  const { service, load, kills } = await killRepeatedly(place, 'Separate', seed, quick ? 5 : 50)
  const figures = await judge('PostgreSQL', kills, await load.stop(), postgres.connection)
  service.kill('SIGTERM')
  await service.ended
  return figures
}

async function onEmbedded({ folder, seed, quick }: Settings): Promise<Figure[]> {
  const own = createFolder(folder, 'embedded')
  const dataDir = join(own, 'data')
  const random = createRandom(seed + 1)
  const place = { folder: own, port: await freePort(), settings: { DATA_DIR: dataDir }, random }
  // After a kill of the service, its database keeps running for the next start. So the item stops it.
  atEnd(async () => {
    const pid = databasePid(dataDir)
    if (pid === null) return
    process.kill(pid, 'SIGQUIT')
    await waitUntil('the embedded database ends', async () => databasePid(dataDir) === null)
  })
  const { service, load, kills } = await killRepeatedly(place, 'Embedded', seed, quick ? 5 : 50, () =>
    databasePid(dataDir),
  )
  const recoveries = await killDatabaseOnly(dataDir, load, random, quick ? 2 : 10)
  const account = await load.stop()
  // Attaches to the running database of the service.
  const embedded = await startEmbedded(dataDir)
  const figures = await judge('embedded', kills, account, embedded.connection)
  await embedded.stop()
  service.kill('SIGTERM')
  const status = await service.ended
  return [
    ...figures,
    exactly('embedded: kills of the database alone, with a restart', recoveries.length, quick ? 2 : 10),
    atMost('embedded: first 201 after such a kill, worst', largest(recoveries) / 1000, 10, 's'),
    exactly('embedded: exit status at the end', status, 0),
    exactly('embedded: database processes left at the end', databasePid(dataDir) === null ? 0 : 1, 0),
  ]
}

interface Kills {
  count: number
  /** Number of creations in progress at each kill */
  pendingCounts: number[]
  /** Time from each start to the first acknowledged creation */
  startMs: number[]
  /** Time from each start to the first read */
  readyMs: number[]
}

/** Kills the service at random times. Some kills include the embedded database, if there is one. */
async function killRepeatedly(
  place: Place,
  name: string,
  seed: number,
  count: number,
  embeddedPid?: () => number | null,
): Promise<{ service: Service; load: Load; kills: Kills }> {
  let service = await startService(place)
  const load = startLoad({ port: place.port, name, seed, readers: 2, creators: CREATORS })
  const kills: Kills = { count: 0, pendingCounts: [], startMs: [], readyMs: [] }
  while (kills.count < count) {
    await sleep(place.random.between(20, 400))
    await waitUntil('a creation is pending', async () => load.pendingCreations() > 0, { everyMs: 1 })
    kills.pendingCounts.push(load.pendingCreations())
    service.kill('SIGKILL')
    const pid = embeddedPid?.() ?? null
    // Kills both, like a power failure.
    if (pid !== null && place.random.between(1, 4) === 1) process.kill(pid, 'SIGKILL')
    await service.ended
    kills.count++
    const startedAt = performance.now()
    service = await startService(place)
    kills.readyMs.push(performance.now() - startedAt)
    kills.startMs.push((await firstCreationAfter(load, startedAt)) - startedAt)
  }
  return { service, load, kills }
}

/** The time of the first acknowledgement of a creation that was sent after this time. */
async function firstCreationAfter(load: Load, time: number): Promise<number> {
  const { exchanges } = load.account
  const first = () => exchanges.findLast(({ status, sentAt }) => status === 201 && sentAt > time)
  await waitUntil('a task is created again', async () => first() !== undefined)
  return performance.now()
}

async function killDatabaseOnly(
  dataDir: string,
  load: Load,
  random: Random,
  count: number,
): Promise<number[]> {
  const recoveries: number[] = []
  while (recoveries.length < count) {
    await sleep(random.between(200, 800))
    const pid = databasePid(dataDir)
    if (pid === null) throw new Error('the embedded database does not run')
    process.kill(pid, 'SIGKILL')
    const killedAt = performance.now()
    await waitUntil('the database is started again', async () => {
      const next = databasePid(dataDir)
      return next !== null && next !== pid
    })
    recoveries.push((await firstCreationAfter(load, performance.now())) - killedAt)
  }
  return recoveries
}

async function judge(
  where: string,
  { count, pendingCounts, startMs, readyMs }: Kills,
  account: Account,
  connection: Connection,
): Promise<Figure[]> {
  const tasks = await compareTasks(connection, [account])
  // A refused connection sent no request.
  const cutOff = account.exchanges.filter(
    ({ failure }) => failure !== undefined && failure !== 'ECONNREFUSED',
  ).length
  return [
    exactly(
      `${where}: kills during a creation`,
      pendingCounts.filter((n) => n > 0).length,
      count,
      `${cutOff} requests lost their response`,
    ),
    atLeast(`${where}: tasks acknowledged`, tasks.acknowledged, count * 5),
    atMost(`${where}: acknowledged tasks lost`, tasks.lost, 0),
    atMost(`${where}: tasks duplicated`, tasks.duplicated, 0),
    atMost(`${where}: tasks without acknowledgement after retries`, tasks.unacknowledged, 0),
    atMost(`${where}: replays that differ from the first response`, account.otherAnswers, 0),
    atMost(
      `${where}: from a start to the first 201, worst`,
      largest(startMs) / 1000,
      20,
      's',
      `ready after ${(largest(readyMs) / 1000).toFixed(1)} s at most`,
    ),
  ]
}

function createFolder(folder: string, name: string): string {
  const created = join(folder, name)
  mkdirSync(created)
  return created
}

/** The process id of the embedded database according to its file. Null if it does not run. */
function databasePid(dataDir: string): number | null {
  const file = join(dataDir, 'postgres', 'postmaster.pid')
  if (!existsSync(file)) return null
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
  // The file remains after a kill, and another process can have the number.
  const name = `/proc/${pid}/comm`
  return existsSync(name) && readFileSync(name, 'utf8').trim() === 'postgres' ? pid : null
}
