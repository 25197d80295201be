/** PostgreSQL is killed, hangs or rejects connections while the service is under load. */
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { createClient, isOurs } from './client.ts'
import type { Answer } from './client.ts'
import { atLeast, atMost, exactly, largest } from './item.ts'
import type { Figure, Item, Settings } from './item.ts'
import { compareTasks, startLoad } from './load.ts'
import type { Account, Exchange } from './load.ts'
import { POSTGRES_PROGRAMS, startPostgres } from './postgres.ts'
import type { Postgres } from './postgres.ts'
import { waitUntil } from './programs.ts'
import { createRandom } from './random.ts'
import { GOOD_KEY, probe, startService } from './service.ts'
import type { Service } from './service.ts'

export const databaseFaults: Item = {
  name: 'database-faults',
  title: 'Database faults',
  programs: POSTGRES_PROGRAMS,
  run: async (settings) => {
    const postgres = await startPostgres(settings.folder, [`max_connections=${CONNECTIONS_MAX}`])
    const service = await startService({
      folder: settings.folder,
      settings: { DATABASE_URL: postgres.url },
    })
    const killed = await killUnderLoad(postgres, service, settings)
    const frozen = await freezeUnderLoad(postgres, service, settings)
    const denied = await withoutAuthStore(postgres, service)
    const tasks = await compareTasks(postgres.connection, [killed.account, ...frozen.accounts])
    return [
      ...killed.figures,
      ...frozen.figures,
      ...denied,
      atLeast('tasks acknowledged in total', tasks.acknowledged, 100),
      atMost('acknowledged tasks lost', tasks.lost, 0),
      atMost('tasks duplicated', tasks.duplicated, 0),
      atMost('creations without acknowledgement', tasks.unacknowledged, 0),
      exactly('the first process still serves', service.hasEnded() ? 'no' : 'yes', 'yes'),
    ]
  },
}

/** A small number, so that a test can use all of them. */
const CONNECTIONS_MAX = 30
const DOWN_CLIENTS = { readers: 8, creators: 8 }

async function killUnderLoad(
  postgres: Postgres,
  service: Service,
  { seed, quick }: Settings,
): Promise<{ account: Account; figures: Figure[] }> {
  const random = createRandom(seed)
  const load = startLoad({ port: service.port, name: 'Killed', seed, ...DOWN_CLIENTS })
  const kills = quick ? 2 : 10
  const recoveries: number[] = []
  const outages: { from: number; to: number }[] = []
  for (let i = 0; i < kills; i++) {
    await sleep(random.between(500, 1500))
    const from = performance.now()
    await postgres.kill()
    await sleep(random.between(100, 2000))
    const accepting = await postgres.start()
    const firstGood = () => load.account.exchanges.find(isGoodAfter(accepting))
    await waitUntil('the service responds with 2xx again', async () => firstGood() !== undefined)
    recoveries.push(endOf(firstGood()) - accepting)
    outages.push({ from, to: accepting })
  }
  await sleep(1000)
  const account = await load.stop()
  const down = account.exchanges.filter((exchange) => outages.some((outage) => isWithin(exchange, outage)))
  const failed = account.exchanges.filter(({ status }) => status >= 300 || status === 0)
  const count = (status: number) => failed.filter((exchange) => exchange.status === status).length
  return {
    account,
    figures: [
      exactly('kills of PostgreSQL under load', recoveries.length, kills),
      atLeast('responses while it was down', down.length, kills * 10),
      atMost(
        'failed requests other than 503 and 500 in the shapes of the API',
        failed.filter((exchange) => !isUnavailable(exchange)).length,
        0,
        '',
        `${count(503)} × 503, ${count(500)} × 500`,
      ),
      atMost('slowest response around a kill', largest(account.exchanges.map(({ ms }) => ms)) / 1000, 3, 's'),
      atMost('first 2xx after PostgreSQL accepts connections, worst', largest(recoveries) / 1000, 2, 's'),
    ],
  }
}

const endOf = (exchange: Exchange | undefined) => (exchange?.sentAt ?? 0) + (exchange?.ms ?? 0)
const isGoodAfter = (time: number) => (exchange: Exchange) =>
  exchange.status >= 200 && exchange.status < 300 && endOf(exchange) >= time
const isWithin = (exchange: Exchange, { from, to }: { from: number; to: number }) =>
  exchange.sentAt >= from && endOf(exchange) <= to
const isUnavailable = (exchange: Exchange) =>
  exchange.isOurs && (exchange.status === 503 || exchange.status === 500)

async function freezeUnderLoad(
  postgres: Postgres,
  service: Service,
  { seed, quick }: Settings,
): Promise<{ accounts: Account[]; figures: Figure[] }> {
  const random = createRandom(seed + 1)
  const freezes = quick ? 2 : 5
  const thaws: number[] = []
  const probes: { path: string; status: number }[] = []
  const load = startLoad({ port: service.port, name: 'Frozen', seed, ...DOWN_CLIENTS })
  for (let i = 0; i < freezes; i++) {
    await sleep(random.between(500, 1500))
    postgres.freeze()
    const until = performance.now() + random.between(4000, 7000)
    while (performance.now() < until) {
      for (const path of ['/readyz', '/healthz'])
        probes.push({ path, status: await probe(service.port, path) })
      await sleep(100)
    }
    postgres.thaw()
    const thawed = performance.now()
    thaws.push(thawed)
    await waitUntil('the service responds with 2xx again', async () =>
      load.account.exchanges.some(isGoodAfter(thawed)),
    )
  }
  await sleep(1000)
  const account = await load.stop()
  const failed = account.exchanges.filter(({ status }) => status >= 300 || status === 0)
  const slowest = largest(account.exchanges.map(({ ms }) => ms))
  const statuses = (path: string) =>
    [...new Set(probes.filter((asked) => asked.path === path).map(({ status }) => status))].join(', ')
  const whole = await checkPools(postgres, service, seed)
  return {
    accounts: [account, whole.account],
    figures: [
      exactly('hangs of PostgreSQL under load', thaws.length, freezes),
      atMost('slowest response around a hang', slowest / 1000, 3, 's'),
      atMost(
        'failed requests other than 503 and 500 in the shapes of the API',
        failed.filter((exchange) => !isUnavailable(exchange)).length,
        0,
        '',
        `${failed.length} failed`,
      ),
      exactly('/readyz while it hangs', statuses('/readyz'), '503'),
      exactly('/healthz while it hangs', statuses('/healthz'), '200'),
      ...whole.figures,
    ],
  }
}

/** After all hangs, each connection works, and none is leaked on either side. */
async function checkPools(
  postgres: Postgres,
  service: Service,
  seed: number,
): Promise<{ account: Account; figures: Figure[] }> {
  const load = startLoad({ port: service.port, name: 'Afterwards', seed, readers: 16, creators: 16 })
  await sleep(2000)
  const account = await load.stop()
  await sleep(500)
  const metrics = await createClient(service.port, { keepAlive: false }).send({ path: '/metrics' })
  const pools = [...metrics.text.matchAll(/^db_pool_connections\{pool="(\w+)",state="(\w+)"\} (\d+)$/gm)]
  const inState = (state: string, pool = '') =>
    pools
      .filter(([, name = '', of]) => of === state && name.startsWith(pool))
      .reduce((sum, [, , , count]) => sum + Number(count), 0)
  const client = new Client(postgres.connection)
  await client.connect()
  const { rows } = await client.query<{ total: number; inTransaction: number }>(`
    SELECT count(*)::int AS total, count(*) FILTER (WHERE state <> 'idle')::int AS "inTransaction"
    FROM pg_stat_activity WHERE application_name = 'quoting'`)
  await client.end()
  const { total = -1, inTransaction = -1 } = rows[0] ?? {}
  return {
    account,
    figures: [
      atMost(
        'failed requests afterwards',
        account.exchanges.filter(({ status }) => status >= 300 || status === 0).length,
        0,
        '',
        `of ${account.exchanges.length}`,
      ),
      exactly('idle connections for data', inState('idle', 'data'), Math.max(2, availableParallelism())),
      atMost('busy connections without requests', inState('busy') + inState('waiting'), 0),
      atMost('connections of the database in a transaction', inTransaction, 0),
      atMost(
        'connections of the database that are not in the pools',
        total - inState('idle'),
        2,
        '',
        'one is for its own checks, one for the request log',
      ),
    ],
  }
}

const KEYS = { good: GOOD_KEY, revoked: `${GOOD_KEY}_revoked`, unknown: 'eqs_nobody_has_this_key' }

/** While keys cannot be read, no request is served or denied with 401. */
async function withoutAuthStore(postgres: Postgres, service: Service): Promise<Figure[]> {
  const figures: Figure[] = []
  const ways: [string, () => Promise<() => Promise<unknown>>][] = [
    [
      'killed',
      async () => {
        await postgres.kill()
        return postgres.start
      },
    ],
    [
      'hanging',
      async () => {
        postgres.freeze()
        return async () => postgres.thaw()
      },
    ],
    ['full', () => takeAllConnections(postgres, service)],
  ]
  for (const [way, begin] of ways) {
    const restore = await begin()
    // Valid keys are cached for half a second.
    await sleep(600)
    const answers: Answer[] = []
    const ask = async (key: string) => {
      const client = createClient(service.port, { keepAlive: false })
      for (let i = 0; i < 10; i++) answers.push(await client.send({ path: '/api/resources', key }))
    }
    await Promise.all(Object.values(KEYS).flatMap((key) => [ask(key), ask(key)]))
    const unavailable = answers.filter((answer) => answer.status === 503 && isOurs('/api/resources', answer))
    const client = createClient(service.port, { keepAlive: false })
    const withoutKey = await client.send({ path: '/api/resources' })
    await restore()
    const restored = performance.now()
    const statuses = async () =>
      (await Promise.all(Object.values(KEYS).map((key) => client.send({ path: '/api/resources', key }))))
        .map(({ status }) => status)
        .join(', ')
    const right = '200, 401, 401'
    const first = await statuses()
    await waitUntil('keys work again', async () => (await statuses()) === right)
    figures.push(
      exactly(
        `auth store ${way}: 503 auth_service_unavailable`,
        `${(unavailable.length * 100) / answers.length} %`,
        '100 %',
        `${answers.length} requests with a valid, a revoked and an unknown key`,
      ),
      exactly(`auth store ${way}: a request without a key`, withoutKey.status, 401),
      exactly(
        `auth store ${way}: first responses when it is back`,
        first,
        right,
        `all correct after ${Math.round(performance.now() - restored)} ms`,
      ),
    )
  }
  return figures
}

/** Takes every connection of PostgreSQL after the service has lost its connections. */
async function takeAllConnections(postgres: Postgres, service: Service): Promise<() => Promise<unknown>> {
  const taken: Client[] = []
  const take = async () => {
    const client = new Client(postgres.connection)
    client.on('error', () => undefined)
    await client.connect()
    taken.push(client)
  }
  await take()
  const isFull = async () => {
    await taken[0]?.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'quoting'`,
    )
    await Promise.allSettled(Array.from({ length: CONNECTIONS_MAX }, take))
    return (await probe(service.port, '/readyz')) === 503
  }
  await waitUntil('all connections are taken', isFull)
  return () => Promise.all(taken.map((client) => client.end()))
}
