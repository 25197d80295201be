/** Freezes a quote as it is sent: everything that the customer sees, with its hash. Callers must lock the company first. */
import { newId } from '../core/ids.ts'
import { leadName } from '../core/lead-name.ts'
import { composeRevision, writeRevision } from '../core/quotes/revision.ts'
import type { Revision } from '../core/quotes/revision.ts'
import { hashRevision } from '../core/quotes/revision-hash.ts'
import { insertRow } from '../codec/write.ts'
import { findProfile } from '../records/company/profile.ts'
import type { CompanyProfile } from '../records/company/profile.ts'
import { lockQuote } from '../records/quote/edit.ts'
import { QUOTE_REVISION_COLUMNS } from '../records/quote-revision/columns.ts'
import { findNewestRevision } from '../records/quote-revision/queries.ts'
import { findRevisionSources } from '../records/quote-revision/sources.ts'
import type { ActionTransaction } from './action.ts'

export async function createRevision(
  { db, companyId }: ActionTransaction,
  quoteId: string,
  message: string | null,
): Promise<Revision> {
  const quote = await lockQuote(db, companyId, quoteId)
  const profile = await findProfile(db, companyId)
  if (quote === null || profile === null) throw new Error('the quote is missing')
  const { facts, content, catalog } = quote
  if (facts.sentAt === null) throw new Error('the quote is not sent')
  const { location, contract, terms } = await findRevisionSources(db, companyId, quoteId)
  const revision = ((await findNewestRevision(db, companyId, quoteId))?.revision ?? 0) + 1
  const composed = composeRevision({
    quoteId,
    number: facts.number,
    revision,
    sentAt: facts.sentAt,
    expiresAt: facts.expiresAt,
    currency: facts.currency,
    message: message === null || message.trim() === '' ? null : message,
    seller: sellerOf(companyId, profile),
    customer: {
      name: facts.lead === null ? '' : leadName(facts.lead),
      companyName: facts.lead?.companyName ?? null,
      email: facts.lead?.email ?? null,
      phone: facts.lead?.phone ?? null,
    },
    event: { type: facts.eventType, location, timeZone: facts.timeZone ?? profile.timeZone ?? 'UTC' },
    terms,
    contract,
    content,
    catalog,
  })
  const text = writeRevision(composed)
  await insertRow(db, QUOTE_REVISION_COLUMNS, companyId, {
    id: newId('rev'),
    quoteId,
    revision,
    content: text,
    sha256: hashRevision(text),
    sentAt: facts.sentAt,
  })
  return composed
}

function sellerOf(companyId: string, profile: CompanyProfile): Revision['seller'] {
  const shown = Object.fromEntries(SELLER_MEMBERS.map((name) => [name, profile[name]]))
  return {
    ...(shown as Pick<CompanyProfile, (typeof SELLER_MEMBERS)[number]>),
    companyId,
    locale: profile.locale ?? 'en-US',
  }
}

/** The members of the profile that customers see on a quote. */
const SELLER_MEMBERS = [
  'name',
  'legalName',
  'streetAddress',
  'city',
  'state',
  'zip',
  'country',
  'email',
  'phone',
  'taxNumber',
  'website',
  'footer',
  'accentColor',
  'logoHash',
] as const
