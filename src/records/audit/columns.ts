/** Entries of the audit log. */
import { AUDIT_TYPES } from '../../core/change-log/audit-types.ts'
import { defineColumns } from '../../codec/column.ts'
import { id, json, ofCompany, oneOf, text, time } from '../../codec/column-types.ts'
import { ACTOR_AND_SUBJECT } from '../change/columns.ts'

export const AUDIT_COLUMNS = defineColumns('auditEntry', 'audit_entries', {
  id: id('audit entry'),
  companyId: ofCompany(),
  type: oneOf(AUDIT_TYPES),
  createdAt: time(),
  ...ACTOR_AND_SUBJECT,
  /** At that time: the subject may be renamed or gone. */
  subjectName: text().nullable(),
  /** Never a secret. */
  details: json(),
})
