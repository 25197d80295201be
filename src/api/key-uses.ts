/** When each key was last used. Written at once, then at most once a minute. */
import type { KeyHolder } from '../records/api-key/queries.ts'
import type { KeyUse } from '../records/request-log/queries.ts'

export interface KeyUses {
  note: (holder: KeyHolder, now: number) => void
  /** Uses that are due, or all that are not written yet. */
  take: (now: number, all: boolean) => KeyUse[]
  noteWritten: (uses: readonly KeyUse[], now: number) => void
  /** The number of tracked keys. While it is not 0, a write may become due. */
  count: () => number
}

const WRITE_MS = 60_000
/** Enough for every key in use. Further keys are not tracked. */
const KEYS_MAX = 10_000

interface NotedUse extends KeyUse {
  /** The time in the database; 0 if unknown. */
  writtenAt: number
  /** The earliest time of the next write. */
  dueAt: number
}

/** Key ids are unique per company only. */
function keyOf({ companyId, keyId }: Pick<KeyUse, 'companyId' | 'keyId'>): string {
  return JSON.stringify([companyId, keyId])
}

export function createKeyUses(): KeyUses {
  const noted = new Map<string, NotedUse>()
  // All requests of half a second share one lookup result, so only the first one counts.
  const seen = new WeakSet<KeyHolder>()
  return {
    note: (holder, now) => {
      if (seen.has(holder)) return
      seen.add(holder)
      const { companyId, keyId } = holder
      const key = keyOf(holder)
      const use = noted.get(key)
      if (use !== undefined) use.at = now
      else if (noted.size < KEYS_MAX) noted.set(key, { companyId, keyId, at: now, writtenAt: 0, dueAt: 0 })
    },
    take: (now, all) => {
      const due: KeyUse[] = []
      for (const [key, { companyId, keyId, at, writtenAt, dueAt }] of noted) {
        if (at === writtenAt) {
          if (now >= dueAt) noted.delete(key)
        } else if (all || now >= dueAt) {
          due.push({ companyId, keyId, at })
        }
      }
      return due
    },
    noteWritten: (uses, now) => {
      for (const written of uses) {
        const use = noted.get(keyOf(written))
        if (use === undefined) continue
        use.writtenAt = written.at
        use.dueAt = now + WRITE_MS
      }
    },
    count: () => noted.size,
  }
}
