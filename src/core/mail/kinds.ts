/** The kinds of messages, and how far one got. */
export type MailKind =
  | 'quote_sent'
  | 'quote_reminder'
  | 'quote_accepted'
  | 'quote_declined'
  | 'quote_question'
  | 'form_received'
  | 'invitation'
  | 'password_reset'
  | 'test'

export type MailStatus = 'pending' | 'sent' | 'failed' | 'canceled'
