/** Writers of leads and tasks, and followers of the change feed, on several processes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from './client.ts'
import type { Random } from './random.ts'
import { GOOD_KEY } from './service.ts'

const EVENT = 'event_0045_2'

/** A write that was acknowledged: the object, or null if it was deleted. */
export interface Acknowledged {
  id: string
  object: object | null
}

/**
 * Creates, changes and deletes its own leads and tasks. A request without an answer is sent again with the same key, to any
 * process, so every write happens once.
 */
export async function write(
  ports: readonly number[],
  name: string,
  random: Random,
  isWriting: () => boolean,
): Promise<Acknowledged[]> {
  const clients = ports.map((port) => createClient(port))
  const objects = new Map<string, Acknowledged>()
  const ids = { leads: [] as string[], tasks: [] as string[] }
  let writes = 0
  const send = async (path: string, body: object | null): Promise<Record<string, unknown>> => {
    const key = `${name}-${++writes}`
    for (;;) {
      const request = body === null ? { method: 'DELETE' } : { body: JSON.stringify(body) }
      const headers = { 'idempotency-key': key }
      const answer = await random.pick(clients).send({ path, key: GOOD_KEY, headers, ...request })
      if (answer.status === 200 || answer.status === 201)
        return JSON.parse(answer.text) as Record<string, unknown>
      if (answer.status !== 0 && answer.status < 500)
        throw new Error(`${path}: ${answer.status} ${answer.text}`)
      await sleep(random.between(5, 50))
    }
  }
  const create = async (kind: 'leads' | 'tasks', body: object) => {
    const object = await send(`/api/${kind}`, body)
    const id = String(object['id'])
    ids[kind].push(id)
    objects.set(id, { id, object })
  }
  const update = async (kind: 'leads' | 'tasks', body: object) => {
    if (ids[kind].length === 0) return
    const id = random.pick(ids[kind])
    objects.set(id, { id, object: await send(`/api/${kind}/${id}`, body) })
  }
  const remove = async () => {
    const id = ids.tasks.shift()
    if (id === undefined) return
    await send(`/api/tasks/${id}`, null)
    objects.set(id, { id, object: null })
  }
  const text = () => `${name} ${random.between(1, 1e9)}`
  const choices = [
    () => create('leads', { firstName: text() }),
    () => update('leads', { lastName: text(), phone: text() }),
    () => create('tasks', { eventId: EVENT, description: text() }),
    () => create('tasks', { eventId: EVENT, description: text() }),
    () => update('tasks', { completed: random.between(0, 1) === 1, description: text() }),
    remove,
  ]
  while (isWriting()) await random.pick(choices)()
  for (const client of clients) client.close()
  return [...objects.values()]
}

export interface Change {
  id: string
  sequence: number
  createdAt: string
  subject: { object: string; id: string }
  data: { object: Record<string, unknown> | null }
}

export interface Copy {
  objects: Map<string, Record<string, unknown>>
  gaps: number
  backwards: number
}

interface Follower {
  last: () => number
  stop: () => Promise<Copy>
}

/** Reads the feed, waiting for changes at whichever process answers. */
export function follow(ports: readonly number[], offset: number): Follower {
  const clients = ports.map((port) => createClient(port))
  const copy: Copy = { objects: new Map(), gaps: 0, backwards: 0 }
  let last = 0
  let lastAt = ''
  const stopping = new AbortController()
  const apply = ({ sequence, createdAt, subject, data }: Change) => {
    if (sequence !== last + 1) copy.gaps++
    if (createdAt < lastAt) copy.backwards++
    last = sequence
    lastAt = createdAt
    if (data.object === null) copy.objects.delete(subject.id)
    else copy.objects.set(subject.id, data.object)
  }
  const keepReading = async () => {
    for (let turn = offset; !stopping.signal.aborted; turn++) {
      const after = last === 0 ? '' : `&starting_after=chg_${last}`
      const client = clients[turn % clients.length]
      const answer = await client?.send({ path: `/api/changes?limit=100&wait=2${after}`, key: GOOD_KEY })
      if (answer?.status === 200)
        for (const change of (JSON.parse(answer.text) as { data: Change[] }).data) apply(change)
      else await sleep(20)
    }
  }
  const reading = keepReading()
  return {
    last: () => last,
    stop: async () => {
      stopping.abort()
      await reading
      for (const client of clients) client.close()
      return copy
    },
  }
}
