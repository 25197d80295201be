/** Follows the change log: creates the deliveries of what was recorded since the last time. Several processes can do it at once. */
import { DatabaseError } from 'pg'
import { ApiError } from '../../core/requests/errors.ts'
import type { DbPool } from '../../db/statement.ts'
import { inTransaction } from '../../db/transaction.ts'
import { lockCompany } from '../../records/change/record.ts'
import { addNextDeliveries, findCompaniesBehind } from '../../records/webhook-delivery/create.ts'

const LOCK_NOT_AVAILABLE = '55P03'

export async function followChanges(pool: DbPool): Promise<void> {
  for (const companyId of await findCompaniesBehind(pool)) {
    try {
      while (await addNext(pool, companyId));
    } catch (error) {
      // An import or a move holds the company: the next search finds it again.
      const isBusy =
        error instanceof ApiError || (error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE)
      if (!isBusy) throw error
    }
  }
}

async function addNext(pool: DbPool, companyId: string): Promise<boolean> {
  return inTransaction(
    pool,
    async (db) => {
      await lockCompany(db, companyId)
      return addNextDeliveries(db, companyId)
    },
    'background',
  )
}
