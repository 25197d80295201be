/** Rejects a write that refers to records which do not exist in the company, or can no longer be used. */
import { ApiError } from '../core/requests/errors.ts'
import { findReferenceError, listReferences } from '../core/requests/references.ts'
import { loadReferences } from '../records/reference/queries.ts'
import type { ActionTransaction } from './action.ts'

interface Checked {
  /** The record before the write: references that it has may stay. */
  stored?: object
  /** Of the quote: amounts in another currency are rejected. */
  currency?: string
}

export async function checkReferences(
  transaction: ActionTransaction,
  input: object,
  checked: Checked = {},
): Promise<void> {
  const error = await findWrongReference(transaction, input, checked)
  if (error !== null) throw new ApiError('invalid_parameter', error)
}

/** The first reference that cannot be used, and why; null if all can. */
export async function findWrongReference(
  { db, companyId }: ActionTransaction,
  input: object,
  { stored = {}, currency }: Checked,
): Promise<ReturnType<typeof findReferenceError>> {
  const references = listReferences(input, stored)
  const records = await loadReferences(db, companyId, references)
  return findReferenceError(references, records, currency ?? null)
}
