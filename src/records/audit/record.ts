/** Appends to the audit log of a company, and deletes old entries. */
import type { AuditType } from '../../core/change-log/audit-types.ts'
import type { Actor } from '../../core/change-log/change-types.ts'
import { newId } from '../../core/ids.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

export interface NewAuditEntry {
  type: AuditType
  subject: { object: string; id: string; name: string | null }
  /** Never a secret. */
  details?: Record<string, unknown>
}

const ADD = statement(sql`
  INSERT INTO audit_entries (company_id, id, type, actor_type, actor_id, actor_name, subject_object, subject_id,
    subject_name, details)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`)

export async function recordAuditEntry(
  db: Db,
  companyId: string,
  actor: Actor,
  { type, subject, details = {} }: NewAuditEntry,
): Promise<void> {
  await queryRows(db, ADD, [
    companyId,
    newId('audit'),
    type,
    actor.type,
    actor.id,
    actor.name,
    subject.object,
    subject.id,
    subject.name,
    JSON.stringify(details),
  ])
}

const REMOVE_EXPIRED = statement(sql`
  DELETE FROM audit_entries WHERE company_id = $1 AND created_at < now() - make_interval(days => $2)`)

export async function removeExpiredEntries(db: Db, companyId: string, keptDays: number): Promise<void> {
  await queryRows(db, REMOVE_EXPIRED, [companyId, keptDays])
}
