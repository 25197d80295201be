/** Messages about quotes: to the customer when a quote is sent and before it expires, and to the company when the customer answers. */
import { documentFormats } from '../core/document-formats.ts'
import { renderMail } from '../core/mail/content.ts'
import type { MailContent, RenderedMail } from '../core/mail/content.ts'
import type { MailKind } from '../core/mail/kinds.ts'
import { quoteReminder, quoteSent } from '../core/mail/messages.ts'
import type { PersonalText } from '../core/mail/messages.ts'
import type { Revision } from '../core/quotes/revision.ts'
import { deliverableAddress } from '../core/security/email.ts'
import type { CompanyProfile } from '../records/company/profile.ts'
import { brandOf } from '../records/mail/brand.ts'
import { queueMail } from '../records/mail/queue.ts'
import type { ActionTransaction } from './action.ts'
import { companyOf } from './mails.ts'

/** A quote as messages to the customer name it. */
export interface MailedQuote {
  quoteId: string
  number: string | null
  /** Empty if it is unknown. */
  customer: string
  totalCents: number
  currency: string
  /** Of the event. */
  timeZone: string
  expiresAt: string | null
  url: string
}

export function mailedRevision(
  { companyId, presentation }: Pick<ActionTransaction, 'companyId' | 'presentation'>,
  { quoteId, number, revision, customer, price, currency, event, expiresAt }: Revision,
): MailedQuote {
  return {
    quoteId,
    number,
    customer: customer.name,
    totalCents: price.totalCents,
    currency,
    timeZone: event.timeZone,
    expiresAt,
    url: presentation.quoteUrl(companyId, quoteId, revision),
  }
}

function factsOf(profile: CompanyProfile, quote: MailedQuote) {
  const { quoteId, number, customer, totalCents, currency, timeZone, expiresAt, url } = quote
  const formats = documentFormats({ locale: profile.locale ?? 'en-US', currency, timeZone })
  return {
    company: profile.name,
    customer: customer === '' ? null : customer,
    quote: number ?? quoteId,
    total: formats.money(totalCents),
    validUntil: expiresAt === null ? null : formats.date(expiresAt),
    url,
  }
}

/** Also for the preview, so that it shows what is sent. */
export function renderQuoteSent(
  profile: CompanyProfile,
  quote: MailedQuote,
  text: PersonalText,
): RenderedMail {
  return renderMail(brandOf(profile), quoteSent(factsOf(profile, quote), text))
}

interface Recipient extends PersonalText {
  to: string
}

export async function mailQuoteSent(
  transaction: ActionTransaction,
  quote: MailedQuote,
  { to, ...text }: Recipient,
): Promise<void> {
  const profile = await companyOf(transaction.db, transaction.companyId)
  await queue(transaction, quote.quoteId, {
    kind: 'quote_sent',
    to,
    replyTo: profile.email,
    rendered: renderQuoteSent(profile, quote, text),
  })
}

export async function mailQuoteReminder(
  transaction: ActionTransaction,
  quote: MailedQuote,
  to: string,
): Promise<void> {
  const profile = await companyOf(transaction.db, transaction.companyId)
  const rendered = renderMail(brandOf(profile), quoteReminder(factsOf(profile, quote)))
  await queue(transaction, quote.quoteId, { kind: 'quote_reminder', to, replyTo: profile.email, rendered })
}

interface Notice {
  kind: Extract<MailKind, 'quote_accepted' | 'quote_declined' | 'quote_question' | 'form_received'>
  /** Null if the form created no quote. */
  quoteId: string | null
  /** The email address of the customer. */
  replyTo: string | null
  /** `urlOf` completes the path of a page of the application. */
  content: (urlOf: (path: string) => string) => MailContent
}

/** To the email address of the company profile. Without one, or without SMTP, nothing is sent. */
export async function mailCompany(
  transaction: ActionTransaction,
  { kind, quoteId, replyTo, content }: Notice,
): Promise<void> {
  const { outbox } = transaction
  if (outbox === undefined) return
  const profile = await companyOf(transaction.db, transaction.companyId)
  const to = deliverableAddress(profile.email)
  if (to === null) return
  const rendered = renderMail(
    brandOf(profile),
    content((path) => `${outbox.publicUrl()}${path}`),
  )
  await queue(transaction, quoteId, { kind, to, replyTo, rendered })
}

/** How messages to the company name the customer and the quote. */
export function customerOf({ customer: { name, companyName, email }, number, quoteId }: Revision) {
  const customer = name === '' ? (companyName ?? email ?? 'The customer') : name
  return { customer, quote: number ?? quoteId, replyTo: email }
}

/** The path of the quote in the application. */
export const quotePath = (quoteId: string) => `/quotes/${encodeURIComponent(quoteId)}`

async function queue(
  { db, companyId, announce }: ActionTransaction,
  quoteId: string | null,
  mail: { kind: MailKind; to: string; replyTo: string | null; rendered: RenderedMail },
): Promise<void> {
  const { kind, to, replyTo, rendered } = mail
  await queueMail(db, companyId, {
    kind,
    to,
    replyTo: deliverableAddress(replyTo),
    record: quoteId === null ? null : { object: 'quote', id: quoteId },
    ...rendered,
  })
  announce()
}
