import type { Random } from './random.ts'
import { LOST_REASONS } from '../../core/enumerations.ts'
import type { RecordOf } from './records.ts'
import { ANCHOR, DAY, HOUR, iso, pastOnly } from './times.ts'

export type QuoteState = 'DRAFT' | 'SENT' | 'BOOKED' | 'LOST' | 'EXPIRED' | 'DELETED'

/**
 * The states of every ten quotes. Tables instead of random choices, so that no state is ever missing. Most older quotes
 * are decided; most recent ones are open.
 */
const OLDER: readonly (readonly QuoteState[])[] = [
  ['BOOKED', 'LOST', 'BOOKED', 'EXPIRED', 'BOOKED', 'BOOKED', 'DRAFT', 'LOST', 'BOOKED', 'LOST'],
  ['BOOKED', 'EXPIRED', 'BOOKED', 'LOST', 'BOOKED', 'LOST', 'BOOKED', 'DELETED', 'EXPIRED', 'BOOKED'],
]
const LATEST: readonly (readonly QuoteState[])[] = [
  ['SENT', 'DRAFT', 'BOOKED', 'SENT', 'SENT', 'DRAFT', 'SENT', 'BOOKED', 'DRAFT', 'SENT'],
  ['LOST', 'SENT', 'DRAFT', 'BOOKED', 'SENT', 'DRAFT', 'SENT', 'DELETED', 'BOOKED', 'SENT'],
]

export function stateOf(index: number, quotes: number): QuoteState {
  const table = index < quotes * 0.85 ? OLDER : LATEST
  return table[Math.floor(index / 10) % table.length]?.[index % 10] ?? 'DRAFT'
}

type Times = 'sentAt' | 'expiresAt' | 'bookedAt' | 'lostAt' | 'lostReason' | 'deletedAt' | 'updatedAt'

export type StateTimes = { [Field in Times]: RecordOf<'quote'>[Field] | undefined } & { updatedAt: string }

interface Instants {
  sent?: number
  expires?: number
  booked?: number
  lost?: number
  deleted?: number
}

/** The times of each state. Only an expiry can be in the future. */
function instantsOf(state: QuoteState, createdAt: number, random: Random): Instants {
  const sent = pastOnly(createdAt + random.int(2, 72) * HOUR)
  const next = pastOnly(sent + random.int(20, 280) * HOUR)
  if (state === 'DRAFT') return {}
  // Some have no expiry, so that some are always open.
  if (state === 'SENT')
    return random.chance(0.35) ? { sent } : { sent, expires: ANCHOR + random.int(10, 90) * DAY }
  if (state === 'EXPIRED') return { sent, expires: sent + random.int(10, 30) * DAY }
  if (state === 'LOST') return { sent, lost: next }
  if (state === 'DELETED') return random.chance(0.5) ? { deleted: next } : { sent, deleted: next }
  const booked = { sent, booked: next }
  return random.chance(0.5) ? booked : { ...booked, expires: sent + random.int(14, 40) * DAY }
}

function isoOr(instant: number | undefined): string | undefined {
  return instant === undefined ? undefined : iso(instant)
}

export function stateTimes(state: QuoteState, createdAt: number, index: number, random: Random): StateTimes {
  const { sent, expires, booked, lost, deleted } = instantsOf(state, createdAt, random)
  return {
    sentAt: isoOr(sent),
    expiresAt: isoOr(expires),
    bookedAt: isoOr(booked),
    lostAt: isoOr(lost),
    // The positions of LOST in the tables have every remainder, so every reason occurs.
    lostReason: lost === undefined ? undefined : LOST_REASONS[index % LOST_REASONS.length],
    deletedAt: isoOr(deleted),
    updatedAt: iso(deleted ?? lost ?? booked ?? sent ?? pastOnly(createdAt + random.int(0, 300) * 60_000)),
  }
}
