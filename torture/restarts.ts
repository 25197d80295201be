/** The service is stopped under load: alone, and as one of two processes behind haproxy that are restarted in turn. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, isOurs } from './client.ts'
import { HAPROXY, startHaproxy } from './haproxy.ts'
import { atLeast, atMost, exactly, largest } from './item.ts'
import type { Figure, Item, Settings } from './item.ts'
import { compareTasks, startLoad } from './load.ts'
import type { Account, Exchange } from './load.ts'
import { POSTGRES_PROGRAMS, startPostgres } from './postgres.ts'
import type { Postgres } from './postgres.ts'
import { freePort } from '../test/support/command.ts'
import { createRandom } from './random.ts'
import { GOOD_KEY, startService } from './service.ts'
import type { Service } from './service.ts'

export const restarts: Item = {
  name: 'restarts',
  title: 'Restarts without a failed request',
  programs: [...POSTGRES_PROGRAMS, HAPROXY],
  run: async (settings) => {
    const postgres = await startPostgres(settings.folder)
    const alone = await endUnderLoad(postgres, settings)
    const behind = await restartBehindProxy(postgres, settings)
    const tasks = await compareTasks(postgres.connection, [...alone.accounts, behind.account])
    return [
      ...alone.figures,
      ...behind.figures,
      atMost('acknowledged tasks lost', tasks.lost, 0, '', `of ${tasks.acknowledged}`),
      atMost('tasks duplicated', tasks.duplicated, 0),
      ...(await withoutDatabase(postgres, behind.port)),
    ]
  },
}

const CLIENTS = { readers: 8, creators: 8 }

/** Stops a process without a proxy. It responds to all requests that were sent, and accepts no new connections. */
async function endUnderLoad(
  postgres: Postgres,
  { folder, seed, quick }: Settings,
): Promise<{ accounts: Account[]; figures: Figure[] }> {
  const random = createRandom(seed)
  const ends = quick ? 3 : 10
  const accounts: Account[] = []
  const exitMs: number[] = []
  const statuses: (number | NodeJS.Signals)[] = []
  for (let i = 0; i < ends; i++) {
    const service = await startService({ folder, settings: { DATABASE_URL: postgres.url } })
    const load = startLoad({
      port: service.port,
      name: `Ended ${i}`,
      seed: seed + i,
      ...CLIENTS,
      endWhenRefused: true,
    })
    await sleep(random.between(300, 1200))
    const signaledAt = performance.now()
    service.kill('SIGTERM')
    statuses.push(await service.ended)
    exitMs.push(performance.now() - signaledAt)
    accounts.push(await load.stop())
  }
  const exchanges = accounts.flatMap((account) => account.exchanges)
  // A refused connection sent no request.
  const failed = exchanges.filter((exchange) => isFailed(exchange) && exchange.failure !== 'ECONNREFUSED')
  return {
    accounts,
    figures: [
      exactly('SIGTERM under load, exit status 0', statuses.filter((status) => status === 0).length, ends),
      atLeast('SIGTERM under load: requests', exchanges.length, ends * 50),
      atMost('SIGTERM under load: failed requests', failed.length, 0, '', describe(failed)),
      atMost('SIGTERM under load: time to the exit, worst', largest(exitMs) / 1000, 10, 's'),
    ],
  }
}

const isFailed = (exchange: Exchange) => exchange.status < 200 || exchange.status >= 300 || !exchange.isOurs

/** The distinct failures, or undefined. */
function describe(failed: readonly Exchange[]): string | undefined {
  if (failed.length === 0) return undefined
  return [...new Set(failed.map(({ status, failure, path }) => `${failure ?? status} ${path}`))].join('; ')
}

async function restartBehindProxy(
  postgres: Postgres,
  { folder, seed, quick }: Settings,
): Promise<{ port: number; account: Account; figures: Figure[] }> {
  const ports = [await freePort(), await freePort()] as const
  const settings = { DATABASE_URL: postgres.url, TRUST_PROXY: '127.0.0.1' }
  const start = (port: number) => startService({ folder, settings, port })
  const services = new Map<number, Service>()
  for (const port of ports) services.set(port, await start(port))
  const port = await startHaproxy(folder, ports)
  const clients = { port, seed, ...CLIENTS }
  const loads = [
    startLoad({ ...clients, name: 'Kept connections' }),
    startLoad({ ...clients, name: 'New connections', readers: 2, creators: 2, keepAlive: false }),
  ]
  const rounds = quick ? 2 : 10
  const exitMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    for (const [at, service] of services) {
      const signaledAt = performance.now()
      service.kill('SIGTERM')
      await service.ended
      exitMs.push(performance.now() - signaledAt)
      services.set(at, await start(at))
      // Waits for two checks of the proxy.
      await sleep(1000)
    }
  }
  const accounts = await Promise.all(loads.map((load) => load.stop()))
  const exchanges = accounts.flatMap((account) => account.exchanges)
  const failed = exchanges.filter(isFailed)
  const account = { exchanges, tasks: new Map(accounts.flatMap(({ tasks }) => [...tasks])), otherAnswers: 0 }
  return {
    port,
    account,
    figures: [
      exactly('behind haproxy: restarts of each of two processes', exitMs.length / 2, rounds),
      atLeast('behind haproxy: requests', exchanges.length, rounds * 100),
      atMost('behind haproxy: failed requests', failed.length, 0, '', describe(failed)),
      atMost('behind haproxy: slowest request', largest(exchanges.map(({ ms }) => ms)) / 1000, 2, 's'),
      atMost('behind haproxy: time to the exit, worst', largest(exitMs) / 1000, 10, 's'),
    ],
  }
}

/** The proxy forwards the response of the API although no process is ready. */
async function withoutDatabase(postgres: Postgres, port: number): Promise<Figure[]> {
  await postgres.kill()
  await sleep(1500)
  const answer = await createClient(port, { keepAlive: false }).send({
    path: '/api/resources',
    key: GOOD_KEY,
  })
  const shown = isOurs('/api/resources', answer)
    ? `${answer.status} of the API`
    : `${answer.status} ${answer.text}`
  return [exactly('behind haproxy: response while the database is unavailable', shown, '503 of the API')]
}
