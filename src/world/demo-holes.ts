import type { Hole } from './demo-plan.ts'
import type { WorldRecord } from './demo-records.ts'

/**
 * The demo world's references that lead nowhere, all of them. Real data has such holes, so the demo has a few: reads
 * have to cope with them, and `quoting doctor` has something to find. No booked quote is among them, so every booking
 * still costs what its quote costs. What owns a record is always there.
 */
export const DEMO_HOLES: readonly Hole[] = []

function tear(record: WorldRecord, { field, missing }: Hole): WorldRecord {
  if (record.object === 'formResponse' && field === 'answers') {
    const { createdAt, updatedAt } = record
    const answer = { id: 'answer_99', questionId: missing, response: 'By train.', createdAt, updatedAt }
    return { ...record, answers: [...record.answers, answer] }
  }
  if (record.object === 'event' && field === 'staffIds') {
    return { ...record, staffIds: [...record.staffIds, missing] }
  }
  return { ...record, [field]: missing }
}

/** One hole a record at most. */
export function* withHoles(records: Iterable<WorldRecord>, holes: readonly Hole[]): Generator<WorldRecord> {
  const byRecord = new Map(holes.map((hole) => [`${hole.object}/${hole.id}`, hole]))
  for (const record of records) {
    const hole = byRecord.get(`${record.object}/${record.id}`)
    yield hole === undefined ? record : tear(record, hole)
  }
}
