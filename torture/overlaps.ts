/**
 * Many clients concurrently assign the same few staff and resources, on two processes that are killed repeatedly. A third of
 * the requests have no idempotency key. An independent check of the rows finds no overlap, and every acknowledged assignment.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { withClient } from '../src/db/connect.ts'
import type { Connection } from '../src/db/connect.ts'
import { checkDerived } from '../src/world/derived.ts'
import { freePort } from '../test/support/command.ts'
import { importValid } from '../test/support/world.ts'
import { createClient } from './client.ts'
import { atLeast, atMost, exactly } from './item.ts'
import type { Figure, Item, Settings } from './item.ts'
import { POSTGRES_PROGRAMS, SLOW_COMMITS, startPostgres } from './postgres.ts'
import { waitUntil } from './programs.ts'
import { createRandom } from './random.ts'
import type { Random } from './random.ts'
import { chooseKey, sendWrite } from './send-write.ts'
import { startService } from './service.ts'

const COMPANY = 'co_overlaps'
const KEY = 'key-of-the-torture-of-overlaps'
const STAFF = Array.from({ length: 6 }, (_, i) => `staff_${i}`)
const RESOURCES = Array.from({ length: 4 }, (_, i) => `res_${i}`)
const CLIENTS = 12
const EVENTS_EACH = 8
const DAYS = 6

export const overlaps: Item = {
  name: 'overlaps',
  title: 'Overlaps of staff and resources',
  programs: POSTGRES_PROGRAMS,
  run: async ({ folder, seed, quick }: Settings) => {
    const postgres = await startPostgres(folder, SLOW_COMMITS)
    const place = { folder, settings: { DATABASE_URL: postgres.url } }
    const ports = [await freePort(), await freePort()]
    const services = new Map<number, Awaited<ReturnType<typeof startService>>>()
    for (const port of ports) services.set(port, await startService({ ...place, port }))
    await importValid(postgres.connection, world(createRandom(seed)))
    const total = quick ? 600 : 10_000
    const run = startClients(ports, seed, total)
    const random = createRandom(seed + 1)
    const kills = quick ? 4 : 30
    for (let kill = 1; kill <= kills; kill++) {
      const share = Math.floor((total * kill) / (kills + 1))
      await waitUntil('enough assignments are sent', async () => run.sent() >= share, { timeoutMs: 120_000 })
      await sleep(random.between(0, 50))
      const port = random.pick(ports)
      services.get(port)?.kill('SIGKILL')
      await services.get(port)?.ended
      services.set(port, await startService({ ...place, port }))
    }
    const accounts = await run.finished
    const figures = await judge(postgres.connection, accounts, total, kills)
    for (const service of services.values()) {
      service.kill('SIGTERM')
      await service.ended
    }
    return figures
  },
}

const eventId = (client: number, event: number) => `event_${client}_${event}`

function randomTimes(random: Random) {
  const start = Date.UTC(2030, 0, random.between(1, DAYS), random.between(6, 20), 15 * random.between(0, 3))
  return {
    serviceStartTime: new Date(start).toISOString(),
    serviceEndTime: new Date(start + 900_000 * random.between(1, 24)).toISOString(),
  }
}

function world(random: Random) {
  const own = { companyId: COMPANY }
  return [
    { object: 'company', id: COMPANY, name: 'Overlaps', plan: 'PREMIUM', currency: 'USD' },
    { object: 'apiKey', id: 'key_overlaps', ...own, name: 'Torture', key: KEY },
    ...STAFF.map((id) => ({
      object: 'staff',
      id,
      ...own,
      firstName: id,
      lastName: 'Lind',
      email: 'a@example.com',
    })),
    ...RESOURCES.map((id) => ({ object: 'resource', id, ...own, name: id, locationId: 'loc' })),
    ...Array.from({ length: CLIENTS * EVENTS_EACH }, (_, i) => ({
      object: 'event',
      id: eventId(i % CLIENTS, Math.floor(i / CLIENTS)),
      ...own,
      ...randomTimes(random),
    })),
  ]
}

/** The state of an event. Only its client changes it. */
interface Known {
  staffIds: string[]
  resourceIds: string[]
}

interface Account {
  /** The last acknowledged state of each event, then those of later requests without a response */
  events: Map<string, Known[]>
  saved: number
  rejected: number
  /** Requests without a key and without a response, so that it is unknown whether they were saved */
  unknown: number
  /** Requests that were repeated because the response was lost or the process was starting */
  retries: number
  unexpected: string[]
}

function startClients(ports: readonly number[], seed: number, total: number) {
  let left = total
  const take = () => left-- > 0
  const finished = Promise.all(
    Array.from({ length: CLIENTS }, (_, client) =>
      assign(ports, client, createRandom(seed + 100 + client), take),
    ),
  )
  return { finished, sent: () => total - Math.max(0, left) }
}

async function assign(
  ports: readonly number[],
  client: number,
  random: Random,
  take: () => boolean,
): Promise<Account> {
  const clients = ports.map((port) => createClient(port))
  const account: Account = {
    events: new Map(),
    saved: 0,
    rejected: 0,
    unknown: 0,
    retries: 0,
    unexpected: [],
  }
  const some = (ids: readonly string[]) => ids.filter(() => random.fraction() < 0.3)
  for (let i = 0; take(); i++) {
    const id = eventId(client, random.between(0, EVENTS_EACH - 1))
    const assigned = { staffIds: some(STAFF), resourceIds: some(RESOURCES) }
    const moved = random.fraction() < 0.3 ? randomTimes(random) : {}
    const call = { path: `/api/events/${id}`, key: KEY, body: JSON.stringify({ ...assigned, ...moved }) }
    let attempts = 0
    const pickClient = () => {
      attempts++
      return random.pick(clients)
    }
    const answer = await sendWrite(pickClient, call, chooseKey(random, `${client}-${i}`))
    account.retries += attempts - 1
    if (answer === null) {
      account.unknown++
      account.events.set(id, [...statesOf(account, id), assigned])
    } else if (answer.status === 200) {
      account.saved++
      account.events.set(id, [assigned])
    } else if (answer.status === 409 && answer.text.includes('"schedule_conflict"')) account.rejected++
    else account.unexpected.push(`${answer.status} ${answer.text.slice(0, 100)}`)
  }
  for (const { close } of clients) close()
  return account
}

/** Initially, an event has no staff and no resources. */
const statesOf = ({ events }: Account, id: string) => events.get(id) ?? [{ staffIds: [], resourceIds: [] }]

interface StoredEvent extends Known {
  id: string
  from: number
  to: number
}

async function readEvents(connection: Connection): Promise<StoredEvent[]> {
  const { rows } = await withClient(connection, (client) =>
    client.query<Omit<StoredEvent, 'from' | 'to'> & { from: string; to: string }>(
      `SELECT id, staff_ids AS "staffIds", resource_ids AS "resourceIds",
        extract(epoch FROM service_start_time)::text AS from, extract(epoch FROM service_end_time)::text AS to
      FROM events WHERE company_id = $1`,
      [COMPANY],
    ),
  )
  return rows.map((row) => ({ ...row, from: Number(row.from), to: Number(row.to) }))
}

const share = (a: readonly string[], b: readonly string[]) => a.some((id) => b.includes(id))

/** Pairs of concurrent events with the same staff or resources, by comparison of all pairs. */
function countOverlaps(events: readonly StoredEvent[]): number {
  return events.flatMap((a, i) =>
    events
      .slice(i + 1)
      .filter(
        (b) =>
          a.from < b.to &&
          b.from < a.to &&
          (share(a.staffIds, b.staffIds) || share(a.resourceIds, b.resourceIds)),
      ),
  ).length
}

const asText = ({ staffIds, resourceIds }: Known) =>
  [...staffIds.toSorted(), ...resourceIds.toSorted()].join(' ')

async function judge(
  connection: Connection,
  accounts: readonly Account[],
  total: number,
  kills: number,
): Promise<Figure[]> {
  const events = await readEvents(connection)
  const stored = new Map(events.map((event) => [event.id, event]))
  const sum = (name: 'saved' | 'rejected' | 'unknown' | 'retries') =>
    accounts.reduce((all, account) => all + account[name], 0)
  const lost = accounts
    .flatMap((account) => [...account.events])
    .filter(([id, states]) => {
      const event = stored.get(id)
      return event === undefined || !states.map(asText).includes(asText(event))
    })
  const unexpected = accounts.flatMap((account) => account.unexpected)
  const { rows } = await withClient(connection, (client) =>
    client.query<{ gaps: number }>(
      'SELECT (max(sequence) - count(*))::int AS gaps FROM changes WHERE company_id = $1',
      [COMPANY],
    ),
  )
  return [
    exactly(
      'assignments with a response, or without a key and response',
      sum('saved') + sum('rejected') + sum('unknown'),
      total,
    ),
    atLeast('of these without a response', sum('unknown'), 1),
    atLeast('requests without a response, repeated', sum('retries'), kills, `${kills} kills of a process`),
    atLeast('assignments saved', sum('saved'), total / 20),
    atLeast('assignments rejected as overlaps', sum('rejected'), total / 20),
    atMost('other responses', unexpected.length, 0, '', unexpected[0]),
    atMost('overlaps among the stored events', countOverlaps(events), 0),
    atMost('events that differ from the last acknowledged assignment', lost.length, 0),
    atMost('deviations of derived data', await checkDerived(connection, () => undefined), 0),
    atMost('gaps in the numbers of changes', rows[0]?.gaps ?? -1, 0),
  ]
}
