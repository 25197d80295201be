/** Deletes changes and audit entries that are older than the operator keeps them, old webhook deliveries, and expired links in mail. */
import type { Logger } from 'pino'
import type { DbPool } from '../db/statement.ts'
import { removeExpiredEntries } from '../records/audit/record.ts'
import { listCompanyIds } from '../records/company/queries.ts'
import { findCompaniesWithExpired, removeExpiredChanges } from '../records/change/expiry.ts'
import { removeExpiredSecrets } from '../records/mail/outbox.ts'
import { findCompaniesWithDeliveries, removeExpiredDeliveries } from '../records/webhook-delivery/expiry.ts'

const HOUR_MS = 3_600_000

export interface ExpiryOptions {
  pool: DbPool
  keptDays: number
  log: Pick<Logger, 'warn'>
}

/** One company after the other, a limited number of rows per statement. Several processes can do it at once. */
export async function expireChanges(
  { pool, keptDays }: ExpiryOptions,
  isStopping = () => false,
): Promise<void> {
  let companyIds: string[]
  do {
    companyIds = await findCompaniesWithExpired(pool, keptDays)
    for (const companyId of companyIds) {
      if (isStopping()) return
      await removeExpiredChanges(pool, companyId, keptDays)
    }
  } while (companyIds.length > 0)
  for (const companyId of await listCompanyIds(pool)) {
    if (isStopping()) return
    await removeExpiredEntries(pool, companyId, keptDays)
    await removeExpiredSecrets(pool, companyId)
  }
}

export async function expireDeliveries(
  { pool }: Pick<ExpiryOptions, 'pool'>,
  isStopping = () => false,
): Promise<void> {
  for (const companyId of await findCompaniesWithDeliveries(pool)) {
    let mayHaveMore = true
    while (mayHaveMore) {
      if (isStopping()) return
      mayHaveMore = await removeExpiredDeliveries(pool, companyId)
    }
  }
}

/** Now and every hour. Returns a function that stops it. */
export function startExpiry(options: ExpiryOptions): () => Promise<void> {
  let isStopping = false
  const run = async () => {
    try {
      await expireChanges(options, () => isStopping)
      await expireDeliveries(options, () => isStopping)
    } catch (error) {
      if (!isStopping)
        options.log.warn(
          { err: error },
          'old changes and deliveries cannot be deleted; trying again in an hour',
        )
    }
  }
  let running = run()
  const timer = setInterval(() => void (running = running.then(run)), HOUR_MS)
  timer.unref()
  return async () => {
    isStopping = true
    clearInterval(timer)
    await running
  }
}
