/** What `quoting serve` prints for a database without a company. */
import type { DbPool } from '../db/statement.ts'
import { hashLinkToken, newLinkToken } from '../core/security/link-token.ts'
import { createSetupLink } from '../records/setup-link/queries.ts'
import { print } from '../cli/print.ts'

/** A new link at each start. It is on standard output only, never in the log. */
export async function announceSetup(db: DbPool, publicUrl: string): Promise<void> {
  const token = newLinkToken()
  if (!(await createSetupLink(db, hashLinkToken(token)))) return
  print(`Set up your company: ${publicUrl}/setup/${token}`)
  print('This link works once. Anyone who has it can create the first company and its administrator.')
}
