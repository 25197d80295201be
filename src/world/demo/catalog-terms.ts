import type { ValueType } from '../../core/enumerations.ts'
import { type Ending, CHARGE_TEXTS, CONTRACT_TEXTS, DISCOUNT_TEXTS, TERMS_TEXTS } from './terms.ts'
import { type ResolvedPlan, inCurrency, namedId } from './plan.ts'
import { type RecordOf, present } from './records.ts'
import { COMPANY_START, DAY, FIRST_QUOTE, iso } from './times.ts'

/** Definitions for quotes in one currency. */
export interface TermsOffer {
  discounts: RecordOf<'discount'>[]
  serviceCharges: RecordOf<'serviceCharge'>[]
  paymentTerms: RecordOf<'paymentTerms'>[]
  contracts: RecordOf<'contract'>[]
}

export interface CurrencyTerms {
  current: TermsOffer
  /** For older quotes: includes definitions that were archived since. */
  former: TermsOffer
}

/** When definitions were archived. Older quotes still refer to them. */
export const ARCHIVED = FIRST_QUOTE + 140 * DAY

/** When a definition was created and archived. */
export function definitionDates(archived: boolean): {
  archivedAt: string | undefined
  createdAt: string
  updatedAt: string
} {
  const createdAt = iso(COMPANY_START + 2 * DAY)
  return archived
    ? { archivedAt: iso(ARCHIVED), createdAt, updatedAt: iso(ARCHIVED) }
    : { archivedAt: undefined, createdAt, updatedAt: createdAt }
}

interface PerCurrency<T> {
  text: T
  currency: string | undefined
  slug: string
  name: string
}

/** Percentages fit any currency. Amounts are created once per currency, with the currency in the name. */
function perCurrency<T extends Ending>(
  texts: readonly T[],
  isAmount: (text: T) => boolean,
  currencies: readonly string[],
): PerCurrency<T>[] {
  return texts.flatMap((text): PerCurrency<T>[] => {
    const { slug, name } = text
    if (!isAmount(text)) return [{ text, currency: undefined, slug, name }]
    return currencies.map((currency) => ({
      text,
      currency,
      slug: `${slug}_${currency.toLowerCase()}`,
      name: `${name} (${currency})`,
    }))
  })
}

export function discountsOf(plan: ResolvedPlan, currencies: readonly string[]): RecordOf<'discount'>[] {
  return perCurrency(DISCOUNT_TEXTS, (text) => text.usdCents !== undefined, currencies).map(
    ({ text, currency, slug, name }) => {
      return present<RecordOf<'discount'>>({
        object: 'discount',
        id: namedId(plan, 'disc', slug),
        companyId: plan.id,
        name,
        type: currency === undefined ? 'PERCENT' : 'AMOUNT',
        percentOff: text.percent,
        amountOff: currency === undefined ? undefined : inCurrency(text.usdCents ?? 0, currency),
        currency,
        ...definitionDates(text.archived ?? false),
      })
    },
  )
}

export function chargesOf(plan: ResolvedPlan, currencies: readonly string[]): RecordOf<'serviceCharge'>[] {
  return perCurrency(CHARGE_TEXTS, (text) => text.usdCents !== undefined, currencies).map(
    ({ text, currency, slug, name }) => {
      return present<RecordOf<'serviceCharge'>>({
        object: 'serviceCharge',
        id: namedId(plan, 'charge', slug),
        companyId: plan.id,
        name,
        type: currency === undefined ? 'PERCENT' : 'AMOUNT',
        percentage: text.percent,
        amountCents: currency === undefined ? undefined : inCurrency(text.usdCents ?? 0, currency),
        currency,
        taxable: text.taxable,
        ...definitionDates(text.archived ?? false),
      })
    },
  )
}

interface TermsEntry {
  record: RecordOf<'paymentTerms'>
  /** Not in the record: a fixed deposit fits quotes in this currency only. */
  currency: string | undefined
}

function depositTypeOf(text: (typeof TERMS_TEXTS)[number]): ValueType | undefined {
  if (text.schedule !== 'DEPOSIT') return undefined
  return text.depositPercent === undefined ? 'AMOUNT' : 'PERCENT'
}

export function paymentTermsOf(plan: ResolvedPlan, currencies: readonly string[]): TermsEntry[] {
  return perCurrency(TERMS_TEXTS, (text) => text.depositUsdCents !== undefined, currencies).map(
    ({ text, currency, slug, name }) => {
      const record = present<RecordOf<'paymentTerms'>>({
        object: 'paymentTerms',
        id: namedId(plan, 'terms', slug),
        companyId: plan.id,
        name,
        paymentSchedule: text.schedule,
        depositType: depositTypeOf(text),
        depositPercentage: text.depositPercent,
        depositAmountCents:
          currency === undefined ? undefined : inCurrency(text.depositUsdCents ?? 0, currency),
        invoiceDueDays: text.dueDays,
        ...definitionDates(text.archived ?? false),
      })
      return { record, currency }
    },
  )
}

function isCurrent({ archivedAt }: { archivedAt?: string }): boolean {
  return archivedAt === undefined
}

export function currentOf(former: TermsOffer): TermsOffer {
  return {
    discounts: former.discounts.filter(isCurrent),
    serviceCharges: former.serviceCharges.filter(isCurrent),
    paymentTerms: former.paymentTerms.filter(isCurrent),
    contracts: former.contracts.filter(isCurrent),
  }
}

export function contractsOf(plan: ResolvedPlan): RecordOf<'contract'>[] {
  return CONTRACT_TEXTS.map((text) => {
    return present<RecordOf<'contract'>>({
      object: 'contract',
      id: namedId(plan, 'contract', text.slug),
      companyId: plan.id,
      name: text.name,
      description: text.description,
      content: text.content,
      ...definitionDates(text.archived ?? false),
    })
  })
}
