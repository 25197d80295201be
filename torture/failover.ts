/** The primary is lost repeatedly under load. pg_auto_failover promotes the standby, and the service uses it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { FAILOVER_PROGRAMS, startFailoverCluster } from './auto-failover.ts'
import type { FailoverCluster } from './auto-failover.ts'
import { atLeast, atMost, exactly, largest } from './item.ts'
import type { Figure, Item } from './item.ts'
import { compareTasks, startLoad } from './load.ts'
import type { Exchange, Load } from './load.ts'
import { waitUntil } from './programs.ts'
import { createRandom } from './random.ts'
import type { Random } from './random.ts'
import { startService } from './service.ts'

interface Outage {
  killedAt: number
  promotedAt: number
  /** The first task created after the promotion. */
  writtenAt: number
}

const CLIENTS = { readers: 4, creators: 4 }

export const failover: Item = {
  name: 'failover',
  title: 'Failover',
  programs: FAILOVER_PROGRAMS,
  run: async ({ folder, seed, quick }) => {
    const cluster = await startFailoverCluster(folder)
    await cluster.settle()
    const urls = cluster.nodes.map(({ url }) => url)
    const hosts = urls.map((url) => new URL(url).host)
    const databaseUrl = (urls[0] ?? '').replace(hosts[0] ?? '', hosts.join(','))
    const service = await startService({
      folder,
      settings: { DATABASE_URL: databaseUrl, DATABASE_REPLICA_URL: urls.join(',') },
    })
    const load = startLoad({ port: service.port, name: 'Failover', seed, ...CLIENTS, pauseMs: 20 })
    const kills = quick ? 2 : 10
    const random = createRandom(seed)
    const outages: Outage[] = []
    for (let i = 0; i < kills; i++) outages.push(await losePrimary(cluster, load, random))
    const [primary] = await cluster.settle()
    const account = await load.stop()
    const tasks = await compareTasks({ connectionString: primary.url }, [account])
    const worst = (time: (outage: Outage) => number) => largest(outages.map(time)) / 1000
    return [
      exactly('primaries lost under load', outages.length, kills),
      atMost(
        'kill to promotion, worst',
        worst(({ killedAt, promotedAt }) => promotedAt - killedAt),
        10,
        's',
      ),
      atMost(
        'first write after the promotion, worst',
        worst(({ promotedAt, writtenAt }) => writtenAt - promotedAt),
        5,
        's',
        'pg_auto_failover keeps the new primary read-only for its primary_demote_timeout of 3 s',
      ),
      atMost(
        'kill to first write, worst',
        worst(({ killedAt, writtenAt }) => writtenAt - killedAt),
        15,
        's',
      ),
      ...readFigures(account.exchanges, outages),
      atLeast('tasks acknowledged', tasks.acknowledged, kills * 10),
      atMost('acknowledged tasks lost', tasks.lost, 0),
      atMost('tasks duplicated', tasks.duplicated, 0),
      atMost('creations without acknowledgement', tasks.unacknowledged, 0),
      exactly('the first process still serves', service.hasEnded() ? 'no' : 'yes', 'yes'),
    ]
  },
}

async function losePrimary(cluster: FailoverCluster, load: Load, random: Random): Promise<Outage> {
  const [primary, standby] = await cluster.settle()
  await sleep(random.between(500, 2_000))
  const killedAt = performance.now()
  await primary.kill()
  const promotedAt = await waitUntil('the standby is promoted', standby.isPrimary, {
    timeoutMs: 60_000,
    everyMs: 50,
  })
  const written = () => load.account.exchanges.find((one) => one.status === 201 && endOf(one) > promotedAt)
  await waitUntil('a task is created', async () => written() !== undefined, { timeoutMs: 60_000 })
  primary.start()
  return { killedAt, promotedAt, writtenAt: endOf(written()) }
}

function readFigures(exchanges: readonly Exchange[], outages: readonly Outage[]): Figure[] {
  const isWithin = (one: Exchange) =>
    outages.some(({ killedAt, writtenAt }) => one.sentAt >= killedAt && endOf(one) <= writtenAt)
  const reads = exchanges.filter((one) => !one.path.endsWith('/create') && isWithin(one))
  const failed = reads.filter(({ status }) => status !== 200)
  return [
    atLeast('reads between the kill and the first write', reads.length, outages.length * 20),
    atMost('of these failed', failed.length, 0, '', statuses(failed)),
  ]
}

function statuses(exchanges: readonly Exchange[]): string {
  const counts = new Map<number, number>()
  for (const { status } of exchanges) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ')
}

const endOf = (exchange: Exchange | undefined) => (exchange?.sentAt ?? 0) + (exchange?.ms ?? 0)
