import type { Plan, Role } from '../../core/enumerations.ts'
import type { Trade } from './offer.ts'
import type { PlaceKey } from './places.ts'
import type { WorldRecord } from './records.ts'

export interface WorldOptions {
  /** Another seed gives another world of the same shape. */
  seed: number
  companies: readonly CompanyPlan[]
}

/** One company to make up. Only what is required has to be said. */
export interface CompanyPlan {
  id: string
  name: string
  plan: Plan
  /** For quotes of every place that `placeCurrencies` does not name. */
  currency: string
  keys: readonly KeyPlan[]
  /** Default: nobody. */
  users?: readonly UserPlan[]
  /** Default: any address. */
  allowedIps?: readonly string[]
  quotes: number
  /** Average service days a quote; default 1.6. */
  daysPerQuote?: number
  /** Average line items a quote; default 5. */
  linesPerQuote?: number
  /** Default 12. */
  resources?: number
  /** Default 10. */
  staff?: number
  /** Default: three American cities. */
  places?: readonly PlaceKey[]
  placeCurrencies?: Partial<Record<PlaceKey, string>>
  /** Default: all of them. */
  trades?: readonly Trade[]
  /** In every id, so that two companies have no ids in common: `mr` gives `quote_mr_0001`. */
  idTag?: string
  /** The first numbers go without the tag: the same ids as in a company that has none. */
  sharedNumbers?: number
  holes?: readonly Hole[]
  /** Quotes for more work on an event that is booked, each with that booking. They are not booked themselves. */
  followUps?: Readonly<Record<string, string>>
}

export interface KeyPlan {
  name: string
  key: string
  revokedAt?: string
}

export interface UserPlan {
  email: string
  name: string
  role: Role
  passwordHash: string
}

/** A reference that leads nowhere. In a field of several ids it is added to them. */
export interface Hole {
  object: WorldRecord['object']
  id: string
  field: string
  /** The id that nothing has. */
  missing: string
  why: string
}

export type ResolvedPlan = Required<CompanyPlan>

export function resolvePlan(plan: CompanyPlan): ResolvedPlan {
  return {
    users: [],
    allowedIps: [],
    daysPerQuote: 1.6,
    linesPerQuote: 5,
    resources: 12,
    staff: 10,
    places: ['brooklyn', 'chicago', 'los_angeles'],
    placeCurrencies: {},
    trades: ['CATERING', 'BOOTH', 'BAR'],
    idTag: '',
    sharedNumbers: 0,
    holes: [],
    followUps: {},
    ...plan,
  }
}

/** `0017`, or `mr_0017` in a company with a tag. Ids are this with a prefix that tells the kind. */
export function numberOf({ idTag, sharedNumbers }: ResolvedPlan, number: number): string {
  const digits = String(number).padStart(4, '0')
  return idTag === '' || number <= sharedNumbers ? digits : `${idTag}_${digits}`
}

/** An id of something that has a name rather than a number: `svc_mobile_bar`, `svc_mr_mobile_bar`. */
export function namedId({ idTag }: ResolvedPlan, prefix: string, slug: string): string {
  return idTag === '' ? `${prefix}_${slug}` : `${prefix}_${idTag}_${slug}`
}

/** Rough exchange rates from US cents to the minor unit, and the step that prices are rounded to. */
const CURRENCIES: Readonly<Record<string, readonly [rate: number, step: number]>> = {
  USD: [1, 1],
  EUR: [0.92, 5],
  GBP: [0.79, 5],
  CAD: [1.36, 5],
  JPY: [1.5, 10],
}

export function inCurrency(usdCents: number, currency: string): number {
  const [rate, step] = CURRENCIES[currency] ?? [1, 1]
  return Math.round((usdCents * rate) / step) * step
}
