/** Messages in the outbox. */
import type { Pool } from 'pg'
import { expect, vi } from 'vitest'
import { renderMail } from '../../src/core/mail/content.ts'
import { testMessage } from '../../src/core/mail/messages.ts'
import type { NewMail } from '../../src/records/mail/queue.ts'

const COMPANY = 'Quay Street'

export const mailTo = (to: string, changes: Partial<NewMail> = {}): NewMail => ({
  kind: 'quote_sent',
  to,
  replyTo: null,
  record: { object: 'quote', id: 'q_1' },
  ...renderMail({ name: COMPANY, accentColor: null, footer: [] }, testMessage({ company: COMPANY })),
  ...changes,
})

export interface StoredMail {
  id: string
  kind: string
  to: string
  status: string
  attempts: number
  error: string | null
  /** Seconds until the next attempt. */
  wait: number | null
  sealed: string | null
  text: string | null
}

export function mailsOf(pool: Pool) {
  let companies = 0
  const readMails = async (companyId: string): Promise<StoredMail[]> => {
    const { rows } = await pool.query<StoredMail>(
      `SELECT m.id, m.kind, m.to_address AS "to", m.status, m.attempts, m.last_error AS error, m.text, s.sealed,
         extract(epoch FROM m.next_attempt_at - now())::float8 AS wait
       FROM mails m LEFT JOIN mail_secrets s ON s.company_id = m.company_id AND s.mail_id = m.id
       WHERE m.company_id = $1 ORDER BY m.id`,
      [companyId],
    )
    return rows
  }
  const readMail = async (companyId: string, id: string) =>
    (await readMails(companyId)).find((mail) => mail.id === id)
  return {
    /** Each test has its own companies. */
    addCompany: async (name = COMPANY): Promise<string> => {
      const id = `co_${++companies}`
      const sql = `INSERT INTO companies (id, name, plan, currency) VALUES ($1, $2, 'PREMIUM', 'USD')`
      await pool.query(sql, [id, name])
      return id
    },
    readMails,
    readMail,
    untilMail: (companyId: string, id: string, expected: Partial<StoredMail>) =>
      vi.waitFor(async () => expect(await readMail(companyId, id)).toMatchObject(expected), 20_000),
    /** Makes every pending message due now. */
    passTime: (companyId: string) =>
      pool.query(`UPDATE mails SET next_attempt_at = now() WHERE company_id = $1 AND status = 'pending'`, [
        companyId,
      ]),
  }
}
