/** What waits to be written into the request log, and what is on its way there: together never more than so many. */
import { createLogAllowance } from '../core/requests/log-allowance.ts'
import type { KeyOwner } from '../records/api-key/queries.ts'
import type { LoggedRequest, UnclaimedRequest } from '../records/request-log/queries.ts'

export interface LogCounts {
  /** Written, or about to be. */
  kept: number
  /** Beyond the allowance of the second, or the places of those whose key is yet to be looked up. */
  notKept: number
  /** Was to be kept, but the database was away for too long. */
  lost: number
}

/** What became of a batch. */
export type Outcome = 'written' | 'away' | 'refused'

export interface LogPlaces {
  /** Keeps one, or counts it where it is not to be kept. */
  offer: (owner: KeyOwner, status: number, now: number, describe: () => UnclaimedRequest) => void
  /** The oldest ones, to be settled when it is known what became of them. */
  send: (count: number) => LoggedRequest[]
  settle: (batch: readonly LoggedRequest[], outcome: Outcome) => void
  /** How many are not on their way. */
  held: () => number
}

/** With the allowance of 200 a second, some seconds of a database that does not answer. */
const HELD_MAX = 2_000

export function createLogPlaces(counts: LogCounts): LogPlaces {
  const allows = createLogAllowance()
  let held: LoggedRequest[] = []
  let onTheirWay = 0
  const lose = (count: number) => {
    counts.kept -= count
    counts.lost += count
  }
  /** Errors are what people look for: one takes the place of the oldest that is none. */
  const makePlace = (isError: boolean): boolean => {
    if (held.length + onTheirWay < HELD_MAX) return true
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
      } else if (!makePlace(isError)) {
        counts.lost++
      } else {
        counts.kept++
        held.push({ ...describe(), companyId, keyId })
      }
    },
    send: (count) => {
      const batch = held.splice(0, count)
      onTheirWay = batch.length
      return batch
    },
    settle: (batch, outcome) => {
      onTheirWay = 0
      if (outcome === 'away') held = [...batch, ...held]
      else if (outcome === 'refused') lose(batch.length)
    },
    held: () => held.length,
  }
}
