/** Adds messages to the outbox, in the transaction of the action that they report on: if it is rolled back, nothing is sent. */
import type { RenderedMail } from '../../core/mail/content.ts'
import type { MailKind } from '../../core/mail/kinds.ts'
import type { MailSeal } from '../../core/security/mail-seal.ts'
import { newId } from '../../core/ids.ts'
import { foldedEmail, sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { insertRow } from '../../codec/write.ts'
import { MAIL_COLUMNS } from './columns.ts'
import type { MailRow } from './columns.ts'

/** What actions need to send mail. They get one only if SMTP is configured; without it, nothing is queued. */
export interface Outbox {
  seal: MailSeal['seal']
  publicUrl: () => string
  /** The address in MAIL_FROM. */
  from: string
}

/** The record that shows the message. */
export interface MailRecord {
  object: NonNullable<MailRow['recordObject']>
  id: string
}

export interface NewMail extends RenderedMail, Pick<MailRow, 'kind' | 'replyTo'> {
  to: string
  record: MailRecord | null
  /** The content has a link that lets a person in. It is stored encrypted, and erased when it is sent or the link expires. */
  secret?: { seal: MailSeal['seal']; expiresAt: string }
}

const ADD_SECRET = statement(sql`
  INSERT INTO mail_secrets (company_id, mail_id, sealed, expires_at) VALUES ($1, $2, $3, $4)`)

/** Returns its id. Call `announce` of the action, so that a worker sends it at once. */
export async function queueMail(db: Db, companyId: string, mail: NewMail): Promise<string> {
  const { to, text, html, record, secret, ...others } = mail
  const row = {
    ...others,
    id: newId('mail'),
    toAddress: to,
    recordObject: record?.object,
    recordId: record?.id,
  }
  await insertRow(db, MAIL_COLUMNS, companyId, secret === undefined ? { ...row, text, html } : row)
  if (secret !== undefined) {
    const sealed = secret.seal({ companyId, mailId: row.id }, JSON.stringify({ text, html }))
    await queryRows(db, ADD_SECRET, [companyId, row.id, sealed, secret.expiresAt])
  }
  return row.id
}

const CANCEL = statement(sql`
  WITH canceled AS (
    UPDATE mails SET status = 'canceled', next_attempt_at = NULL
    WHERE company_id = $1 AND ${foldedEmail(sql`to_address`)} = ${foldedEmail(sql`$2`)} AND kind = $3 AND status = 'pending'
    RETURNING id
  )
  DELETE FROM mail_secrets s USING mails m
  WHERE s.company_id = $1 AND m.company_id = $1 AND m.id = s.mail_id
    AND ${foldedEmail(sql`m.to_address`)} = ${foldedEmail(sql`$2`)} AND m.kind = $3`)

/** Messages of this kind to the address are no longer sent, because their link has ended. */
export async function cancelMailsTo(db: Db, companyId: string, to: string, kind: MailKind): Promise<void> {
  await queryRows(db, CANCEL, [companyId, to, kind])
}

const CANCEL_OF_QUOTE = statement(sql`
  UPDATE mails SET status = 'canceled', next_attempt_at = NULL
  WHERE company_id = $1 AND record_object = 'quote' AND record_id = $2 AND kind IN ('quote_sent', 'quote_reminder')
    AND status IN ('pending', 'failed')`)

/** Messages to the customer of a quote are no longer sent, because it was sent again, or is lost or booked. */
export async function cancelMailsOfQuote(db: Db, companyId: string, quoteId: string): Promise<void> {
  await queryRows(db, CANCEL_OF_QUOTE, [companyId, quoteId])
}
