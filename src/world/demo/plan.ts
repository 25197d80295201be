import type { Plan, Role } from '../../core/enumerations.ts'
import type { Trade } from './offer.ts'
import type { BranchKey } from './branches.ts'
import type { ProfilePlan } from './profiles.ts'
import type { WorldRecord } from './records.ts'

export interface WorldOptions {
  /** Another seed gives another world of the same shape. */
  seed: number
  companies: readonly CompanyPlan[]
}

/** One company to generate. */
export interface CompanyPlan {
  id: string
  name: string
  plan: Plan
  /** For quotes of every branch that `branchCurrencies` does not name. */
  currency: string
  keys: readonly KeyPlan[]
  /** Default: none. */
  users?: readonly UserPlan[]
  /** Default: any address. */
  allowedIps?: readonly string[]
  /** Default: none. */
  profile?: ProfilePlan
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
  branches?: readonly BranchKey[]
  branchCurrencies?: Partial<Record<BranchKey, string>>
  /** Default: all of them. */
  trades?: readonly Trade[]
  /** Part of every id, so that companies share no ids: `mr` gives `quote_mr_0001`. */
  idTag?: string
  /** The first numbers have no tag, and so the same ids as a company without one. */
  sharedNumbers?: number
  holes?: readonly Hole[]
  /** Quotes for additional work on a booked event, by quote id. They have that booking, but are not booked. */
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

/** A reference to a missing record. In a list of ids it is added. */
export interface Hole {
  object: WorldRecord['object']
  id: string
  field: string
  /** The id of no record. */
  missing: string
  why: string
}

export type ResolvedPlan = Required<CompanyPlan>

export function resolvePlan(plan: CompanyPlan): ResolvedPlan {
  return {
    users: [],
    allowedIps: [],
    profile: {},
    daysPerQuote: 1.6,
    linesPerQuote: 5,
    resources: 12,
    staff: 10,
    branches: ['brooklyn', 'chicago', 'los_angeles'],
    branchCurrencies: {},
    trades: ['CATERING', 'BOOTH', 'BAR'],
    idTag: '',
    sharedNumbers: 0,
    holes: [],
    followUps: {},
    ...plan,
  }
}

/** `0017`, or `mr_0017` in a company with a tag. Ids have this after a prefix for the kind. */
export function numberOf({ idTag, sharedNumbers }: ResolvedPlan, number: number): string {
  const digits = String(number).padStart(4, '0')
  return idTag === '' || number <= sharedNumbers ? digits : `${idTag}_${digits}`
}

/** The id of a record with a name instead of a number: `svc_mobile_bar`, `svc_mr_mobile_bar`. */
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
