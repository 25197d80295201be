/** Messages as people see them. Their content is not part of it. */
import { MAILS_LISTED } from '../../core/list-limits.ts'
import { literal, sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { boolean } from '../../codec/column-types.ts'
import { defineFields, pick, withIsoTimes } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { MAIL_COLUMNS } from './columns.ts'
import type { MailRecord } from './queue.ts'

const { toAddress, lastError } = MAIL_COLUMNS.columns

const LISTED = defineFields(
  withIsoTimes({
    ...pick(MAIL_COLUMNS, 'id', 'kind'),
    to: toAddress.sql(sql`t.to_address`),
    ...pick(MAIL_COLUMNS, 'subject', 'status'),
    error: lastError.sql(sql`t.last_error`),
    ...pick(MAIL_COLUMNS, 'createdAt', 'sentAt', 'nextAttemptAt', 'recordId'),
  }),
)

export type ListedMail = RowIn<typeof LISTED>

const LIST = statement(sql`
  SELECT ${LISTED.selectList} FROM mails t WHERE t.company_id = $1 ORDER BY t.id DESC LIMIT ${literal(MAILS_LISTED)}`)

/** The latest of the company, the last one first. */
export async function listMails(db: Db, companyId: string): Promise<ListedMail[]> {
  return queryObjects(db, LISTED, LIST, [companyId])
}

const LIST_OF_RECORDS = statement(sql`
  SELECT ${LISTED.selectList} FROM mails t
  WHERE t.company_id = $1 AND t.record_object = $2 AND t.record_id = ANY($3::text[])
  ORDER BY t.id DESC LIMIT ${literal(MAILS_LISTED)}`)

/** The same of records of one kind. */
export async function listMailsOf(
  db: Db,
  companyId: string,
  object: MailRecord['object'],
  ids: readonly string[],
): Promise<ListedMail[]> {
  return queryObjects(db, LISTED, LIST_OF_RECORDS, [companyId, object, ids])
}

const FOUND = defineFields({
  ...pick(MAIL_COLUMNS, 'kind', 'status'),
  isBeingSent: boolean().sql(sql`(t.attempts > 0 AND t.last_error IS NULL)`),
  /** False if its content was secret and is erased. */
  hasContent: boolean().sql(sql`(t.text IS NOT NULL OR coalesce(s.expires_at > now(), false))`),
})

export type FoundMail = RowIn<typeof FOUND>

const FIND = statement(sql`
  SELECT ${FOUND.selectList} FROM mails t LEFT JOIN mail_secrets s ON s.company_id = t.company_id AND s.mail_id = t.id
  WHERE t.company_id = $1 AND t.id = $2 FOR UPDATE OF t`)

/** Locks it, so that no worker claims it meanwhile. */
export async function findMail(db: Db, companyId: string, id: string): Promise<FoundMail | null> {
  return (await queryObjects(db, FOUND, FIND, [companyId, id]))[0] ?? null
}

const SEND_NOW = statement(sql`
  UPDATE mails SET status = 'pending', attempts = CASE WHEN status = 'failed' THEN 0 ELSE attempts END,
    next_attempt_at = now(), last_error = CASE WHEN status = 'failed' THEN NULL ELSE last_error END
  WHERE company_id = $1 AND id = $2`)

/** A message that has failed gets all of its attempts again. */
export async function sendMailNow(db: Db, companyId: string, id: string): Promise<void> {
  await queryRows(db, SEND_NOW, [companyId, id])
}
