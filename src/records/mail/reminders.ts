/** Quotes whose customers are reminded, because they expire soon. */
import { isDistributed } from '../../db/distributed.ts'
import { sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

/** The message with which the current revision was sent. */
const sent = (mails: Sql, columns: Sql) => sql`
  SELECT ${columns} FROM ${mails} m
  WHERE m.company_id = $1 AND m.record_object = 'quote' AND m.record_id = q.id AND m.kind = 'quote_sent'
    AND m.status <> 'canceled' AND m.created_at >= q.sent_at`

/** Three days before the end, once per revision. A quote that is valid for up to four days needs no reminder. */
const due = (mails: Sql) => sql`
  q.company_id = $1 AND q.deleted_at IS NULL AND q.booked_at IS NULL AND q.lost_at IS NULL AND q.sent_at IS NOT NULL
  AND q.expires_at > now() AND q.expires_at <= now() + interval '3 days'
  AND q.sent_at < q.expires_at - interval '4 days'
  AND NOT EXISTS (
    SELECT 1 FROM ${mails} m
    WHERE m.company_id = $1 AND m.record_object = 'quote' AND m.record_id = q.id AND m.kind = 'quote_reminder'
      AND m.created_at >= q.sent_at)`

const MAILS = sql`mails`
/** OFFSET: Citus reads them first, on the coordinator, because it cannot look them up for each quote. */
const MAILS_BEFORE = sql`(
  SELECT company_id, id, kind, status, record_object, record_id, to_address, created_at FROM mails
  WHERE company_id = $1 AND record_object = 'quote' AND kind IN ('quote_sent', 'quote_reminder') OFFSET 0)`

const listDue = (mails: Sql) =>
  statement(sql`
  SELECT q.id FROM quotes q WHERE ${due(mails)} AND EXISTS (${sent(mails, sql`1`)}) ORDER BY q.expires_at LIMIT 100`)
const LIST = listDue(MAILS)
const LIST_DISTRIBUTED = listDue(MAILS_BEFORE)

/** Quotes that were sent by email. Those that were handed over in another way get no reminder. */
export async function listDueReminders(db: Db, companyId: string): Promise<string[]> {
  return (await queryRows<{ id: string }>(db, isDistributed(db) ? LIST_DISTRIBUTED : LIST, [companyId])).map(
    ({ id }) => id,
  )
}

const findDue = (mails: Sql) =>
  statement(sql`
  SELECT s.to_address AS "to" FROM quotes q
    CROSS JOIN LATERAL (${sent(mails, sql`m.to_address`)} ORDER BY m.id DESC LIMIT 1) s
  WHERE ${due(mails)} AND q.id = $2`)
const FIND = findDue(MAILS)
const FIND_DISTRIBUTED = findDue(MAILS_BEFORE)

/** Whom to remind; null if it is no longer due. */
export async function findDueReminder(db: Db, companyId: string, quoteId: string): Promise<string | null> {
  const find = isDistributed(db) ? FIND_DISTRIBUTED : FIND
  return (await queryRows<{ to: string }>(db, find, [companyId, quoteId]))[0]?.to ?? null
}
