/** Limits password comparisons: few at once, since they are slow on purpose, and with growing delays after failures. */
import { createHash } from 'node:crypto'
import type { DbPool } from '../db/statement.ts'
import { foldEmail } from '../core/security/email.ts'
import { ApiError } from '../core/requests/errors.ts'
import { networkKey } from '../core/security/network.ts'
import type { HangWatch } from '../db/hang-watch.ts'
import { countTry, forgetFailures } from '../records/sign-in-failure/queries.ts'
import type { TrySubject } from '../records/sign-in-failure/queries.ts'
import { createAdmission } from '../http/admission.ts'

export interface SignInThrottle {
  /** Counts a request for a new password. Throws 429 after too many for the address or from the network. */
  countReset: (account: string, address: string | null) => Promise<void>
  /**
   * Counts an attempt at the account, then does the work, which compares passwords and returns whether one was right. Throws 429
   * after too many failures, and 503 if too many requests wait.
   */
  run: <Result>(
    account: string,
    address: string | null,
    work: () => Promise<{ isRight: boolean; result: Result }>,
  ) => Promise<Result>
}

/** Failures without a delay: from one network at one account, at one account, and from one network. */
const FREE = { pair: 5, account: 50, address: 50 }
/** Requests for a new password without a delay: for one account, and from one network. */
const FREE_RESETS = { 'reset account': 3, 'reset address': 20 }

/** The number of concurrent comparisons (core/security/password.ts). */
const SLOTS = 2
/** A delay is cached, so that repeated attempts do not reach the database. */
const REMEMBERED_MS = 5_000
const REMEMBERED_MAX = 10_000

export function createSignInThrottle(db: DbPool, onDatabaseHang?: HangWatch['onHang']): SignInThrottle {
  const admission = createAdmission(SLOTS, { onDatabaseHang })
  const waits = new Map<string, { until: number; knownAt: number }>()
  const refuseKnown = ({ hash }: TrySubject) => {
    const wait = waits.get(hash)
    if (wait === undefined) return
    const now = Date.now()
    if (now < wait.until && now - wait.knownAt < REMEMBERED_MS)
      throw tooMany(Math.ceil((wait.until - now) / 1_000))
    waits.delete(hash)
  }
  const refuse = ({ hash }: TrySubject, seconds: number): never => {
    if (waits.size >= REMEMBERED_MAX) waits.clear()
    const now = Date.now()
    waits.set(hash, { until: now + seconds * 1_000, knownAt: now })
    throw tooMany(seconds)
  }
  return {
    countReset: async (account, address) => {
      const seconds = await countTry(db, [
        resetSubject('reset account', foldEmail(account)),
        resetSubject('reset address', networkKey(address)),
      ])
      if (seconds > 0) throw tooMany(seconds, 'attempts')
    },
    run: (account, address, work) => {
      const { pair, ...others } = subjectsOf(account, address)
      const subjects = [pair, others.account, others.address]
      refuseKnown(pair)
      return admission.run(async () => {
        refuseKnown(pair)
        const seconds = await countTry(db, subjects)
        if (seconds > 0) refuse(pair, seconds)
        const { isRight, result } = await work()
        if (isRight) await forgetFailures(db, [pair, others.account], others.address)
        return result
      })
    },
  }
}

function subjectsOf(account: string, address: string | null) {
  const network = networkKey(address)
  const name = foldEmail(account)
  return {
    pair: subject('pair', `${name}\0${network}`),
    account: subject('account', name),
    address: subject('address', network),
  }
}

function subject(kind: keyof typeof FREE, text: string): TrySubject {
  return { hash: hashOf(kind, text), free: FREE[kind] }
}

function resetSubject(kind: keyof typeof FREE_RESETS, text: string): TrySubject {
  return { hash: hashOf(kind, text), free: FREE_RESETS[kind] }
}

function hashOf(kind: string, text: string): string {
  return createHash('sha256').update(`${kind}\0${text}`).digest('hex')
}

function tooMany(seconds: number, what = 'failed attempts'): ApiError {
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  const wait = `${count} ${unit}${count === 1 ? '' : 's'}`
  return new ApiError('too_many_attempts', {
    message: `Too many ${what}. Try again in ${wait}.`,
    headers: { 'retry-after': String(seconds) },
  })
}
