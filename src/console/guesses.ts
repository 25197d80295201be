/** Comparing passwords: slow on purpose, so a few at once, and slower still for who fails. */
import { createHash } from 'node:crypto'
import type { DbPool } from '../db/statement.ts'
import { foldEmail } from '../core/security/email.ts'
import { ApiError } from '../core/requests/errors.ts'
import { readNetwork } from '../core/security/network.ts'
import type { HangWatch } from '../db/hang-watch.ts'
import { countTry, forgetFailures } from '../records/sign-in-failure/queries.ts'
import type { TrySubject } from '../records/sign-in-failure/queries.ts'
import { createAdmission } from '../http/admission.ts'

export interface Guesses {
  /**
   * Counts a try at the account, then does the work, which compares passwords and says whether one was right. Throws 429
   * where there were too many failures, and 503 where too many wait.
   */
  run: <Result>(
    account: string,
    address: string | null,
    work: () => Promise<{ isRight: boolean; result: Result }>,
  ) => Promise<Result>
}

/** Guesses from one place at one account, at one account from anywhere, and from one place at any account. */
const FREE = { pair: 5, account: 50, address: 50 }

/** As many comparisons as there are at once (core/password.ts). */
const SLOTS = 2
/** That somebody has to wait is remembered so long: whoever asks on and on costs the database nothing. */
const REMEMBERED_MS = 5_000
const REMEMBERED_MAX = 10_000

export function createGuesses(db: DbPool, onDatabaseHang?: HangWatch['onHang']): Guesses {
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
  const place = placeOf(address)
  const name = foldEmail(account)
  return {
    pair: subject('pair', `${name}\0${place}`),
    account: subject('account', name),
    address: subject('address', place),
  }
}

function subject(kind: keyof typeof FREE, text: string): TrySubject {
  return { hash: createHash('sha256').update(`${kind}\0${text}`).digest('hex'), free: FREE[kind] }
}

/** The first 64 bits of an IPv6 address: a client that has one address of that network has all of them. */
function placeOf(address: string | null): string {
  const network = address === null ? null : readNetwork(address)
  if (network === null) return 'unknown'
  if (network.address.kind() === 'ipv4') return String(address)
  return Buffer.from(network.address.toByteArray().slice(0, 8)).toString('hex')
}

function tooMany(seconds: number): ApiError {
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  const wait = `${count} ${unit}${count === 1 ? '' : 's'}`
  return new ApiError('too_many_attempts', {
    message: `Too many failed attempts. Try again in ${wait}.`,
    headers: { 'retry-after': String(seconds) },
  })
}
