/** Marks a quote as sent or lost, or reopens it. */
import { z } from 'zod'
import { USERS_AND_KEYS } from '../core/callers.ts'
import { LOST_REASONS } from '../core/enumerations.ts'
import type { LostReason } from '../core/enumerations.ts'
import type { ChangeType } from '../core/change-log/change-types.ts'
import { MESSAGE_MAX, NO_LINES } from '../core/quotes/quote-actions.ts'
import type { QuoteAction } from '../core/quotes/quote-actions.ts'
import { StorableText, Time } from '../core/quotes/quote-details.ts'
import type { Revision } from '../core/quotes/revision.ts'
import { deliverableAddress } from '../core/security/email.ts'
import { ApiError } from '../core/requests/errors.ts'
import { sql } from '../db/sql.ts'
import { queryRows, statement } from '../db/statement.ts'
import type { Statement } from '../db/statement.ts'
import { cancelMailsOfQuote } from '../records/mail/queue.ts'
import type { EditableQuote } from '../records/quote/edit.ts'
import { bodyText } from '../codec/body-schema.ts'
import { NEXT_UPDATE } from '../codec/write.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction } from './action.ts'
import { QuoteTarget, changeQuote } from './change-quote.ts'
import { requireMail } from './mails.ts'
import { mailQuoteSent, mailedRevision } from './quote-mails.ts'
import { createRevision } from './create-revision.ts'
import type { ChangedQuote } from './change-quote.ts'

const SUBJECT_MAX = 200

const MARK_SENT = statement(sql`
  UPDATE quotes SET sent_at = now(), ${NEXT_UPDATE},
    expires_at = CASE WHEN $3 THEN coalesce($4, CASE WHEN $5 THEN valid.until END) ELSE expires_at END
  FROM (
    SELECT now() + nullif(c.quote_valid_days, 0) * interval '1 day' AS until FROM companies c WHERE c.id = $1) valid
  WHERE company_id = $1 AND id = $2`)

const MARK_LOST = statement(sql`
  UPDATE quotes SET lost_at = now(), lost_reason = $3, ${NEXT_UPDATE} WHERE company_id = $1 AND id = $2`)

const REOPEN = statement(sql`
  UPDATE quotes SET lost_at = NULL, lost_reason = NULL, ${NEXT_UPDATE} WHERE company_id = $1 AND id = $2`)

/** The recipient of the quote. */
export const MailInput = z.strictObject({
  to: z
    .string('Enter an email address.')
    .trim()
    .refine((to) => deliverableAddress(to) !== null, 'Enter an email address.'),
  /** Null: the usual one. */
  subject: StorableText.trim()
    .max(SUBJECT_MAX, 'Use at most 200 characters.')
    .nullish()
    .transform((subject) => (subject === '' || subject === undefined ? null : subject)),
})

export const isFuture = (time: string) => Date.parse(time) > Date.now()

const Sending = QuoteTarget.extend({
  /** Null for none, or the default. Undefined keeps the stored time. */
  expiresAt: Time.refine(isFuture, 'must be in the future').nullable().optional(),
  /** Without an expiry time, the quote expires after the number of days that the company sets. */
  hasDefault: z.boolean().optional(),
  /** To the customer. */
  message: bodyText(MESSAGE_MAX).nullable().optional(),
  /** Whom the quote is sent to by email. `contact`: the customer, if mail is configured and the address is known. */
  mail: z.union([MailInput, z.literal('contact')]).optional(),
})
type Sending = z.output<typeof Sending>

export const markSent = defineAction({
  name: 'sendQuote',
  allowed: USERS_AND_KEYS,
  input: Sending,
  lock: 'first',
  run: async (transaction, { expiresAt, hasDefault = false, message = null, mail, ...target }) => {
    const { db, companyId } = transaction
    return changeQuote(transaction, target, {
      action: 'send',
      type: 'quote.sent',
      apply: async (quote) => {
        refuseEmpty(quote)
        const values = [expiresAt !== undefined, expiresAt ?? null, hasDefault]
        await queryRows(db, MARK_SENT, [companyId, target.id, ...values])
        const revision = await createRevision(transaction, target.id, message)
        await cancelMailsOfQuote(db, companyId, target.id)
        await mailRevision(transaction, revision, mail)
        return true
      },
    })
  },
})

async function mailRevision(
  transaction: ActionTransaction,
  revision: Revision,
  mail: Sending['mail'],
): Promise<void> {
  const { outbox } = transaction
  if (mail === undefined || (mail === 'contact' && outbox === undefined)) return
  requireMail(outbox)
  const { to, subject } = mail === 'contact' ? { to: revision.customer.email, subject: null } : mail
  const address = deliverableAddress(to)
  if (address === null) return
  await mailQuoteSent(transaction, mailedRevision(transaction, revision), {
    to: address,
    subject,
    message: revision.message,
  })
}

function refuseEmpty({ content }: EditableQuote): void {
  if (content.lines.length > 0) return
  throw new ApiError('quote_empty', { message: NO_LINES })
}

export const markLost = defineAction({
  name: 'loseQuote',
  allowed: USERS_AND_KEYS,
  input: QuoteTarget.extend({ reason: z.enum(LOST_REASONS) }),
  lock: 'first',
  run: (transaction, { reason, ...target }) => markQuoteLost(transaction, target, reason),
})

/** Also used when a customer declines. */
export async function markQuoteLost(
  transaction: ActionTransaction,
  target: QuoteTarget,
  reason: LostReason,
): Promise<ChangedQuote> {
  const { db, companyId } = transaction
  const lost = await mark(transaction, target, { action: 'lose', type: 'quote.lost' }, MARK_LOST, [reason])
  await cancelMailsOfQuote(db, companyId, target.id)
  return lost
}

/** The quote is sent again, or a draft if it was never sent. */
export const reopenQuote = defineAction({
  name: 'reopenQuote',
  allowed: USERS_AND_KEYS,
  input: QuoteTarget,
  lock: 'first',
  run: async (transaction, target) =>
    mark(transaction, target, { action: 'reopen', type: 'quote.reopened' }, REOPEN, []),
})

async function mark(
  transaction: ActionTransaction,
  target: QuoteTarget,
  change: { action: QuoteAction; type: ChangeType },
  update: Statement,
  values: readonly unknown[],
): Promise<ChangedQuote> {
  const { db, companyId } = transaction
  return changeQuote(transaction, target, {
    ...change,
    apply: async () => {
      await queryRows(db, update, [companyId, target.id, ...values])
      return true
    },
  })
}
