/** The edited profile: what changed, and how the edits of two people are put together. */
import type { CompanyAnswer } from '../../../src/console/company.ts'

/** `logo` is the hash of the stored one, or the data URL of a new one. */
export type Values = Omit<CompanyAnswer['profile'], 'logoHash'> & { logo: string | null }
export type FieldName = keyof Values

export function valuesOf({ profile: { logoHash, ...profile } }: Pick<CompanyAnswer, 'profile'>): Values {
  return { ...profile, logo: logoHash }
}

export const LABELS: Record<FieldName, string> = {
  name: 'Company name',
  legalName: 'Legal name',
  taxNumber: 'Tax number',
  email: 'Email',
  phone: 'Phone',
  website: 'Website',
  streetAddress: 'Street',
  city: 'City',
  state: 'State or region',
  zip: 'ZIP or postal code',
  country: 'Country',
  logo: 'Logo',
  accentColor: 'Accent color',
  currency: 'Currency',
  timeZone: 'Time zone',
  locale: 'Dates and numbers',
  defaultTaxRateId: 'Tax rate',
  defaultPaymentTermsId: 'Payment terms',
  defaultContractId: 'Contract',
  defaultServiceChargeIds: 'Service charges',
  quoteValidDays: 'Days a quote is valid',
  quotePrefix: 'Prefix of quotes',
  nextQuoteNumber: 'Next quote number',
  invoicePrefix: 'Prefix of invoices',
  nextInvoiceNumber: 'Next invoice number',
  footer: 'Footer text',
  howToPay: 'How to pay',
}

const FIELDS = Object.keys(LABELS) as FieldName[]

/** An empty field is a value that is not set. */
const normal = (value: unknown) => JSON.stringify(value === '' || value === undefined ? null : value)
const isSame = (a: Values, b: Values, field: FieldName) => normal(a[field]) === normal(b[field])

export function changesOf(base: Values, draft: Values): Partial<Values> {
  const changed = FIELDS.filter((field) => !isSame(base, draft, field))
  return Object.fromEntries(changed.map((field) => [field, draft[field]]))
}

export interface Difference {
  field: FieldName
  by: 'me' | 'them' | 'both'
}

interface Versions {
  base: Values
  mine: Values
  theirs: Values
}

/** Fields in which my version differs from the stored one. */
export function listDifferences({ base, mine, theirs }: Versions): Difference[] {
  return FIELDS.filter((field) => !isSame(mine, theirs, field)).map((field) => {
    if (isSame(base, mine, field)) return { field, by: 'them' }
    return { field, by: isSame(base, theirs, field) ? 'me' : 'both' }
  })
}

/** Their version with my changes. */
export function rebase({ base, mine, theirs }: Versions): Values {
  return { ...theirs, ...changesOf(base, mine) }
}
