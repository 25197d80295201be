/** Records without a currency have amounts in that of the company. */
import { z } from 'zod'
import { ApiError } from '../core/requests/errors.ts'
import { findCurrency } from '../records/company/queries.ts'
import type { ActionTransaction } from './action.ts'

/** The currency in which the client read amounts without a currency. */
export const AmountCurrency = z.string().optional()

/** Minor units that were read in another currency would be stored as another amount. */
export async function checkCurrency(
  { db, companyId }: ActionTransaction,
  currency: string | undefined,
): Promise<void> {
  if (currency === undefined) return
  const stored = await findCurrency(db, companyId)
  if (currency === stored) return
  const message = `The currency of the company is now ${stored}. Check the amounts before you save again.`
  throw new ApiError('conflict', { message })
}
