/**
 * The outbox as workers use it. A claim counts the attempt and moves the next one past the time that sending takes, so that a
 * message whose process was killed is sent by another. A result is written only for the attempt that it belongs to.
 */
import { literal, NOW_ROUNDED, sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { boolean, filledText } from '../../codec/column-types.ts'
import { defineFields, ofTable, pick } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { COMPANY_COLUMNS } from '../company/columns.ts'
import { MAIL_COLUMNS } from './columns.ts'

const CLAIMED = defineFields({
  ...ofTable(
    'm',
    pick(MAIL_COLUMNS, 'companyId', 'id', 'kind', 'replyTo', 'subject', 'text', 'html', 'attempts'),
  ),
  to: MAIL_COLUMNS.columns.toAddress.sql(sql`m.to_address`),
  companyName: COMPANY_COLUMNS.columns.name.sql(sql`c.name`),
  /** The secret content; null if it was erased. */
  sealed: filledText()
    .nullable()
    .sql(sql`s.sealed`),
  isExpired: boolean().sql(sql`coalesce(s.expires_at <= now(), false)`),
})

/** Its attempts include this one. */
export type ClaimedMail = RowIn<typeof CLAIMED>

/** Of each company and claim, so that one with many messages does not hold up the others. */
const PER_COMPANY = 5

/** Skips from one company with pending messages to the next. */
const CLAIM = statement(sql`
  WITH RECURSIVE waiting AS (
    (SELECT m.company_id FROM mails m WHERE m.status = 'pending' ORDER BY m.company_id LIMIT 1)
    UNION ALL
    SELECT n.company_id FROM waiting w CROSS JOIN LATERAL (
      SELECT m.company_id FROM mails m WHERE m.status = 'pending' AND m.company_id > w.company_id
      ORDER BY m.company_id LIMIT 1) n
  ), due AS (
    SELECT d.company_id, d.id FROM waiting w CROSS JOIN LATERAL (
      SELECT m.company_id, m.id, m.next_attempt_at FROM mails m
      WHERE m.company_id = w.company_id AND m.status = 'pending' AND m.next_attempt_at <= ${NOW_ROUNDED}
      ORDER BY m.next_attempt_at, m.id LIMIT ${literal(PER_COMPANY)}
      FOR UPDATE SKIP LOCKED) d
    WHERE NOT EXISTS (SELECT 1 FROM change_counters k WHERE k.company_id = w.company_id AND k.moving_to IS NOT NULL)
    ORDER BY d.next_attempt_at LIMIT $1
  ), claimed AS (
    UPDATE mails m SET attempts = m.attempts + 1, last_error = NULL, next_attempt_at = now() + make_interval(secs => $2)
    FROM due WHERE m.company_id = due.company_id AND m.id = due.id
    RETURNING m.*
  )
  SELECT ${CLAIMED.selectList}
  FROM claimed m JOIN companies c ON c.id = m.company_id
    LEFT JOIN mail_secrets s ON s.company_id = m.company_id AND s.mail_id = m.id`)

/** Up to `max` due messages of all companies. Another process can claim them again after `leaseSeconds`. */
export async function claimMails(db: Db, max: number, leaseSeconds: number): Promise<ClaimedMail[]> {
  return queryObjects(db, CLAIMED, CLAIM, [max, leaseSeconds])
}

export type MailResult =
  | { status: 'sent' }
  | { status: 'pending'; error: string; nextInSeconds: number }
  | { status: 'failed' | 'canceled'; error: string }

const WRITE_RESULT = statement(sql`
  WITH written AS (
    UPDATE mails SET status = $4, last_error = $5, sent_at = CASE WHEN $4 = 'sent' THEN now() END,
      next_attempt_at = CASE WHEN $4 = 'pending' THEN now() + make_interval(secs => $6) END
    WHERE company_id = $1 AND id = $2 AND attempts = $3 AND status = 'pending'
    RETURNING id
  )
  DELETE FROM mail_secrets WHERE company_id = $1 AND mail_id IN (SELECT id FROM written) AND $4 IN ('sent', 'canceled')`)

export async function writeMailResult(
  db: Db,
  { companyId, id, attempts }: Pick<ClaimedMail, 'companyId' | 'id' | 'attempts'>,
  result: MailResult,
): Promise<void> {
  const error = result.status === 'sent' ? null : result.error
  const seconds = result.status === 'pending' ? result.nextInSeconds : null
  await queryRows(db, WRITE_RESULT, [companyId, id, attempts, result.status, error, seconds])
}

const REMOVE_EXPIRED = statement(sql`
  WITH expired AS (
    DELETE FROM mail_secrets WHERE company_id = $1 AND expires_at <= now() RETURNING mail_id
  )
  UPDATE mails SET status = 'canceled', next_attempt_at = NULL, last_error = 'The link has expired.'
  WHERE company_id = $1 AND id IN (SELECT mail_id FROM expired) AND status = 'pending'`)

/** Erases the content of messages whose link has expired. */
export async function removeExpiredSecrets(db: Db, companyId: string): Promise<void> {
  await queryRows(db, REMOVE_EXPIRED, [companyId])
}
