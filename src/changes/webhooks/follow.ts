/** Follows the change log: creates the deliveries of what was recorded since the last time. Several processes can do it at once. */
import { DatabaseError } from 'pg'
import type { Logger } from 'pino'
import { ApiError } from '../../core/requests/errors.ts'
import type { DbPool } from '../../db/statement.ts'
import { inTransaction } from '../../db/transaction.ts'
import { lockCompany, tryLockCompany } from '../../records/change/record.ts'
import { addNextDeliveries, findCompaniesBehind } from '../../records/webhook-delivery/create.ts'

interface Following {
  pool: DbPool
  log: Pick<Logger, 'warn'>
  /** Called when a company has new deliveries, and at the end, also after a failure. */
  onProgress?: () => void
  isStopping?: () => boolean
}

/**
 * In turns, so that a company with many changes does not delay others. One that is locked delays them by a quarter of a second at
 * most, and is tried again the next time, like one that fails.
 */
export async function followChanges(following: Following): Promise<void> {
  const { pool, log, onProgress, isStopping = () => false } = following
  const busy: string[] = []
  /** True if the company has more changes. */
  const follow = async (companyId: string, isPatient: boolean): Promise<boolean> => {
    try {
      const hasMore = await createNext(pool, companyId, isPatient)
      if (hasMore === null) busy.push(companyId)
      else onProgress?.()
      return hasMore ?? false
    } catch (error) {
      if (!isBusy(error)) log.warn({ err: error, company: companyId }, 'webhooks of a company are delayed')
      return false
    }
  }
  try {
    let behind = await findCompaniesBehind(pool)
    while (behind.length > 0) {
      const further: string[] = []
      for (const companyId of behind)
        if (!isStopping() && (await follow(companyId, false))) further.push(companyId)
      behind = further
    }
    // A company that writes all the time is locked at most moments.
    const chosen = busy[Math.floor(Math.random() * busy.length)]
    if (chosen !== undefined && !isStopping()) await follow(chosen, true)
  } finally {
    onProgress?.()
  }
}

const LOCK_NOT_AVAILABLE = '55P03'

/** An import holds the company, or it moves. */
const isBusy = (error: unknown) =>
  error instanceof ApiError || (error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE)

/** Whether there are more; null if the company is locked. */
async function createNext(pool: DbPool, companyId: string, isPatient: boolean): Promise<boolean | null> {
  return inTransaction(
    pool,
    async (db) => {
      if (isPatient) await lockCompany(db, companyId)
      else if (!(await tryLockCompany(db, companyId))) return null
      return addNextDeliveries(db, companyId)
    },
    'background',
  )
}
