/**
 * Follows the writable one of several servers. A failover manager promotes a standby when the primary is lost; every server is
 * asked twice a second which one it is now.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { inTime } from './in-time.ts'

export interface Primary {
  /** The URL of the last server that accepted writes. The first one before any has answered. */
  url: () => string
  /** Waits a moment for a server that accepts writes. */
  find: () => Promise<string>
  /** Whether no server accepts writes right now. */
  isLost: () => boolean
  /** Registers a listener that is called when another server has become the primary. Returns how to remove it. */
  onMove: (listener: () => void) => () => void
  stop: () => Promise<void>
}

const ASK_MS = 500
const ANSWER_MAX_MS = 1_000
const FIND_MAX_MS = 3_000

interface Server {
  url: string
  /** Null if it is a standby or does not answer. */
  timeline: number | null
  /** Whether it was asked, with or without an answer. */
  isKnown: boolean
}

export function followPrimary(urls: readonly [string, ...string[]]): Primary {
  const servers: Server[] = urls.map((url) => ({ url, timeline: null, isKnown: false }))
  const listeners = new Set<() => void>()
  const stopping = new AbortController()
  let [current] = servers as [Server, ...Server[]]
  let newestTimeline = 0

  const note = (server: Server, timeline: number | null) => {
    server.isKnown = true
    // A former primary that comes back without knowing of its successor is on an older timeline.
    server.timeline = timeline === null || timeline < newestTimeline ? null : timeline
    newestTimeline = Math.max(newestTimeline, timeline ?? 0)
    if (server === current || server.timeline === null || server.timeline <= (current.timeline ?? 0)) return
    current = server
    for (const listener of listeners) listener()
  }
  const watching = servers.map((server) => watch(server.url, stopping.signal, (found) => note(server, found)))

  return {
    url: () => current.url,
    isLost: () => current.timeline === null,
    find: async () => {
      const until = performance.now() + FIND_MAX_MS
      // All of them: the first to answer may be a former primary.
      const isOpen = () => current.timeline === null || servers.some(({ isKnown }) => !isKnown)
      while (isOpen() && performance.now() < until) await sleep(20)
      if (current.timeline === null)
        throw Object.assign(new Error('none of the servers in DATABASE_URL accepts writes'), {
          code: 'ENOPRIMARY',
        })
      return current.url
    },
    onMove: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    stop: async () => {
      stopping.abort()
      await Promise.all(watching)
    },
  }
}

/** The timeline on which a primary writes. Each promotion begins the next one. Null on a standby. */
const ASK = `SELECT CASE WHEN NOT pg_is_in_recovery()
  THEN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint::text END AS timeline`

async function watch(
  url: string,
  signal: AbortSignal,
  onAnswer: (timeline: number | null) => void,
): Promise<void> {
  let client: Client | null = null
  const end = () => {
    client?.connection.stream.destroy()
    client = null
  }
  const ask = async (): Promise<number | null> => {
    if (client === null) {
      client = new Client({ connectionString: url, connectionTimeoutMillis: ANSWER_MAX_MS })
      client.on('error', () => undefined)
      await client.connect()
    }
    const { rows } = await client.query<{ timeline: string | null }>(ASK)
    return rows[0]?.timeline == null ? null : Number(rows[0].timeline)
  }
  while (!signal.aborted) {
    const answer = await inTime(ask(), ANSWER_MAX_MS).catch(() => undefined)
    if (answer === undefined) end()
    onAnswer(answer ?? null)
    await sleep(ASK_MS, undefined, { ref: false, signal }).catch(() => undefined)
  }
  end()
}
