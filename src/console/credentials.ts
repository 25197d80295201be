/** Email and password against the users they may belong to, with the same work for every failure. */
import type { DbPool } from '../db/statement.ts'
import { STANDARD_WORK, comparisonWork, verifyPassword, wasteWork } from '../core/security/password.ts'
import { findMostWorkOfAnEmail, findUsersByEmail } from '../records/user/queries.ts'
import type { SignInUser } from '../records/user/queries.ts'

/** The users with this email and password, one per company; of the given company only, if there is one. */
export type CredentialCheck = (
  email: string,
  password: string,
  companyId: string | undefined,
) => Promise<SignInUser[]>

/** How long the work is remembered: it changes when a user is added. */
const REMEMBERED_MS = 10_000

/**
 * An email may belong to several companies, each with its own salt, so a check takes one comparison for each. A failure takes
 * the same work for every email: as much as the email that costs the most. Mostly that is one comparison. The work is real,
 * not a pause, so that it takes the same time under load, too.
 */
export function createCredentialCheck(db: DbPool): CredentialCheck {
  let most = { work: STANDARD_WORK, knownAt: -REMEMBERED_MS }
  const findMostWork = async (own: number): Promise<number> => {
    if (performance.now() - most.knownAt >= REMEMBERED_MS)
      most = { work: Math.max(STANDARD_WORK, await findMostWorkOfAnEmail(db)), knownAt: performance.now() }
    most.work = Math.max(most.work, own)
    return most.work
  }
  return async (email, password, companyId) => {
    const all = await findUsersByEmail(db, email)
    const users = companyId === undefined ? all : all.filter((user) => user.companyId === companyId)
    const right: SignInUser[] = []
    let work = 0
    // One after the other: side by side, two would take as long as one.
    for (const user of users) {
      if (await verifyPassword(password, user.passwordHash)) right.push(user)
      work += comparisonWork(user.passwordHash)
    }
    if (right.length === 0) {
      const own = all.reduce((sum, { passwordHash }) => sum + comparisonWork(passwordHash), 0)
      await wasteWork(password, (await findMostWork(own)) - work)
    }
    // Imported users may share an address within a company: they cannot be told apart, so the first is taken.
    return right.filter((user, i) => right.findIndex((other) => other.companyId === user.companyId) === i)
  }
}
