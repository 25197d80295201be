/** The audit log as CSV, for a spreadsheet. */
import { csvRow } from '../../../src/core/csv.ts'
import type { Activity } from '../../../src/core/change-log/activity.ts'
import { titleOf } from './titles.ts'
import { describeDetails, describeMembers, personOf, subjectNameOf } from './words.ts'

const HEADER = ['Time', 'Person', 'What', 'Record', 'Record ID', 'Details']

export function activityCsv(entries: readonly Activity[]): string {
  return [HEADER, ...entries.map(rowOf)].map(csvRow).join('')
}

function rowOf(entry: Activity): string[] {
  const members = describeMembers(entry).map(({ name, values }) =>
    values === null ? `${name} changed` : `${name}: ${values.before} -> ${values.after}`,
  )
  return [
    entry.at,
    personOf(entry),
    titleOf(entry),
    subjectNameOf(entry) ?? '',
    entry.subject.id,
    [...members, ...describeDetails(entry)].join('; '),
  ]
}
