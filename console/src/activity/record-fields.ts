/** Values of records in entries of the audit log, as the page of the record shows them. */
import type { Activity, MemberChange } from '../../../src/core/change-log/activity.ts'
import type { StoredRecord } from '../../../src/console/records.ts'
import { fieldText } from '../records/cells.ts'
import { viewOf } from '../records/kinds.ts'
import { recordPathOf } from './record-paths.ts'
import type { DescribedMember } from './words.ts'

/** Null for members that are not fields of a record. Changes of contacts have no currency, and no values that need one. */
export function describeField(
  { subject, members, currency }: Activity,
  { name }: MemberChange,
): DescribedMember | null {
  const path = recordPathOf(subject.object)
  const field = path === undefined ? undefined : viewOf(path).fields.find((one) => one.name === name)
  if (field === undefined || currency === null) return null
  // The entry has the lines in words.
  const shown = field.type === 'lines' ? ({ ...field, type: 'text' } as const) : field
  const textOf = (side: 'before' | 'after') => {
    const record = { currency, ...Object.fromEntries(members.map((one) => [one.name, one[side]])) }
    return fieldText(shown, record as unknown as StoredRecord, currency) || 'none'
  }
  const values = { before: textOf('before'), after: textOf('after') }
  return { name: field.label, values: values.before === values.after ? null : values }
}
