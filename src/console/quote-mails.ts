/** The email with which a quote is sent: its preview, and the messages about a quote. */
import { z } from 'zod'
import { leadName } from '../core/lead-name.ts'
import { hasAtMostCodePoints } from '../core/ids.ts'
import { MESSAGE_MAX } from '../core/quotes/quote-actions.ts'
import { StorableText, Time } from '../core/quotes/quote-details.ts'
import { ApiError } from '../core/requests/errors.ts'
import { deliverableAddress } from '../core/security/email.ts'
import { companyOf } from '../actions/mails.ts'
import { MailInput } from '../actions/mark-quote.ts'
import { renderQuoteSent } from '../actions/quote-mails.ts'
import { listMailsOf } from '../records/mail/list.ts'
import type { ListedMail } from '../records/mail/list.ts'
import { findQuoteForEdit } from '../records/quote/edit.ts'
import { findNewestRevision } from '../records/quote-revision/queries.ts'
import { consoleRoute } from './route.ts'

/** To the customer. */
export const CustomerMessage = StorableText.refine(
  (text) => hasAtMostCodePoints(text, MESSAGE_MAX),
  'Use at most 10,000 characters.',
)

export interface MailPreviewAnswer {
  from: string
  to: string
  /** Null if the company profile has no email address. */
  replyTo: string | null
  subject: string
  text: string
}

const preview = consoleRoute({
  method: 'POST',
  path: '/console/quotes/:id/mail-preview',
  input: z.strictObject({
    expiresAt: Time.nullish(),
    message: CustomerMessage.nullish(),
    mail: MailInput,
  }),
  answer: async ({ db, companyId, id, input, outbox, presentation }): Promise<MailPreviewAnswer> => {
    const quote = await findQuoteForEdit(db, companyId, id)
    if (quote === null) throw new ApiError('not_found', { message: 'Quote not found' })
    const [profile, newest] = await Promise.all([
      companyOf(db, companyId),
      findNewestRevision(db, companyId, id),
    ])
    const { facts, price } = quote
    const { message = null, expiresAt = null, mail } = input
    const { subject, text } = renderQuoteSent(
      profile,
      {
        quoteId: id,
        number: facts.number,
        customer: facts.lead === null ? '' : leadName(facts.lead),
        totalCents: price.totalCents,
        currency: facts.currency,
        timeZone: facts.timeZone ?? profile.timeZone ?? 'UTC',
        expiresAt,
        url: presentation.quoteUrl(companyId, id, (newest?.revision ?? 0) + 1),
      },
      { subject: mail.subject, message: message === null || message.trim() === '' ? null : message },
    )
    const from = outbox?.from ?? ''
    return { from, to: mail.to, replyTo: deliverableAddress(profile.email), subject, text }
  },
})

export interface QuoteMailsAnswer {
  isMailConfigured: boolean
  /** The address of the customer, if mail can be sent to it. */
  to: string | null
  /** The last one first. */
  mails: ListedMail[]
}

const list = consoleRoute({
  method: 'GET',
  path: '/console/quotes/:id/mails',
  answer: async ({ db, companyId, id, outbox }): Promise<QuoteMailsAnswer> => {
    const quote = await findQuoteForEdit(db, companyId, id)
    if (quote === null) throw new ApiError('not_found', { message: 'Quote not found' })
    return {
      isMailConfigured: outbox !== undefined,
      to: deliverableAddress(quote.facts.lead?.email ?? null),
      mails: await listMailsOf(db, companyId, 'quote', [id]),
    }
  },
})

export const quoteMailRoutes = [preview, list]
