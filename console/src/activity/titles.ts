/** The title of each change and audit entry. */
import type { Activity } from '../../../src/core/change-log/activity.ts'
import type { OtherAuditType } from '../../../src/core/change-log/audit-types.ts'
import type { ChangeType } from '../../../src/core/change-log/change-types.ts'
import { RECORD_AUDIT_TYPES } from '../../../src/core/record-kinds.ts'
import type { AuditedNoun, RecordAuditType, RecordVerb } from '../../../src/core/record-kinds.ts'

const TITLES: Record<ChangeType | OtherAuditType, string> = {
  'lead.created': 'Contact created',
  'lead.updated': 'Contact edited',
  'lead.notes_changed': 'Notes of the contact changed',
  'quote.created': 'Quote created',
  'quote.updated': 'Quote edited',
  'quote.sent': 'Quote sent',
  'quote.viewed': 'Quote viewed by the customer',
  'quote.accepted': 'Quote accepted',
  'quote.booked': 'Quote booked',
  'quote.lost': 'Quote marked as lost',
  'quote.reopened': 'Quote reopened',
  'quote.deleted': 'Quote deleted',
  'booking.created': 'Booking created',
  'booking.updated': 'Booking edited',
  'booking.canceled': 'Booking canceled',
  'event.created': 'Event created',
  'event.updated': 'Event edited',
  'event.rescheduled': 'Event rescheduled',
  'event.staff_assigned': 'Staff assigned',
  'event.staff_unassigned': 'Staff unassigned',
  'event.resources_changed': 'Equipment changed',
  'event.canceled': 'Event canceled',
  'task.created': 'Task created',
  'task.updated': 'Task edited',
  'task.completed': 'Task completed',
  'task.deleted': 'Task deleted',
  'invoice.created': 'Invoice created',
  'invoice.updated': 'Invoice edited',
  'invoice.paid': 'Invoice paid',
  'invoice.voided': 'Invoice voided',
  'form_response.submitted': 'Form submitted',
  'data.imported': 'Data imported',
  'quote.question_asked': 'Question from the customer',
  'quote.declined': 'Customer declined with a message',
  'api_key.created': 'API key created',
  'api_key.revoked': 'API key revoked',
  'company.created': 'Company created',
  'user.created': 'User created',
  'user.invited': 'User invited',
  'user.invitation_revoked': 'Invitation revoked',
  'user.joined': 'Invitation accepted',
  'user.role_changed': 'Role changed',
  'user.password_changed': 'Password changed',
  'user.reset_link_created': 'Password reset link created',
  'user.password_reset': 'Password reset by link',
  'user.disabled': 'User disabled',
  'user.enabled': 'User enabled',
  'user.signed_in': 'Signed in',
  'user.signed_out_everywhere': 'Signed out everywhere',
  'user.session_ended': 'Session ended',
  'settings.allowed_ips_changed': 'Allowed IP addresses changed',
  'settings.company_changed': 'Company profile changed',
  'form.created': 'Form created',
  'form.updated': 'Form edited',
  'form.published': 'Form published',
  'form.unpublished': 'Form unpublished',
  'form.archived': 'Form archived',
  'form.restored': 'Form restored',
  'webhook_endpoint.created': 'Webhook endpoint created',
  'webhook_endpoint.updated': 'Webhook endpoint edited',
  'webhook_endpoint.disabled': 'Webhook endpoint disabled',
  'webhook_endpoint.deleted': 'Webhook endpoint deleted',
  'webhook_endpoint.secret_rotated': 'Webhook secret rotated',
  'webhook_endpoint.changes_replayed': 'Webhook changes sent again',
  'webhook_endpoint.delivery_retried': 'Webhook delivery sent again',
}

/** How an entry names a record. */
const RECORDS: Record<AuditedNoun, string> = {
  service: 'Service',
  addon: 'Add-on',
  package: 'Package',
  discount: 'Discount',
  service_charge: 'Service charge',
  tax_rate: 'Tax rate',
  payment_terms: 'Payment terms',
  contract: 'Contract',
  event_type: 'Event type',
  location: 'Location',
  resource: 'Equipment',
  staff: 'Staff member',
}

const VERBS: Record<RecordVerb, string> = {
  created: 'created',
  updated: 'edited',
  archived: 'archived',
  restored: 'restored',
  replaced: 'replaced by a new one',
}

const isRecordType = (type: string): type is RecordAuditType =>
  (RECORD_AUDIT_TYPES as readonly string[]).includes(type)

export function titleOf({ type }: Pick<Activity, 'type'>): string {
  if (!isRecordType(type)) return TITLES[type]
  const [noun, verb] = type.split('.') as [AuditedNoun, RecordVerb]
  return `${RECORDS[noun]} ${VERBS[verb]}`
}
