/** Followers of the change feed, on several processes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from './client.ts'
import { GOOD_KEY } from './service.ts'

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

/** Reads the feed, waiting for changes at one process after the other. */
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
