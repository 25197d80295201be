/** Messages as people see them. Their content is not part of it. */
import { isoFromPostgres } from '../../core/schedule/datetime.ts'
import { MAILS_LISTED } from '../../core/list-limits.ts'
import type { MailKind, MailStatus } from '../../core/mail/kinds.ts'
import { literal, sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import type { MailRecord } from './queue.ts'

export interface ListedMail {
  id: string
  kind: MailKind
  to: string
  subject: string
  status: MailStatus
  /** Why it was not sent; of a pending one, why the last attempt failed. */
  error: string | null
  createdAt: string
  sentAt: string | null
  /** Of a pending one. */
  nextAttemptAt: string | null
  recordId: string | null
}

const LISTED = sql`id, kind, to_address AS "to", subject, status, last_error AS error, created_at AS "createdAt",
  sent_at AS "sentAt", next_attempt_at AS "nextAttemptAt", record_id AS "recordId"`

const LIST = statement(sql`
  SELECT ${LISTED} FROM mails WHERE company_id = $1 ORDER BY id DESC LIMIT ${literal(MAILS_LISTED)}`)

/** The latest of the company, the last one first. */
export async function listMails(db: Db, companyId: string): Promise<ListedMail[]> {
  return (await queryRows<ListedMail>(db, LIST, [companyId])).map(present)
}

const LIST_OF_RECORDS = statement(sql`
  SELECT ${LISTED} FROM mails WHERE company_id = $1 AND record_object = $2 AND record_id = ANY($3::text[])
  ORDER BY id DESC LIMIT ${literal(MAILS_LISTED)}`)

/** The same of records of one kind. */
export async function listMailsOf(
  db: Db,
  companyId: string,
  object: MailRecord['object'],
  ids: readonly string[],
): Promise<ListedMail[]> {
  return (await queryRows<ListedMail>(db, LIST_OF_RECORDS, [companyId, object, ids])).map(present)
}

const iso = (time: string | null) => (time === null ? null : isoFromPostgres(time))

function present(row: ListedMail): ListedMail {
  return {
    ...row,
    createdAt: isoFromPostgres(row.createdAt),
    sentAt: iso(row.sentAt),
    nextAttemptAt: iso(row.nextAttemptAt),
  }
}

export interface FoundMail {
  kind: MailKind
  status: MailStatus
  isBeingSent: boolean
  /** False if its content was secret and is erased. */
  hasContent: boolean
}

const FIND = statement(sql`
  SELECT m.kind, m.status, m.attempts > 0 AND m.last_error IS NULL AS "isBeingSent",
    m.text IS NOT NULL OR coalesce(s.expires_at > now(), false) AS "hasContent"
  FROM mails m LEFT JOIN mail_secrets s ON s.company_id = m.company_id AND s.mail_id = m.id
  WHERE m.company_id = $1 AND m.id = $2 FOR UPDATE OF m`)

/** Locks it, so that no worker claims it meanwhile. */
export async function findMail(db: Db, companyId: string, id: string): Promise<FoundMail | null> {
  return (await queryRows<FoundMail>(db, FIND, [companyId, id]))[0] ?? null
}

const SEND_NOW = statement(sql`
  UPDATE mails SET status = 'pending', attempts = CASE WHEN status = 'failed' THEN 0 ELSE attempts END,
    next_attempt_at = now(), last_error = CASE WHEN status = 'failed' THEN NULL ELSE last_error END
  WHERE company_id = $1 AND id = $2`)

/** A message that has failed gets all of its attempts again. */
export async function sendMailNow(db: Db, companyId: string, id: string): Promise<void> {
  await queryRows(db, SEND_NOW, [companyId, id])
}
