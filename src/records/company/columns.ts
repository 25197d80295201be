/** Companies. */
import { NEXT_NUMBER_MAX } from '../../core/document-numbers.ts'
import { PLANS } from '../../core/enumerations.ts'
import { defineColumns } from '../../codec/column.ts'
import {
  TIMES,
  color,
  country,
  currency,
  filledText,
  id,
  idList,
  integer,
  integerUpTo,
  locale,
  logo,
  networkList,
  oneOf,
  text,
  timeZone,
} from '../../codec/column-types.ts'

const SERVICE_CHARGES_MAX = 20

export const COMPANY_COLUMNS = defineColumns('company', 'companies', {
  id: id('company'),
  name: filledText(),
  plan: oneOf(PLANS),
  currency: currency(),
  allowedIps: networkList().default([]),
  legalName: text().nullable(),
  streetAddress: text().nullable(),
  city: text().nullable(),
  state: text().nullable(),
  zip: text().nullable(),
  country: country().nullable(),
  email: text().nullable(),
  phone: text().nullable(),
  taxNumber: text().nullable(),
  website: text().nullable(),
  timeZone: timeZone().nullable(),
  /** Decides how dates and numbers are written. */
  locale: locale().nullable(),
  accentColor: color().nullable(),
  logo: logo().nullable(),
  quoteValidDays: integer().default(30),
  quotePrefix: text().default('Q-'),
  nextQuoteNumber: integerUpTo(NEXT_NUMBER_MAX).default(1),
  invoicePrefix: text().default('INV-'),
  nextInvoiceNumber: integerUpTo(NEXT_NUMBER_MAX).default(1),
  footer: text().nullable(),
  howToPay: text().nullable(),
  defaultTaxRateId: id('tax rate').references('taxRate').nullable(),
  defaultPaymentTermsId: id('payment terms').references('paymentTerms').nullable(),
  defaultContractId: id('contract template').references('contract').nullable(),
  defaultServiceChargeIds: idList(SERVICE_CHARGES_MAX).references('serviceCharge').default([]),
  ...TIMES,
})
