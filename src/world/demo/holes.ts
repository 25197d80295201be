import type { Hole } from './plan.ts'
import type { WorldRecord } from './records.ts'

/**
 * All missing references of the demo world. Real data has some too: reads must handle them, and `quoting doctor` lists
 * them. Booked quotes have none, so every booking has the total of its quote. Owners always exist.
 */
export const DEMO_HOLES: readonly Hole[] = [
  {
    object: 'quote',
    id: 'quote_0257',
    field: 'leadId',
    missing: 'lead_erased_1',
    why: 'The person asked for erasure; the quote is kept.',
  },
  {
    object: 'booking',
    id: 'book_0103',
    field: 'leadId',
    missing: 'lead_erased_2',
    why: 'Erased after the event.',
  },
  {
    object: 'quote',
    id: 'quote_0267',
    field: 'discountId',
    missing: 'disc_deleted',
    why: 'Deleted instead of archived. The quote costs what it would cost without.',
  },
  {
    object: 'lineItem',
    id: 'line_0275_01',
    field: 'serviceId',
    missing: 'svc_deleted',
    why: 'Deleted instead of archived. The line does not count.',
  },
  {
    object: 'event',
    id: 'event_0103_1',
    field: 'staffIds',
    missing: 'staff_deleted',
    why: 'A helper for one evening, no longer on file.',
  },
  {
    object: 'formResponse',
    id: 'resp_0006_1',
    field: 'answers',
    missing: 'question_details_transport',
    why: 'The question has been taken off the form.',
  },
  {
    object: 'resource',
    id: 'res_0038',
    field: 'locationId',
    missing: 'loc_boston',
    why: 'That studio was closed.',
  },
]

function tear(record: WorldRecord, { field, missing }: Hole): WorldRecord {
  if (record.object === 'formResponse' && field === 'answers') {
    const { createdAt, updatedAt } = record
    const answer = {
      id: `${record.id.replace('resp_', 'answer_')}_99`,
      questionId: missing,
      response: 'By train.',
      createdAt,
      updatedAt,
    }
    return { ...record, answers: [...record.answers, answer] }
  }
  if (record.object === 'event' && field === 'staffIds') {
    return { ...record, staffIds: [...record.staffIds, missing] }
  }
  return { ...record, [field]: missing }
}

/** At most one per record. */
export function* withHoles(records: Iterable<WorldRecord>, holes: readonly Hole[]): Generator<WorldRecord> {
  const byRecord = new Map(holes.map((hole) => [`${hole.object}/${hole.id}`, hole]))
  for (const record of records) {
    const hole = byRecord.get(`${record.object}/${record.id}`)
    yield hole === undefined ? record : tear(record, hole)
  }
}
