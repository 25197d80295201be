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

/** A company that is locked or fails delays others by a quarter of a second at most, and is tried again the next time. */
export async function followChanges(following: Following): Promise<void> {
  const { pool, log, onProgress, isStopping = () => false } = following
  const busy: string[] = []
  const follow = async (companyId: string, isPatient: boolean) => {
    try {
      if (await createNext(pool, companyId, isPatient, isStopping)) onProgress?.()
      else busy.push(companyId)
    } catch (error) {
      if (!isBusy(error)) log.warn({ err: error, company: companyId }, 'webhooks of a company are delayed')
    }
  }
  try {
    for (const companyId of await findCompaniesBehind(pool)) if (!isStopping()) await follow(companyId, false)
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

/** False if the company is locked. */
async function createNext(
  pool: DbPool,
  companyId: string,
  isPatient: boolean,
  isStopping: () => boolean,
): Promise<boolean> {
  let hasMore: boolean | null
  do {
    hasMore = await inTransaction(
      pool,
      async (db) => {
        if (isPatient) await lockCompany(db, companyId)
        else if (!(await tryLockCompany(db, companyId))) return null
        return addNextDeliveries(db, companyId)
      },
      'background',
    )
  } while (hasMore === true && !isStopping())
  return hasMore !== null
}
