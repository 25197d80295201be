/** The kinds of messages, and how far one got. */
export const MAIL_KINDS = [
  'quote_sent',
  'quote_reminder',
  'quote_accepted',
  'quote_declined',
  'quote_question',
  'form_received',
  'invitation',
  'password_reset',
  'test',
] as const
export type MailKind = (typeof MAIL_KINDS)[number]

export const MAIL_STATUSES = ['pending', 'sent', 'failed', 'canceled'] as const
export type MailStatus = (typeof MAIL_STATUSES)[number]
