/** Messages in the outbox, and those that were sent. */
import { MAIL_KINDS, MAIL_STATUSES } from '../../core/mail/kinds.ts'
import { defineColumns } from '../../codec/column.ts'
import type { RowOf } from '../../codec/column.ts'
import { filledText, id, integer, ofCompany, oneOf, text, time } from '../../codec/column-types.ts'

export const MAIL_COLUMNS = defineColumns('mail', 'mails', {
  id: id('message'),
  companyId: ofCompany(),
  kind: oneOf(MAIL_KINDS),
  toAddress: filledText(),
  replyTo: text().nullable(),
  subject: filledText(),
  /** Null if the content is secret: then it is in mail_secrets until it is sent. */
  text: text().nullable(),
  html: text().nullable(),
  /** The record that shows the message, if any. */
  recordObject: oneOf(['quote', 'invitation', 'user']).nullable(),
  recordId: filledText().nullable(),
  status: oneOf(MAIL_STATUSES),
  /** Those that began. */
  attempts: integer(),
  /** Of a pending one. */
  nextAttemptAt: time().nullable(),
  /** Why it was not sent; of a pending one, why the last attempt failed. */
  lastError: text().nullable(),
  createdAt: time(),
  sentAt: time().nullable(),
})

export type MailRow = RowOf<typeof MAIL_COLUMNS.columns>
