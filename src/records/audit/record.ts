/** Appends to the audit log of a company, and deletes old entries. */
import type { AuditType } from '../../core/change-log/audit-types.ts'
import type { Actor } from '../../core/change-log/change-types.ts'
import { newId } from '../../core/ids.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { insertRow } from '../../codec/write.ts'
import { AUDIT_COLUMNS } from './columns.ts'

export interface NewAuditEntry {
  type: AuditType
  subject: { object: string; id: string; name: string | null }
  /** Never a secret. */
  details?: Record<string, unknown>
}

export async function recordAuditEntry(
  db: Db,
  companyId: string,
  actor: Actor,
  { type, subject, details = {} }: NewAuditEntry,
): Promise<void> {
  await insertRow(db, AUDIT_COLUMNS, companyId, {
    id: newId('audit'),
    type,
    actorType: actor.type,
    actorId: actor.id,
    actorName: actor.name,
    subjectObject: subject.object,
    subjectId: subject.id,
    subjectName: subject.name,
    details: JSON.stringify(details),
  })
}

const REMOVE_EXPIRED = statement(sql`
  DELETE FROM audit_entries WHERE company_id = $1 AND created_at < now() - make_interval(days => $2)`)

export async function removeExpiredEntries(db: Db, companyId: string, keptDays: number): Promise<void> {
  await queryRows(db, REMOVE_EXPIRED, [companyId, keptDays])
}
