/** What `quoting serve --demo` prints. */
import type { DbPool } from '../db/statement.ts'
import { hashApiKey } from '../core/security/api-key.ts'
import { findKeyHolder } from '../records/api-key/queries.ts'
import { findUsersByEmail } from '../records/user/queries.ts'
import { print, printError } from '../cli/print.ts'
import { createCustomerUrls } from './customer-urls.ts'
import { findDemoQuoteUrl } from './demo-quote.ts'
import { DEMO_KEYS } from '../world/demo/demo-world.ts'
import { DEMO_FORM_SLUG } from '../world/demo/forms.ts'
import { DEMO_PASSWORD, DEMO_PASSWORD_HASH, DEMO_USERS } from '../world/demo/users.ts'

export function isLoopback(host: string): boolean {
  return /^(127\.|::1$|localhost$)/.test(host)
}

/** Absent if the database contains other data: the demo key does not work there. */
async function findDemoKey(keys: DbPool): Promise<string | undefined> {
  const [{ key }] = DEMO_KEYS
  // Unknown while the database is unreachable. It may be empty.
  const isThere = await findKeyHolder(keys, hashApiKey(key)).then(
    (holder) => holder !== null,
    () => true,
  )
  return isThere ? key : undefined
}

/** Prints how to try the demo, and returns its key. */
export async function announceDemo(parts: {
  data: DbPool
  keys: DbPool
  appSecrets: readonly [string, ...string[]]
  publicUrl: () => string
  linksNameCompany: boolean
  host: string
}): Promise<string | undefined> {
  const { data, keys, host } = parts
  const key = await findDemoKey(keys)
  if (key === undefined) {
    print('The database holds other data already, so there is no demo world and no demo key.')
    return undefined
  }
  const publicUrl = parts.publicUrl()
  const { urls } = createCustomerUrls(parts.appSecrets, parts.publicUrl, parts.linksNameCompany)
  // Unknown while the database is unreachable.
  const quoteUrl = await findDemoQuoteUrl(data, urls).catch(() => null)
  const [{ email }] = DEMO_USERS
  // A demo world of an earlier release has no users, and a password may have been changed.
  const maySignIn = await findUsersByEmail(keys, email).then(
    (users) => users.some(({ passwordHash }) => passwordHash === DEMO_PASSWORD_HASH),
    () => true,
  )
  print(`Demo key: ${key}`)
  print(`Try it:   curl -H 'x-api-key: ${key}' '${publicUrl}/api/quotes?limit=2'`)
  if (maySignIn) print(`Sign in:  ${publicUrl}/ as ${email}, password ${DEMO_PASSWORD}`)
  if (quoteUrl !== null) print(`Customer: accept a quote at ${quoteUrl}`)
  print(`Visitor:  ask for a quote at ${publicUrl}/f/${DEMO_FORM_SLUG}`)
  if (!isLoopback(host)) {
    printError(
      'warning: the demo keys and passwords are public, and HOST is not a loopback address: others may use them',
    )
  }
  return key
}
