/** The members of a company's profile that can be written. Absent members stay as they are. */
import { z } from 'zod'
import { colorProblem, parseColor } from '../core/accent-color.ts'
import { isCountryCode } from '../core/countries.ts'
import { NEXT_NUMBER_MAX } from '../core/document-numbers.ts'
import { hasAtMostCodePoints, isStorableText } from '../core/ids.ts'
import { logoUrl, readLogo } from '../core/images/logo.ts'
import { parseLocale } from '../core/locale.ts'
import { isCurrencyCode } from '../core/pricing/currencies.ts'
import { isTimeZone } from '../core/schedule/time-zones.ts'
import { isEmailAddress } from '../core/security/email.ts'

const DEFAULT_CHARGES_MAX = 20

const plain = (max: number) =>
  z
    .string('Enter a text.')
    .trim()
    .refine((text) => hasAtMostCodePoints(text, max), `Use at most ${max} characters.`)
    .refine(isStorableText, 'The text contains an invalid character.')

/** Cleared by an empty text or null. */
const optional = (max: number, check: (text: string) => boolean = () => true, message = '') =>
  plain(max)
    .nullable()
    .transform((text) => text || null)
    .refine((text) => text === null || check(text), message)

const integer = (min: number, max: number) => {
  const message = `Enter a whole number from ${min} to ${max}.`
  return z.int(message).min(min, message).max(max, message)
}

export const CompanyName = plain(200).refine((name) => name !== '', 'Enter the name of the company.')
export const Country = z.string('Choose a country.').refine(isCountryCode, 'Choose a country.')
export const CurrencyCode = z.string('Choose a currency.').refine(isCurrencyCode, 'Choose a currency.')
export const TimeZone = z.string('Choose a time zone.').refine(isTimeZone, 'Choose a time zone.')

/** Unknown tags become null. */
export const Locale = z.string().transform(parseLocale)

const KnownLocale = Locale.refine((locale) => locale !== null, 'Choose a language and region.')

const WEBSITE_MAX = 500

/** People type it without the scheme, which counts, too. */
const Website = optional(WEBSITE_MAX)
  .transform((text) => (text === null || /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`))
  .refine((text) => text === null || hasAtMostCodePoints(text, WEBSITE_MAX), 'Use at most 500 characters.')
  .refine((text) => text === null || isWebAddress(text), 'Enter a web address such as https://example.com.')

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username } = new URL(text)
  return /^https?:$/.test(protocol) && hostname.includes('.') && username === ''
}

const AccentColor = z
  .string('Enter a color such as #1f6f5c.')
  .transform((text, context) => {
    const message = colorProblem(text)
    if (message !== null) context.addIssue({ code: 'custom', message })
    return parseColor(text)
  })
  .nullable()

/** Sanitized. */
const LogoUrl = z
  .string('Choose an image.')
  .transform((url, context) => {
    const logo = readLogo(url)
    if (!('problem' in logo)) return logoUrl(logo)
    context.addIssue({ code: 'custom', message: logo.problem })
    return z.NEVER
  })
  .nullable()

const Id = z.string('Choose an entry of the list.').nullable()

export const CompanyInput = z
  .strictObject({
    name: CompanyName,
    legalName: optional(200),
    streetAddress: optional(500),
    city: optional(200),
    state: optional(100),
    zip: optional(40),
    country: Country.nullable(),
    email: optional(254, isEmailAddress, 'Enter an email address.'),
    phone: optional(50),
    taxNumber: optional(50),
    website: Website,
    logo: LogoUrl,
    accentColor: AccentColor,
    currency: CurrencyCode,
    timeZone: TimeZone.nullable(),
    locale: KnownLocale.nullable(),
    defaultTaxRateId: Id,
    defaultPaymentTermsId: Id,
    defaultContractId: Id,
    defaultServiceChargeIds: z
      .array(z.string(), 'Choose entries of the list.')
      .max(DEFAULT_CHARGES_MAX, `Choose at most ${DEFAULT_CHARGES_MAX} charges.`)
      .refine((ids) => new Set(ids).size === ids.length, 'Choose each charge once.'),
    quoteValidDays: integer(1, 3650),
    quotePrefix: plain(20),
    nextQuoteNumber: integer(1, NEXT_NUMBER_MAX),
    invoicePrefix: plain(20),
    nextInvoiceNumber: integer(1, NEXT_NUMBER_MAX),
    footer: optional(2_000),
    howToPay: optional(5_000),
  })
  .partial()

export type CompanyInput = z.output<typeof CompanyInput>
