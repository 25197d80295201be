/** A bounded load of reads and task creations that records every response. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../src/db/connect.ts'
import { withClient } from '../src/db/connect.ts'
import { createClient, isOurs } from './client.ts'
import type { Answer, Call, Client } from './client.ts'
import { createRandom } from './random.ts'
import type { Random } from './random.ts'
import { GOOD_KEY } from './service.ts'

const TASK_PATH = '/api/task/create'
const EVENT = 'event_0246_1'
const READ_PATHS = [
  '/api/quotes?limit=5',
  '/api/quotes/quote_0246',
  '/api/quotes?limit=10&expand[]=data.lead,data.booking.events',
  '/api/resources',
]
/** Between a response and the next request of a client */
const PAUSE_MS = 2
/** Between a failed attempt and the next one with the same idempotency key */
const RETRY_MS = 30
/** Maximum duration of retries of pending creations after the load has ended */
const LAST_RETRIES_MS = 30_000

export interface Exchange extends Answer {
  path: string
  isOurs: boolean
}

export interface Account {
  exchanges: Exchange[]
  /** Every requested task by its description: the acknowledged id, or null. */
  tasks: Map<string, string | null>
  /** Replays that differ from the first response. */
  otherAnswers: number
}

export interface Load {
  account: Account
  /** Number of creations without a response yet */
  pendingCreations: () => number
  /** Sends no new requests, and resolves when all pending creations are acknowledged. */
  stop: () => Promise<Account>
}

interface LoadOptions {
  port: number
  /** Makes descriptions and idempotency keys unique among loads. */
  name: string
  seed: number
  readers: number
  creators: number
  keepAlive?: boolean
  pauseMs?: number
  /** The server stops permanently, so a client ends when its connection is refused. */
  endWhenRefused?: boolean
}

/** The state that the clients of a load share. */
interface State extends LoadOptions {
  account: Account
  random: Random
  stopped: boolean
  retriesUntil: number
  pendingCreations: number
}

export function startLoad(options: LoadOptions): Load {
  const state: State = {
    ...options,
    account: { exchanges: [], tasks: new Map(), otherAnswers: 0 },
    random: createRandom(options.seed),
    stopped: false,
    retriesUntil: Infinity,
    pendingCreations: 0,
  }
  const { port, readers, creators, keepAlive = true } = options
  const working = Array.from({ length: readers + creators }, async (_, i) => {
    const client = createClient(port, { keepAlive })
    await (i < readers ? keepReading(state, client) : keepCreating(state, client, i))
    client.close()
  })
  return {
    account: state.account,
    pendingCreations: () => state.pendingCreations,
    stop: async () => {
      state.stopped = true
      state.retriesUntil = performance.now() + LAST_RETRIES_MS
      await Promise.all(working)
      return state.account
    },
  }
}

async function keepReading(state: State, client: Client): Promise<void> {
  while (!state.stopped) {
    const answer = await exchange(state, client, { path: state.random.pick(READ_PATHS) })
    if (isOver(state, answer)) return
    await sleep(state.pauseMs ?? PAUSE_MS)
  }
}

async function keepCreating(state: State, client: Client, creator: number): Promise<void> {
  const { account, name, random } = state
  for (let i = 0; !state.stopped; i++) {
    const description = `${name} ${creator}.${i}`
    account.tasks.set(description, null)
    const answer = await createTask(state, client, description)
    if (answer === null) return
    if (answer.status === 201) account.tasks.set(description, taskIdOf(answer))
    // Repeats some acknowledged creations, like a client that lost the response.
    if (!state.stopped && answer.status === 201 && random.between(1, 10) === 1) {
      const again = await createTask(state, client, description)
      if (again?.status === 201 && again.text !== answer.text) account.otherAnswers++
    }
    await sleep(state.pauseMs ?? PAUSE_MS)
  }
}

/** Retries until it is acknowledged. Null if the server has stopped permanently. */
async function createTask(state: State, client: Client, description: string): Promise<Exchange | null> {
  const body = JSON.stringify({ eventId: EVENT, description })
  const headers = { 'idempotency-key': description.replaceAll(' ', '-') }
  for (;;) {
    state.pendingCreations++
    const answer = await exchange(state, client, { path: TASK_PATH, body, headers })
    state.pendingCreations--
    if (isOver(state, answer)) return null
    if (answer.status === 201 || performance.now() > state.retriesUntil) return answer
    await sleep(RETRY_MS)
  }
}

async function exchange({ account }: State, client: Client, call: Call): Promise<Exchange> {
  const answer = await client.send({ ...call, key: GOOD_KEY })
  const done = { ...answer, path: call.path, isOurs: isOurs(call.path, answer) }
  account.exchanges.push(done)
  return done
}

function isOver({ endWhenRefused }: State, { failure }: Answer): boolean {
  return endWhenRefused === true && failure === 'ECONNREFUSED'
}

function taskIdOf({ text }: Answer): string {
  return (JSON.parse(text) as { task: { id: string } }).task.id
}

export interface Comparison {
  acknowledged: number
  /** Acknowledged, but not in the database under the acknowledged id */
  lost: number
  /** Stored more than once. */
  duplicated: number
  /** Never acknowledged despite retries. */
  unacknowledged: number
}

/** Compares the stored tasks with the acknowledged ones. */
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
