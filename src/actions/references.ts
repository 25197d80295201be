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
  { db, companyId }: ActionTransaction,
  input: object,
  { stored = {}, currency }: Checked = {},
): Promise<void> {
  const references = listReferences(input, stored)
  const records = await loadReferences(db, companyId, references)
  const error = findReferenceError(references, records, currency ?? null)
  if (error !== null) throw new ApiError('invalid_parameter', error)
}
