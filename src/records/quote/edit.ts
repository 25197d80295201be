/**
 * Quotes to be changed. Whoever changes one names the version that they saw, and nothing is written when the stored quote
 * is another by then: two people, or a person and an import, never overwrite each other in silence.
 */
import { hash } from 'node:crypto'
import { DatabaseError } from 'pg'
import { isoFromPostgres } from '../../core/schedule/datetime.ts'
import type { LostReason } from '../../core/enumerations.ts'
import type { FieldErrors } from '../../core/requests/errors.ts'
import { isPossibleId } from '../../core/ids.ts'
import type { LeadNames } from '../../core/lead-name.ts'
import { priceQuote } from '../../core/pricing/price-quote.ts'
import type { PriceBreakdown } from '../../core/pricing/price-quote.ts'
import { refusalOf } from '../../core/quotes/quote-actions.ts'
import type { QuoteAction } from '../../core/quotes/quote-actions.ts'
import type { ServiceDay } from '../../core/quotes/quote-booking.ts'
import { pricingInputOf } from '../../core/quotes/quote-edit.ts'
import type { Catalogue, QuoteContent } from '../../core/quotes/quote-edit.ts'
import { idsIn, readCatalogue } from '../catalog/queries.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db, DbPool } from '../../db/statement.ts'
import { editableLine, listLines } from './lines.ts'
import { loadServiceDaysOfQuotes } from '../service-day/queries.ts'
import { inTransaction } from '../../db/transaction.ts'

/** What else there is to know of the quote; times in ISO. */
interface QuoteFacts {
  currency: string
  updatedAt: string
  sentAt: string | null
  expiresAt: string | null
  bookedAt: string | null
  lostAt: string | null
  lostReason: LostReason | null
  /** All but whether one that was sent has expired, which depends on the clock. */
  standing: 'draft' | 'sent' | 'booked' | 'lost'
  bookingId: string | null
  leadId: string
  lead: (LeadNames & { phone: string | null }) | null
  locationId: string
  timeZone: string | null
  eventTypeId: string | null
  eventType: string | null
  eventAddress: string
  eventDescription: string | null
  siteContactName: string | null
  siteContactPhone: string | null
  entityToInvoice: string | null
  numberOfStaff: number
  numberOfResources: number
  guestCount: number
}

export interface EditableQuote {
  id: string
  /** Changes with whatever of the quote changes, its price included, whoever changed it. */
  version: string
  facts: QuoteFacts
  serviceDays: ServiceDay[]
  content: QuoteContent
  catalogue: Catalogue
  price: PriceBreakdown
}

const FACTS = sql`
  SELECT q.currency, q.updated_at AS "updatedAt", q.sent_at AS "sentAt", q.expires_at AS "expiresAt",
    q.booked_at AS "bookedAt", q.lost_at AS "lostAt", q.lost_reason AS "lostReason",
    quote_state(q.sent_at, q.booked_at, q.lost_at) AS standing, q.booking_id AS "bookingId", q.lead_id AS "leadId",
    CASE WHEN l.id IS NOT NULL THEN json_build_object('firstName', l.first_name, 'lastName', l.last_name,
      'companyName', l.company_name, 'email', l.email, 'phone', l.phone) END AS lead,
    q.location_id AS "locationId", p.time_zone AS "timeZone", q.event_type_id AS "eventTypeId", e.name AS "eventType",
    q.event_address AS "eventAddress", q.event_description AS "eventDescription",
    q.site_contact_name AS "siteContactName", q.site_contact_phone AS "siteContactPhone",
    q.entity_to_invoice AS "entityToInvoice", q.number_of_staff AS "numberOfStaff",
    q.number_of_resources AS "numberOfResources", q.guest_count AS "guestCount", json_build_object(
      'discountId', q.discount_id, 'serviceChargeIds', q.service_charge_ids, 'taxRateId', q.tax_rate_id,
      'baseFeeCents', q.base_fee_cents, 'baseFeeTaxable', q.base_fee_taxable,
      'travelFeeCents', q.travel_fee_cents, 'travelFeeTaxable', q.travel_fee_taxable) AS content
  FROM quotes q
    LEFT JOIN leads l ON l.company_id = $1 AND l.id = q.lead_id
    LEFT JOIN locations p ON p.company_id = $1 AND p.id = q.location_id
    LEFT JOIN event_types e ON e.company_id = $1 AND e.id = q.event_type_id
  WHERE q.company_id = $1 AND q.id = $2 AND q.deleted_at IS NULL`

const READ = statement(FACTS)
/**
 * The quote before its lines, in the same order as imports, which prevents deadlocks. NO KEY, because the key does not change:
 * inserting a line does not wait.
 */
const READ_AND_LOCK = statement(sql`${FACTS} FOR NO KEY UPDATE OF q`)

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const LOCK_NOT_AVAILABLE = '55P03'

type FactsRow = QuoteFacts & { content: Omit<QuoteContent, 'lines'> }

/** The quote as one moment has it, with all that it can be made of; null when the company has none of this id. */
export async function findQuoteForEdit(
  pool: DbPool,
  companyId: string,
  id: string,
): Promise<EditableQuote | null> {
  if (!isPossibleId(id)) return null
  return inTransaction(
    pool,
    (client) => readQuote(client, companyId, id, { isLocked: false, extent: 'all' }),
    'read',
  )
}

export interface QuoteChange {
  action: QuoteAction
  /** What the quote is to become, so that what it refers to is read, too. */
  content?: QuoteContent
  /** Writes, or says why not. */
  apply: (client: Db, quote: EditableQuote) => Promise<Refusal | null>
}

export type Refusal = { kind: 'refused'; message: string } | { kind: 'invalid'; details: FieldErrors }

export type ChangeOutcome =
  | { kind: 'done'; quote: EditableQuote }
  | { kind: 'not_found' }
  /** The stored quote is not the one that was seen. */
  | { kind: 'conflict' }
  /** Somebody holds it for long: an import. */
  | { kind: 'busy' }
  | Refusal

const TRIES = 3

/** Changes the quote if it still is of this version and where it stands allows it; all of the change, or nothing. */
export async function changeQuote(
  pool: DbPool,
  companyId: string,
  id: string,
  version: string,
  change: QuoteChange,
): Promise<ChangeOutcome> {
  if (!isPossibleId(id)) return { kind: 'not_found' }
  for (let tries = 1; ; tries++) {
    try {
      return await inTransaction(
        pool,
        (client) => tryChange(client, companyId, id, version, change),
        'change',
      )
    } catch (error) {
      const code = error instanceof DatabaseError ? error.code : undefined
      if (code === LOCK_NOT_AVAILABLE) return { kind: 'busy' }
      if (code !== SERIALIZATION_FAILURE && code !== DEADLOCK) throw error
      // Somebody was faster: the next try sees what they wrote.
      if (tries === TRIES) return { kind: 'busy' }
    }
  }
}

async function tryChange(
  client: Db,
  companyId: string,
  id: string,
  version: string,
  { action, content, apply }: QuoteChange,
): Promise<ChangeOutcome> {
  const quote = await readQuote(client, companyId, id, {
    isLocked: true,
    extent: 'some',
    also: content,
  })
  if (quote === null) return { kind: 'not_found' }
  const message = refusalOf(action, quote.facts.standing)
  if (message !== null) return { kind: 'refused', message }
  if (quote.version !== version) return { kind: 'conflict' }
  const refusal = await apply(client, quote)
  if (refusal !== null) return refusal
  const changed = await readQuote(client, companyId, id, { isLocked: false, extent: 'some' })
  return changed === null ? { kind: 'not_found' } : { kind: 'done', quote: changed }
}

interface Reading {
  isLocked: boolean
  /** Everything there is, or what the quote has and what it is to have. */
  extent: 'all' | 'some'
  also?: QuoteContent | undefined
}

async function readQuote(
  db: Db,
  companyId: string,
  id: string,
  { isLocked, extent, also }: Reading,
): Promise<EditableQuote | null> {
  const [row] = await queryRows<FactsRow>(db, isLocked ? READ_AND_LOCK : READ, [companyId, id])
  if (row === undefined) return null
  const { content: contentOfQuote, ...factsRow } = row
  const lineRows = await listLines(db, companyId, id, { isLocked })
  const days = await loadServiceDaysOfQuotes(db, companyId, [id])
  const content: QuoteContent = { lines: lineRows.map(editableLine), ...contentOfQuote }
  const catalogue = await readCatalogue(
    db,
    companyId,
    idsIn(also === undefined ? [content] : [content, also]),
    extent,
  )
  const facts = readFacts(factsRow)
  const serviceDays = days.map((day) => ({
    id: day.get('id'),
    serviceStartTime: isoFromPostgres(day.get('serviceStartTime')),
    serviceEndTime: isoFromPostgres(day.get('serviceEndTime')),
  }))
  const price = priceQuote(pricingInputOf(content, catalogue, facts.currency))
  const version = versionOf([content, price, facts, serviceDays])
  return { id, version, facts, serviceDays, content, catalogue, price }
}

function isoOrNull(time: string | null): string | null {
  return time === null ? null : isoFromPostgres(time)
}

function readFacts(facts: QuoteFacts): QuoteFacts {
  return {
    ...facts,
    updatedAt: isoFromPostgres(facts.updatedAt),
    sentAt: isoOrNull(facts.sentAt),
    expiresAt: isoOrNull(facts.expiresAt),
    bookedAt: isoOrNull(facts.bookedAt),
    lostAt: isoOrNull(facts.lostAt),
  }
}

/** With the price: what a discount or a tax rate is may have changed, too. */
function versionOf(parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts))
}
