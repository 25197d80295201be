/** Webhooks to receivers that fail, hang, redirect, disconnect or are gone, while the sending processes are killed. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withClient } from '../src/db/connect.ts'
import type { Connection } from '../src/db/connect.ts'
import { findWebhookErrors } from '../src/records/webhook-delivery/check.ts'
import { createClient } from './client.ts'
import type { Answer } from './client.ts'
import { atLeast, atMost, exactly, largest } from './item.ts'
import type { Figure, Item, Settings } from './item.ts'
import { POSTGRES_PROGRAMS, startPostgres } from './postgres.ts'
import { waitUntil } from './programs.ts'
import { createRandom } from './random.ts'
import type { Random } from './random.ts'
import { GOOD_KEY, startService } from './service.ts'
import type { Service } from './service.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'
import type { Behavior, WebhookReceiver } from './webhook-receiver.ts'
import { startWriters } from './webhook-writers.ts'

export const webhooks: Item = {
  name: 'webhooks',
  title: 'Webhooks',
  programs: POSTGRES_PROGRAMS,
  run: async (settings) => {
    const folder = join(settings.folder, 'webhooks')
    mkdirSync(folder)
    const postgres = await startPostgres(folder)
    const place = { folder, settings: { DATABASE_URL: postgres.url, WEBHOOK_ALLOW_PRIVATE: 'true' } }
    const services = [await startService(place), await startService(place)]
    const world = { place, services, connection: postgres.connection, random: createRandom(settings.seed) }
    const figures = [...(await judgeDeadEndpoints(world, settings)), ...(await judgeKills(world, settings))]
    for (const service of world.services) service.kill('SIGTERM')
    const statuses = await Promise.all(world.services.map(({ ended }) => ended))
    return [...figures, exactly('exit status at the end, worst', largest(statuses.map(Number)), 0)]
  },
}

interface World {
  place: { folder: string; settings: Record<string, string> }
  services: Service[]
  connection: Connection
  random: Random
}

async function send({ services }: World, path: string, body: object): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const client = createClient(services[tries % services.length]?.port ?? 0, { keepAlive: false })
    const answer = await client.send({ path: `/api${path}`, key: GOOD_KEY, body: JSON.stringify(body) })
    client.close()
    if (answer.status >= 200 && answer.status < 300) return answer
    if (tries === 200) throw new Error(`${path}: ${answer.status} ${answer.failure ?? answer.text}`)
    await sleep(50)
  }
}

async function subscribe(world: World, receiver: WebhookReceiver): Promise<string> {
  const { text } = await send(world, '/webhook-endpoints', { url: receiver.url, types: ['lead.*'] })
  return (JSON.parse(text) as { id: string }).id
}

const p99 = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0

/** The delay of a working endpoint, alone and next to endpoints that never answer. */
async function judgeDeadEndpoints(world: World, { quick }: Settings): Promise<Figure[]> {
  const measure = async (name: string) => {
    const receiver = await startWebhookReceiver(() => 'accept')
    const id = await subscribe(world, receiver)
    const writers = startWriters(world, name, { writers: 2, pauseMs: 20 })
    await sleep(quick ? 8_000 : 40_000)
    await writers.stop()
    await waitUntil('all are delivered', async () => receiver.accepted.size >= writers.count())
    await disable(world, id)
    return { ms: p99(receiver.delays), count: receiver.accepted.size }
  }
  const alone = await measure('alone')
  const dead = await startWebhookReceiver(() => 'hang')
  const ids = []
  for (let i = 0; i < 5; i++) ids.push(await subscribe(world, dead))
  const beside = await measure('beside')
  for (const id of ids) await disable(world, id)
  const detail = `p99 ${(beside.ms / 1_000).toFixed(2)} s, alone ${(alone.ms / 1_000).toFixed(2)} s, ${beside.count} deliveries`
  const more = Math.max(0, beside.ms - alone.ms) / 1_000
  return [
    atLeast('requests to endpoints that never answer', dead.count(), 5),
    atMost('five dead endpoints delay another at p99 by', more, 1, 's', detail),
  ]
}

const disable = (world: World, id: string) => send(world, `/webhook-endpoints/${id}`, { status: 'disabled' })

/** Few requests hang, because each takes 15 seconds. */
function createBehavior(random: Random): () => Behavior {
  return () => {
    const dice = random.fraction()
    if (dice < 0.7) return 'accept'
    if (dice < 0.8) return 'fail'
    if (dice < 0.9) return 'redirect'
    return dice < 0.999 ? 'disconnect' : 'hang'
  }
}

const SLOW_MS = 50

async function judgeKills(world: World, { quick }: Settings): Promise<Figure[]> {
  const hostile = await startWebhookReceiver(createBehavior(world.random), SLOW_MS)
  const working = await startWebhookReceiver(() => 'accept', SLOW_MS)
  const gone = await startWebhookReceiver(() => 'gone')
  const goneId = await subscribe(world, gone)
  const ids = [await subscribe(world, hostile), await subscribe(world, working)]
  const first = await lastChange(world)
  const writers = startWriters(world, 'kills', { writers: 3, pauseMs: 60 })
  const timer = setInterval(() => void passTime(world).catch(() => undefined), 500)
  timer.unref()
  const kills = await killRepeatedly(world, ids.slice(1), [hostile, working], quick ? 2 : 8)
  await writers.stop()
  const history = await readHistory(world, first)
  const changes = [...history.values()].flat()
  const isDone = async () => (await countPending(world, ids)) === 0
  const stuck = await waitUntil('all deliveries are done', isDone, { timeoutMs: 300_000, everyMs: 200 }).then(
    () => 0,
    () => countPending(world, ids),
  )
  clearInterval(timer)
  const missing = (receiver: WebhookReceiver) => changes.filter((id) => !receiver.accepted.has(id)).length
  return [
    exactly('kills during deliveries', kills.count, quick ? 2 : 8),
    atLeast('changes', changes.length, quick ? 200 : 1_000),
    atMost('deliveries that are still pending', stuck, 0),
    atMost('deliveries that are never due', await countLost(world), 0),
    atMost('changes that never arrived', missing(working), 0),
    atMost('changes that never arrived at a receiver with 30 % failures', missing(hostile), 0),
    atMost(
      'sent before an earlier change of the subject was accepted',
      working.outOfOrder(history).length,
      0,
    ),
    atMost('sent too early to the receiver with failures', hostile.outOfOrder(history).length, 0),
    atLeast('requests interrupted by a kill', working.count() - changes.length, 1),
    atMost('requests interrupted by a kill, maximum', working.count() - changes.length, 8 * kills.count),
    atMost('concurrent requests to one endpoint', Math.max(hostile.mostOpen(), working.mostOpen()), 8),
    atMost(
      'from a kill to the next delivery of each endpoint, worst',
      largest(kills.recoveryMs) / 1_000,
      40,
      's',
    ),
    exactly('status of an endpoint after 410', await statusOf(world, goneId), 'disabled'),
    atMost('requests after the 410', gone.count() - 1, 1),
  ]
}

/** Kills a process that holds the lease of an endpoint, and starts another one. */
async function killRepeatedly(
  world: World,
  endpointIds: readonly string[],
  receivers: readonly WebhookReceiver[],
  count: number,
): Promise<{ count: number; recoveryMs: number[] }> {
  const recoveryMs: number[] = []
  for (let kills = 0; kills < count; kills++) {
    await sleep(world.random.between(1_000, 4_000))
    let place = -1
    const findHolder = async () => {
      place = await placeOfHolder(world, endpointIds)
      return place !== -1
    }
    await waitUntil('a lease is held', findHolder, { everyMs: 1 })
    const killed = world.services[place]
    killed?.kill('SIGKILL')
    const killedAt = performance.now()
    await killed?.ended
    world.services[place] = await startService(world.place)
    const isBack = async () => receivers.every(({ lastAt }) => lastAt() > killedAt + 1_000)
    await waitUntil('all endpoints get deliveries again', isBack, { timeoutMs: 60_000 })
    recoveryMs.push(performance.now() - killedAt)
  }
  return { count: recoveryMs.length, recoveryMs }
}

async function query<Row extends object>(
  { connection }: World,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return withClient(connection, async (client) => (await client.query<Row>(text, values)).rows)
}

/** Makes retries due immediately, so that the run does not take days. */
const passTime = (world: World) =>
  query(
    world,
    `UPDATE webhook_deliveries SET next_attempt_at = now()
     WHERE status = 'pending' AND next_attempt_at > now() AND next_attempt_at <> 'infinity'`,
  )

async function lastChange(world: World): Promise<number> {
  const [row] = await query<{ last: number }>(world, 'SELECT max(sequence)::integer AS last FROM changes')
  return row?.last ?? 0
}

/** The changes of each lead, in order. */
async function readHistory(world: World, after: number): Promise<Map<string, string[]>> {
  const rows = await query<{ id: string; subject: string }>(
    world,
    `SELECT 'chg_' || sequence AS id, subject_id AS subject FROM changes
     WHERE company_id = 'co_harborlight' AND sequence > $1 AND type LIKE 'lead.%' ORDER BY sequence`,
    [after],
  )
  const history = new Map<string, string[]>()
  for (const { id, subject } of rows) history.set(subject, [...(history.get(subject) ?? []), id])
  return history
}

/** Includes changes without deliveries yet. */
async function countPending(world: World, ids: readonly string[]): Promise<number> {
  const [row] = await query<{ count: number }>(
    world,
    `SELECT (count(*) + (SELECT sum(last_sequence - delivery_cursor) FROM change_counters WHERE has_webhooks))::integer AS count
     FROM webhook_deliveries WHERE status = 'pending' AND endpoint_id = ANY($1)`,
    [ids],
  )
  return row?.count ?? 0
}

/** The index of the service that sends to one of these endpoints, or -1. */
async function placeOfHolder(world: World, ids: readonly string[]): Promise<number> {
  const rows = await query<{ owner: string }>(
    world,
    `SELECT lease_owner AS owner FROM webhook_endpoints
     WHERE lease_owner IS NOT NULL AND lease_until > now() AND id = ANY($1)`,
    [ids],
  )
  return world.services.findIndex(({ pid }) => rows.some(({ owner }) => owner.split(' ')[1] === String(pid)))
}

/** Findings of `quoting doctor`. */
async function countLost({ connection }: World): Promise<number> {
  return (await withClient(connection, (client) => findWebhookErrors(client, 'co_harborlight'))).length
}

async function statusOf(world: World, id: string): Promise<string> {
  const [row] = await query<{ status: string }>(world, 'SELECT status FROM webhook_endpoints WHERE id = $1', [
    id,
  ])
  return row?.status ?? 'none'
}
