/** The bounded buffer of the request log: entries that wait, and entries being written. */
import { createLogAllowance } from '../core/requests/log-allowance.ts'
import type { KeyOwner } from '../records/api-key/queries.ts'
import type { LoggedRequest, UnclaimedRequest } from '../records/request-log/queries.ts'

export interface LogCounts {
  /** Written, or about to be. */
  kept: number
  /** Over the allowance of the second, or over the limit for keys that are not looked up yet. */
  notKept: number
  /** Dropped, because the database was unreachable for too long. */
  lost: number
}

/** The outcome of a batch. */
export type Outcome = 'written' | 'away' | 'refused'

export interface LogBuffer {
  /** Keeps an entry, or counts it as not kept. */
  offer: (owner: KeyOwner, status: number, now: number, describe: () => UnclaimedRequest) => void
  /** Takes the oldest entries. Call `settle` with the outcome. */
  send: (count: number) => LoggedRequest[]
  settle: (batch: readonly LoggedRequest[], outcome: Outcome) => void
  /** The number of entries that are not being written. */
  held: () => number
}

/** With an allowance of 200 per second, enough for a few seconds without a database. */
const HELD_MAX = 2_000

export function createLogBuffer(counts: LogCounts): LogBuffer {
  const allows = createLogAllowance()
  let held: LoggedRequest[] = []
  let inFlight = 0
  const lose = (count: number) => {
    counts.kept -= count
    counts.lost += count
  }
  /** People look for errors, so an error replaces the oldest successful entry. */
  const makeRoom = (isError: boolean): boolean => {
    if (held.length + inFlight < HELD_MAX) return true
    const success = isError ? held.findIndex(({ status }) => status < 400) : -1
    if (success === -1) return false
    held.splice(success, 1)
    lose(1)
    return true
  }
  return {
    offer: ({ companyId, keyId }, status, now, describe) => {
      const isError = status >= 400
      if (!allows(companyId, isError, now)) {
        counts.notKept++
      } else if (!makeRoom(isError)) {
        counts.lost++
      } else {
        counts.kept++
        held.push({ ...describe(), companyId, keyId })
      }
    },
    send: (count) => {
      const batch = held.splice(0, count)
      inFlight = batch.length
      return batch
    },
    settle: (batch, outcome) => {
      inFlight = 0
      if (outcome === 'away') held = [...batch, ...held]
      else if (outcome === 'refused') lose(batch.length)
    },
    held: () => held.length,
  }
}
