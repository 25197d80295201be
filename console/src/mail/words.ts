/** Messages as people read about them. */
import type { MailKind, MailStatus } from '../../../src/core/mail/kinds.ts'
import type { Tone } from '../ui/status.tsx'

export const MAIL_KIND_WORDS: Record<MailKind, string> = {
  quote_sent: 'Quote',
  quote_reminder: 'Reminder',
  quote_accepted: 'Quote accepted',
  quote_declined: 'Quote declined',
  quote_question: 'Question',
  form_received: 'Form received',
  invitation: 'Invitation',
  password_reset: 'Password reset',
  test: 'Test',
}

export const MAIL_STATUS: Record<MailStatus, readonly [label: string, tone: Tone]> = {
  pending: ['Sending', 'blue'],
  sent: ['Sent', 'green'],
  failed: ['Not sent', 'red'],
  canceled: ['Canceled', 'gray'],
}
