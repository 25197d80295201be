/** The audit log as CSV, for a spreadsheet. */
import type { Activity } from '../../../src/core/change-log/activity.ts'
import { describeDetails, describeMembers, personOf, subjectNameOf, titleOf } from './words.ts'

const HEADER = ['Time', 'Person', 'What', 'Record', 'Record ID', 'Details']

export function activityCsv(entries: readonly Activity[]): string {
  return [HEADER, ...entries.map(rowOf)].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')
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

/** A spreadsheet would run a text that begins like a formula. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}
