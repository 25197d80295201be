/** The typed values of a record that are kept when the session ends. */
import type { RecordAnswer } from '../../../src/console/records.ts'
import type { RecordPath } from '../../../src/core/record-kinds.ts'
import type { FormValues } from './values.ts'

export interface KeptRecord {
  /** The record as it was when editing began. Null for a new one. */
  base: RecordAnswer | null
  values: FormValues
}

/** Without an id, of a new record. */
export const keptName = (path: RecordPath, id = 'new') => `${path} ${id}`
