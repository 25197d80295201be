/** Rejects a write that refers to records which do not exist in the company, or can no longer be used. */
import { ApiError } from '../core/requests/errors.ts'
import { findReferenceError, listReferences } from '../core/requests/references.ts'
import type { WrongReference } from '../core/requests/references.ts'
import { RECORD_KINDS } from '../records/kinds.ts'
import { loadReferences } from '../records/reference/queries.ts'
import type { ActionTransaction } from './action.ts'

interface Checked {
  /** The record before the write: references that it has may stay. */
  stored?: object
  /** Of the quote: amounts in another currency are rejected. */
  currency?: string
  /** Where the request has the input: `values.` */
  path?: string
}

export async function checkReferences(
  transaction: ActionTransaction,
  input: object,
  checked: Checked = {},
): Promise<void> {
  const error = await findWrongReference(transaction, input, checked)
  if (error === null) return
  const { param, message } = error
  if (transaction.caller === 'apiKey') throw new ApiError('invalid_parameter', { param, message })
  const words = describeWrongReference(error)
  const field = param.replaceAll(/\[(\d+)\]/g, '.$1')
  throw new ApiError('invalid_body', { message: words, details: { [field]: { _errors: [words] } } })
}

/** In the words of the pages. */
export function describeWrongReference({ kind, problem }: WrongReference): string {
  const label = RECORD_KINDS.find(({ recordType }) => recordType.name === kind)?.label ?? 'record'
  return `This ${label} ${problem}. Choose another one.`
}

/** The first reference that cannot be used, and why; null if all can. */
export async function findWrongReference(
  { db, companyId }: ActionTransaction,
  input: object,
  { stored = {}, currency, path }: Checked,
): Promise<WrongReference | null> {
  const references = listReferences(input, stored, path)
  const records = await loadReferences(db, companyId, references)
  return findReferenceError(references, records, currency ?? null)
}
