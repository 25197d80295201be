import type { PaymentSchedule } from '../../core/enumerations.ts'

/** The discounts, charges, terms and contracts of generated companies. Amounts are in US cents, converted for each currency. */

export interface Ending {
  /** Part of the id. */
  slug: string
  name: string
  archived?: true
}

interface PercentOrAmount extends Ending {
  percent?: number
  usdCents?: number
}

export const DISCOUNT_TEXTS: readonly PercentOrAmount[] = [
  { slug: 'early_bird', name: 'Early bird', percent: 10 },
  { slug: 'non_profit', name: 'Non-profit rate', percent: 12.5 },
  { slug: 'returning', name: 'Returning customer', percent: 5 },
  { slug: 'third_day', name: 'Three days for the price of two', percent: 33.333333 },
  { slug: 'referral', name: 'Referral credit', usdCents: 15_000 },
  { slug: 'goodwill', name: 'Goodwill after a late arrival', usdCents: 7_550 },
  { slug: 'opening_season', name: 'Opening season 2025', percent: 17.5, archived: true },
]

export const CHARGE_TEXTS: readonly (PercentOrAmount & { taxable: boolean })[] = [
  { slug: 'administration', name: 'Administration', percent: 18, taxable: true },
  { slug: 'card_processing', name: 'Card processing', percent: 2.95, taxable: false },
  { slug: 'insurance', name: 'Event insurance', usdCents: 7_500, taxable: false },
  { slug: 'late_crew', name: 'Late crew', usdCents: 24_000, taxable: true },
  { slug: 'fuel', name: 'Fuel surcharge (winter 2025)', percent: 4.125, taxable: true, archived: true },
]

interface TermsText extends Ending {
  schedule: PaymentSchedule
  depositPercent?: number
  depositUsdCents?: number
  dueDays: number
}

export const TERMS_TEXTS: readonly TermsText[] = [
  {
    slug: 'half_deposit',
    name: 'Half now, half before the event',
    schedule: 'DEPOSIT',
    depositPercent: 50,
    dueDays: 14,
  },
  {
    slug: 'third_deposit',
    name: 'A third to hold the date',
    schedule: 'DEPOSIT',
    depositPercent: 33.333333,
    dueDays: 7,
  },
  { slug: 'fixed_deposit', name: 'Fixed deposit', schedule: 'DEPOSIT', depositUsdCents: 50_000, dueDays: 10 },
  { slug: 'full', name: 'Paid in full at booking', schedule: 'FULL', dueDays: 0 },
  { slug: 'card', name: 'Card on file, charged after the event', schedule: 'CARD_ON_FILE', dueDays: 0 },
  { slug: 'net_30', name: 'Invoice, 30 days', schedule: 'INVOICE_ONLY', dueDays: 30 },
  {
    slug: 'net_45',
    name: 'Invoice, 45 days (public bodies)',
    schedule: 'INVOICE_ONLY',
    dueDays: 45,
    archived: true,
  },
]

export const CONTRACT_TEXTS: readonly (Ending & { description?: string; content: string })[] = [
  {
    slug: 'standard',
    name: 'Standard agreement',
    description: 'For private events of one day.',
    content:
      'The company provides the services named in the quote at the address and times named there. The client sees to ' +
      'access, power and a level surface. Cancellation is free until thirty days before the event; later, the deposit ' +
      'is kept. The company is insured for damage that its crew causes.',
  },
  {
    slug: 'multi_day',
    name: 'Multi-day agreement',
    description: 'Adds storage overnight, crew rest times and a daily sign-off.',
    content:
      'Equipment stays on site between the service days. The client locks the room or pays for a guard. Crew members ' +
      'rest eleven hours between shifts. The site contact signs off each day before the crew leaves.',
  },
  {
    slug: 'corporate',
    name: 'Corporate framework',
    content:
      'Orders under this framework need a purchase order number. Invoices are due as agreed in the payment terms. ' +
      'Pictures of guests are deleted after ninety days unless the client asks for an earlier date.',
  },
  {
    slug: 'standard_2024',
    name: 'Standard agreement (2024)',
    description: 'Superseded; older quotes still refer to it.',
    content:
      'The deposit is kept in every case of cancellation. Disputes go to the courts of the company’s seat.',
    archived: true,
  },
]
