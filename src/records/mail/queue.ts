/** Adds messages to the outbox, in the transaction of the action that they report on: if it is rolled back, nothing is sent. */
import type { RenderedMail } from '../../core/mail/content.ts'
import type { MailKind } from '../../core/mail/kinds.ts'
import type { MailSeal } from '../../core/security/mail-seal.ts'
import { newId } from '../../core/ids.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

/** What actions need to send mail. They get one only if SMTP is configured; without it, nothing is queued. */
export interface Outbox {
  seal: MailSeal['seal']
  publicUrl: () => string
  /** The address in MAIL_FROM. */
  from: string
}

/** The record that shows the message. */
export interface MailRecord {
  object: 'quote' | 'invitation' | 'user'
  id: string
}

export interface NewMail extends RenderedMail {
  kind: MailKind
  to: string
  replyTo: string | null
  record: MailRecord | null
  /** The content has a link that lets a person in. It is stored encrypted, and erased when it is sent or the link expires. */
  secret?: { seal: MailSeal['seal']; expiresAt: string }
}

const ADD = statement(sql`
  WITH added AS (
    INSERT INTO mails (company_id, id, kind, to_address, reply_to, subject, text, html, record_object, record_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    RETURNING company_id, id
  ), secrets AS (
    INSERT INTO mail_secrets (company_id, mail_id, sealed, expires_at)
    SELECT company_id, id, $11, $12 FROM added WHERE $11::text IS NOT NULL
  )
  SELECT 1 FROM added`)

/** Returns its id. Call `announce` of the action, so that a worker sends it at once. */
export async function queueMail(db: Db, companyId: string, mail: NewMail): Promise<string> {
  const id = newId('mail')
  const { kind, to, replyTo, subject, text, html, record, secret } = mail
  const open = secret === undefined ? [text, html] : [null, null]
  const sealed =
    secret === undefined
      ? [null, null]
      : [secret.seal({ companyId, mailId: id }, JSON.stringify({ text, html })), secret.expiresAt]
  const values = [companyId, id, kind, to, replyTo, subject, ...open, record?.object ?? null]
  await queryRows(db, ADD, [...values, record?.id ?? null, ...sealed])
  return id
}

const CANCEL = statement(sql`
  WITH canceled AS (
    UPDATE mails SET status = 'canceled', next_attempt_at = NULL
    WHERE company_id = $1 AND lower(to_address COLLATE "C") = lower($2 COLLATE "C") AND kind = $3 AND status = 'pending'
    RETURNING id
  )
  DELETE FROM mail_secrets s USING mails m
  WHERE s.company_id = $1 AND m.company_id = $1 AND m.id = s.mail_id
    AND lower(m.to_address COLLATE "C") = lower($2 COLLATE "C") AND m.kind = $3`)

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
