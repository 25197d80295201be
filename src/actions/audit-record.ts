/** The audit log of records that are not in the change log: who did what, with old and new values. */
import type { MemberChange } from '../core/change-log/activity.ts'
import { shortenChange } from '../core/change-log/shorten-change.ts'
import { packageLineDetails } from '../core/package-lines.ts'
import { decimalAmount } from '../core/pricing/currencies.ts'
import type { PackageChoice } from '../core/quotes/quote-choices.ts'
import type { RecordVerb } from '../core/record-kinds.ts'
import { findCurrency } from '../records/company/queries.ts'
import type { RecordKind, StoredRecord } from '../records/kind.ts'
import type { ActionTransaction } from './action.ts'

export function auditRecord(
  { audit }: ActionTransaction,
  { noun, recordType, nameOf }: RecordKind,
  verb: RecordVerb,
  record: StoredRecord,
  details: Record<string, unknown> = {},
): void {
  if (noun === null) return
  const subject = { object: recordType.name, id: record.id, name: nameOf(record) }
  audit({ type: `${noun}.${verb}`, subject, details })
}

/** The old and new values of these columns. Amounts without a currency are in that of the company. */
export async function describeChange(
  { db, companyId }: ActionTransaction,
  before: StoredRecord,
  after: StoredRecord,
  names: readonly string[],
): Promise<{ currency: string; members: MemberChange[] }> {
  const { currency: own } = after
  const currency = typeof own === 'string' ? own : await findCurrency(db, companyId)
  const members = names.map((name) =>
    shortenChange({
      name,
      before: auditedValue(before, name, currency),
      after: auditedValue(after, name, currency),
    }),
  )
  return { currency, members }
}

/** References are named, because the record that has the id can change or be missing later. */
function auditedValue(record: StoredRecord, name: string, currency: string): unknown {
  const value = record[name] ?? null
  if (name === 'locationId') return record['locationName'] ?? value
  if (name !== 'lines') return value
  const { lines, items } = record as unknown as PackageChoice
  const amount = (cents: number) => `${decimalAmount(cents, currency)} ${currency}`
  return packageLineDetails(lines, items, { amount, quantity: String }).join('; ')
}
