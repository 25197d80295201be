/** Entries of the audit log: writes whose subjects are not in the change feed. */
export const AUDIT_TYPES = [
  'api_key.created',
  'api_key.revoked',
  'user.created',
  'user.password_changed',
  'user.disabled',
  'user.enabled',
  'user.signed_in',
  'user.signed_out_everywhere',
  'settings.allowed_ips_changed',
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.disabled',
  'webhook_endpoint.deleted',
  'webhook_endpoint.secret_rotated',
  'webhook_endpoint.changes_replayed',
  'discount.created',
  'service_charge.created',
  'tax_rate.created',
] as const

export type AuditType = (typeof AUDIT_TYPES)[number]
