/** The types of the fields of the world format: what each accepts, how it is stored, how it is written back. */
import { isNetwork } from '../core/security/network.ts'
import { hashApiKey, isPossibleApiKey } from '../core/security/api-key.ts'
import { colorProblem, parseColor } from '../core/accent-color.ts'
import { isCountryCode } from '../core/countries.ts'
import { logoUrl, readLogo } from '../core/images/logo.ts'
import { parseLocale } from '../core/locale.ts'
import { isCurrencyCode } from '../core/pricing/currencies.ts'
import { readRevision } from '../core/quotes/revision.ts'
import { cutToMilliseconds, isoFromPostgres, parseDateTime } from '../core/schedule/datetime.ts'
import { isPossibleId, isStorableText } from '../core/ids.ts'
import { isPasswordHash } from '../core/security/password.ts'
import { ENDPOINT_TYPES_MAX, isTypePattern } from '../core/webhooks/endpoint-types.ts'
import { isFormSlug, parseOrigin } from '../core/forms/form-address.ts'
import { describeUrlProblem } from '../core/webhooks/endpoint-url.ts'
import type { Field } from './fields.ts'
import { listOf } from './list-type.ts'
import { isTimeZone } from '../core/schedule/time-zones.ts'

/** Told of each thing that is wrong: the path of the field, and why. */
export type Report = (field: string, reason: string) => void

export interface FieldType {
  /** The value as text that PostgreSQL reads; null when it is wrong, which has been reported. */
  store: (value: unknown, path: string, report: Report) => string | null
  /** The stored value, as text or as the driver gives it, as the format writes it. */
  show: (stored: unknown) => unknown
  /** The only values there are, where they are few. */
  values?: readonly string[]
  /** Holds several values, in an array. */
  isList?: true
  /** The fields of the object, or of each object of a list. */
  items?: readonly Field[]
}

const MONEY_MAX = 100_000_000_000
const INTEGER_MAX = 2 ** 31 - 1
const UNSTORABLE = 'without NUL characters or lone surrogates'

/** How times are nearly always written, and stored: right as it is on any day but February 29. */
const USUAL_TIME =
  /^(?!0000)\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

export const text = scalar(`a text ${UNSTORABLE}`, (value) =>
  typeof value === 'string' && isStorableText(value) ? value : null,
)

/** A required text. */
export const filledText = scalar(`a text that is not empty, ${UNSTORABLE}`, (value) =>
  typeof value === 'string' && value !== '' && isStorableText(value) ? value : null,
)

export const id = scalar(`an id: a text of 1 to 255 characters, ${UNSTORABLE}`, (value) =>
  typeof value === 'string' && isPossibleId(value) ? value : null,
)

export const boolean = scalar(
  'true or false',
  (value) => (typeof value === 'boolean' ? String(value) : null),
  // Text where it is a member of an object.
  (stored) => stored === true || stored === 'true',
)

export const integerUpTo = (max: number) =>
  scalar(`an integer from 0 to ${max}`, (value) => storeInteger(value, max), Number)

export const integer = integerUpTo(INTEGER_MAX)

/** Minor units of a currency. */
export const money = scalar(
  `an integer from 0 to ${MONEY_MAX}, in minor units`,
  (value) => storeInteger(value, MONEY_MAX),
  Number,
)

export const percentage = scalar(
  'a number or decimal text from 0 to 100 with at most 6 decimals',
  (value) => storeDecimal(value, /^\d{1,3}(\.\d{1,6})?$/, 100),
  Number,
)

export const quantity = scalar(
  'a number or decimal text from 0 to 1000000 with at most 4 decimals',
  (value) => storeDecimal(value, /^\d{1,7}(\.\d{1,4})?$/, 1_000_000),
  Number,
)

export const time = scalar(
  'a date-time such as 2026-03-01T09:30:00.000Z or 2026-03-01T09:30+02:00',
  (value) => {
    if (typeof value !== 'string') return null
    if (USUAL_TIME.test(value)) return value
    const instant = parseDateTime(value)
    return instant === null ? null : cutToMilliseconds(instant)
  },
  (stored) => isoFromPostgres(String(stored)),
)

export const currency = scalar('an ISO 4217 currency code', (value) =>
  typeof value === 'string' && isCurrencyCode(value) ? value : null,
)

export const timeZone = scalar('the name of an IANA time zone', (value) =>
  typeof value === 'string' && isTimeZone(value) ? value : null,
)

export const country = scalar('an ISO 3166-1 country code of two letters', (value) =>
  typeof value === 'string' && isCountryCode(value) ? value : null,
)

export const locale = scalar('a language tag such as en-US', (value) =>
  typeof value === 'string' ? parseLocale(value) : null,
)

export const color = scalar(
  'a color such as #1f6f5c with a contrast of at least 4.5 to 1 on white',
  (value) => (typeof value === 'string' && colorProblem(value) === null ? parseColor(value) : null),
)

/** Sanitized, as an upload is. */
export const logo: FieldType = {
  store: (value, path, report) => {
    const read =
      typeof value === 'string' ? readLogo(value) : { problem: 'Send the image as a data URL in base64.' }
    if (!('problem' in read)) return logoUrl(read)
    report(path, `is not a logo: ${read.problem}`)
    return null
  },
  show: (stored) => stored,
}

/** Exported as it is stored, so that its hash still matches. */
export const revisionContent = scalar('the content of a revision, as an export writes it', (value) =>
  typeof value === 'string' && isStorableText(value) && readRevision(value) !== null ? value : null,
)

/** A plain API key: it comes in, but only its hash is kept. */
export const apiKey = scalar('8 to 200 visible ASCII characters', (value) =>
  typeof value === 'string' && isPossibleApiKey(value) ? hashApiKey(value) : null,
)

export const apiKeyHash = scalar('a SHA-256 hash as 64 lower-case hexadecimal digits', (value) =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? value : null,
)

/** Never the password itself: a file must not reveal it. */
export const passwordHash = scalar('a hash such as $scrypt$ln=15,r=8,p=3$salt$hash', (value) =>
  typeof value === 'string' && isPasswordHash(value) ? value : null,
)

/** A prefix such as /00 is one that PostgreSQL does not take everywhere. */
const network = scalar('an IP address or a CIDR block without host bits', (value) =>
  typeof value === 'string' && isNetwork(value) && !/\/0\d/.test(value) ? value : null,
)

export const networkList = listOf(network)
export const idList = listOf(id, { distinct: true })

export const endpointUrl = scalar('an http or https URL without a user name or password', (value) =>
  typeof value === 'string' && isStorableText(value) && describeUrlProblem(value) === null ? value : null,
)

const endpointType = scalar('a type of change, such as quote.sent, quote.* or *', (value) =>
  typeof value === 'string' && isTypePattern(value) ? value : null,
)

export const endpointTypes = listOf(endpointType, { distinct: true, most: ENDPOINT_TYPES_MAX })

export const slug = scalar(
  '2 to 80 lower-case letters a to z, digits and single hyphens between them',
  (value) => (typeof value === 'string' && isFormSlug(value) ? value : null),
)

const origin = scalar('the origin of a site, such as https://example.com', (value) =>
  typeof value === 'string' ? parseOrigin(value) : null,
)

export const originListUpTo = (most: number) => listOf(origin, { distinct: true, most })

export const textListUpTo = (most: number) => listOf(filledText, { distinct: true, most })

/** Limited in number, all different. */
export function idListUpTo(most: number): FieldType {
  return listOf(id, { distinct: true, most })
}

export function oneOf(values: readonly string[]): FieldType {
  const known = new Set<unknown>(values)
  const type = scalar(`one of ${values.join(', ')}`, (value) => (known.has(value) ? String(value) : null))
  return { ...type, values }
}

function scalar(
  expected: string,
  store: (value: unknown) => string | null,
  show: (stored: unknown) => unknown = (stored) => stored,
): FieldType {
  return {
    store: (value, path, report) => {
      const stored = store(value)
      if (stored === null) report(path, `must be ${expected}`)
      return stored
    },
    show,
  }
}

function storeInteger(value: unknown, max: number): string | null {
  // String(-0) is "0".
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max ? String(value) : null
}

/** A number counts by its value: 1e1 is 10, and 0.1 + 0.2 has 17 decimals. */
function storeDecimal(value: unknown, grammar: RegExp, max: number): string | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null
  const decimal = String(value)
  return grammar.test(decimal) && Number(decimal) <= max ? decimal : null
}
