/** A bounded load of reads and task creations that keeps account of every answer. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../src/db/connect.ts'
import { withClient } from '../src/db/connect.ts'
import { DEMO_KEYS } from '../src/world/demo/demo-world.ts'
import { createClient, isOurs } from './client.ts'
import type { Answer, Client } from './client.ts'
import { createRandom } from './random.ts'

export const [{ key: GOOD_KEY }] = DEMO_KEYS

const TASK_PATH = '/api/task/create'
const EVENT = 'event_0246_1'
const READ_PATHS = [
  '/api/quotes?limit=5',
  '/api/quotes/quote_0246',
  '/api/quotes?limit=10&expand[]=data.lead,data.booking.events',
  '/api/resources',
]
/** Between a failed attempt and the next one with the same idempotency key. */
const RETRY_MS = 30
/** How long a creation that was begun is tried again after the load has ended. */
const LAST_RETRIES_MS = 30_000

export interface Exchange extends Answer {
  path: string
  isOurs: boolean
}

export interface Account {
  exchanges: Exchange[]
  /** Every task that was asked for, by its description: the id that was acknowledged, or null. */
  tasks: Map<string, string | null>
  /** Replays that named another task than the first answer did. */
  otherAnswers: number
}

export interface Load {
  account: Account
  /** Creations that wait for their answer now. */
  creationsUnderWay: () => number
  /** No new work; resolves when what was begun is acknowledged. */
  stop: () => Promise<Account>
}

interface LoadOptions {
  port: number
  /** Makes descriptions and idempotency keys unlike those of another load. */
  name: string
  seed: number
  readers: number
  creators: number
  keepAlive?: boolean
  /** Pause of each client between two requests. */
  pauseMs?: number
  /** The server goes away for good: a client that is refused has seen all it can. */
  endWhenRefused?: boolean
}

export function startLoad(options: LoadOptions): Load {
  const { port, name, seed, readers, creators, keepAlive = true, pauseMs = 2 } = options
  const account: Account = { exchanges: [], tasks: new Map(), otherAnswers: 0 }
  const random = createRandom(seed)
  let stopped = false
  let retriesUntil = Infinity
  let underWay = 0

  const exchange = async (
    client: Client,
    path: string,
    more: { body?: string; idempotencyKey?: string } = {},
  ) => {
    const headers = more.idempotencyKey === undefined ? {} : { 'idempotency-key': more.idempotencyKey }
    const answer = await client.send({
      path,
      key: GOOD_KEY,
      headers,
      ...(more.body === undefined ? {} : { body: more.body }),
    })
    const done = { ...answer, path, isOurs: isOurs(path, answer) }
    account.exchanges.push(done)
    return done
  }
  const isOver = ({ failure }: Answer) => options.endWhenRefused === true && failure === 'ECONNREFUSED'

  const read = async (client: Client): Promise<void> => {
    while (!stopped) {
      if (isOver(await exchange(client, random.pick(READ_PATHS)))) return
      await sleep(pauseMs)
    }
  }
  const create = async (client: Client, creator: number): Promise<void> => {
    for (let i = 0; !stopped; i++) {
      const description = `${name} ${creator}.${i}`
      const body = JSON.stringify({ eventId: EVENT, description })
      account.tasks.set(description, null)
      let acknowledged = false
      while (!acknowledged && performance.now() < retriesUntil) {
        underWay++
        const answer = await exchange(client, TASK_PATH, {
          body,
          idempotencyKey: description.replaceAll(' ', '-'),
        })
        underWay--
        if (isOver(answer)) return
        acknowledged = answer.status === 201
        if (acknowledged) account.tasks.set(description, taskIdOf(answer))
        else await sleep(RETRY_MS)
      }
      // Some are sent once more although they were acknowledged: a client may have lost the answer.
      if (!stopped && acknowledged && random.between(1, 10) === 1) {
        const again = await exchange(client, TASK_PATH, {
          body,
          idempotencyKey: description.replaceAll(' ', '-'),
        })
        if (again.status === 201 && taskIdOf(again) !== account.tasks.get(description)) account.otherAnswers++
      }
      await sleep(pauseMs)
    }
  }

  const working = Array.from({ length: readers + creators }, async (_, i) => {
    const client = createClient(port, { keepAlive })
    await (i < readers ? read(client) : create(client, i))
    client.close()
  })
  return {
    account,
    creationsUnderWay: () => underWay,
    stop: async () => {
      stopped = true
      retriesUntil = performance.now() + LAST_RETRIES_MS
      await Promise.all(working)
      return account
    },
  }
}

function taskIdOf({ text }: Answer): string {
  return (JSON.parse(text) as { task: { id: string } }).task.id
}

export interface Comparison {
  acknowledged: number
  /** Acknowledged, but not in the database under the acknowledged id. */
  lost: number
  /** There more than once. */
  duplicated: number
  /** Asked for, but never acknowledged, however often it was tried. */
  unacknowledged: number
}

/** What the database holds, against what the clients were told. */
export async function compareTasks(
  connection: Connection,
  accounts: readonly Account[],
): Promise<Comparison> {
  const { rows } = await withClient(connection, (client) =>
    client.query<{ id: string; description: string }>('SELECT id, description FROM tasks'),
  )
  const stored = new Map<string, string[]>()
  for (const { id, description } of rows) stored.set(description, [...(stored.get(description) ?? []), id])
  const tasks = accounts.flatMap((account) => [...account.tasks])
  return {
    acknowledged: tasks.filter(([, id]) => id !== null).length,
    lost: tasks.filter(([description, id]) => id !== null && stored.get(description)?.includes(id) !== true)
      .length,
    duplicated: tasks.filter(([description]) => (stored.get(description)?.length ?? 0) > 1).length,
    unacknowledged: tasks.filter(([, id]) => id === null).length,
  }
}
