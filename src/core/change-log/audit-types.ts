/** Entries of the audit log: writes whose subjects are not in the change feed. */
import { RECORD_AUDIT_TYPES } from '../record-kinds.ts'
import type { RecordAuditType } from '../record-kinds.ts'

const OTHER_TYPES = [
  'api_key.created',
  'api_key.revoked',
  'company.created',
  'user.created',
  'user.invited',
  'user.invitation_revoked',
  'user.joined',
  'user.role_changed',
  'user.password_changed',
  'user.reset_link_created',
  'user.password_reset',
  'user.disabled',
  'user.enabled',
  'user.signed_in',
  'user.signed_out_everywhere',
  'user.session_ended',
  'settings.allowed_ips_changed',
  'settings.company_changed',
  'form.created',
  'form.updated',
  'form.published',
  'form.unpublished',
  'form.archived',
  'form.restored',
  'lead.notes_changed',
  'quote.question_asked',
  'quote.declined',
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.disabled',
  'webhook_endpoint.deleted',
  'webhook_endpoint.secret_rotated',
  'webhook_endpoint.changes_replayed',
  'webhook_endpoint.delivery_retried',
] as const

export type OtherAuditType = (typeof OTHER_TYPES)[number]
export type AuditType = OtherAuditType | RecordAuditType

export const AUDIT_TYPES: readonly AuditType[] = [...OTHER_TYPES, ...RECORD_AUDIT_TYPES]
