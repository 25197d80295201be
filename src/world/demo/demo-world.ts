import { bookingRecords } from './bookings.ts'
import { catalogOf } from './catalog.ts'
import { ownEvents } from './events.ts'
import { DEMO_HOLES, withHoles } from './holes.ts'
import { leadCount, leadOf } from './leads.ts'
import {
  type KeyPlan,
  type ResolvedPlan,
  type UserPlan,
  type WorldOptions,
  namedId,
  resolvePlan,
} from './plan.ts'
import { DEMO_PROFILES } from './profiles.ts'
import { quoteBundle } from './quotes.ts'
import { type RecordOf, type WorldRecord, present } from './records.ts'
import { quoteResponses } from './responses.ts'
import { COMPANY_START, DAY, iso } from './times.ts'
import { demoUsersOf } from './users.ts'

interface DemoKey {
  name: string
  key: string
  /** The company's id. */
  company: string
  /** Its purpose, for the documentation. */
  shows: string
  revokedAt?: string
}

/** The keys of the demo world. They are public: fixed, so that documentation can quote them. */
export const DEMO_KEYS: readonly [DemoKey, ...DemoKey[]] = [
  {
    name: 'Harborlight website',
    key: 'eqs_demo_harborlight',
    company: 'co_harborlight',
    shows: 'Everything: plan PREMIUM, 285 quotes in USD, EUR and JPY',
  },
  {
    name: 'Harborlight, former agency',
    key: 'eqs_demo_harborlight_revoked',
    company: 'co_harborlight',
    shows: '401: the key was revoked',
    revokedAt: '2026-08-14T09:30:00.000Z',
  },
  {
    name: 'Maison Rivage bookkeeping',
    key: 'eqs_demo_maison_rivage',
    company: 'co_maison_rivage',
    shows: 'Another company on PREMIUM: 38 quotes in EUR, some ids the same as Harborlight’s',
  },
  {
    name: 'Prairie Lantern dashboard',
    key: 'eqs_demo_prairie_lantern',
    company: 'co_prairie_lantern',
    shows: 'Plan LEGACY_PRO: 23 quotes in CAD, only the two quote reads; 401 for the rest',
  },
  {
    name: 'Copper Kettle trial',
    key: 'eqs_demo_copper_kettle',
    company: 'co_copper_kettle',
    shows: '401: plan BASIC has no API access',
  },
  {
    name: 'Northgate data warehouse',
    key: 'eqs_demo_northgate',
    company: 'co_northgate',
    shows: '401: plan PREMIUM, but calls are allowed from 203.0.113.0/24 and 2001:db8:4::/48 only',
  },
]

function demoKeysOf(company: string): KeyPlan[] {
  return DEMO_KEYS.filter((key) => key.company === company)
}

/** The demo world. */
export const DEMO_WORLD: WorldOptions = {
  seed: 20_261_101,
  companies: [
    {
      id: 'co_harborlight',
      name: 'Harborlight Events',
      plan: 'PREMIUM',
      currency: 'USD',
      keys: demoKeysOf('co_harborlight'),
      users: demoUsersOf('co_harborlight'),
      profile: DEMO_PROFILES.co_harborlight,
      quotes: 300,
      resources: 40,
      staff: 25,
      branches: ['brooklyn', 'chicago', 'denver', 'los_angeles', 'lisbon', 'tokyo'],
      branchCurrencies: { lisbon: 'EUR', tokyo: 'JPY' },
      holes: DEMO_HOLES,
      followUps: { quote_0242: 'book_0241' },
    },
    {
      id: 'co_maison_rivage',
      name: 'Maison Rivage',
      plan: 'PREMIUM',
      currency: 'EUR',
      keys: demoKeysOf('co_maison_rivage'),
      users: demoUsersOf('co_maison_rivage'),
      profile: DEMO_PROFILES.co_maison_rivage,
      quotes: 40,
      branches: ['paris', 'lyon'],
      idTag: 'mr',
      // quote_0001, res_0001, staff_0001 ... up to 3 exist at Harborlight, too: ids are unique per company only.
      sharedNumbers: 3,
    },
    {
      id: 'co_prairie_lantern',
      name: 'Prairie Lantern',
      plan: 'LEGACY_PRO',
      currency: 'CAD',
      keys: demoKeysOf('co_prairie_lantern'),
      users: demoUsersOf('co_prairie_lantern'),
      quotes: 24,
      branches: ['winnipeg'],
      trades: ['BOOTH', 'BAR'],
      idTag: 'pl',
    },
    {
      id: 'co_copper_kettle',
      name: 'Copper Kettle Catering',
      plan: 'BASIC',
      currency: 'GBP',
      keys: demoKeysOf('co_copper_kettle'),
      users: demoUsersOf('co_copper_kettle'),
      quotes: 8,
      branches: ['bristol'],
      trades: ['CATERING'],
      idTag: 'ck',
    },
    {
      id: 'co_northgate',
      name: 'Northgate Corporate Events',
      plan: 'PREMIUM',
      currency: 'USD',
      keys: demoKeysOf('co_northgate'),
      users: demoUsersOf('co_northgate'),
      // Blocks for documentation, from which no request comes.
      allowedIps: ['203.0.113.0/24', '2001:db8:4::/48'],
      quotes: 16,
      branches: ['seattle'],
      idTag: 'ng',
    },
  ],
}

function companyOf({
  id,
  name,
  plan,
  currency,
  allowedIps,
  quotes,
  profile,
}: ResolvedPlan): RecordOf<'company'> {
  const at = iso(COMPANY_START)
  return present<RecordOf<'company'>>({
    object: 'company',
    id,
    name,
    plan,
    currency,
    allowedIps: allowedIps.length === 0 ? undefined : allowedIps,
    nextQuoteNumber: quotes + 1,
    ...profile,
    createdAt: at,
    updatedAt: at,
  })
}

function keyOf(plan: ResolvedPlan, { name, key, revokedAt }: KeyPlan, index: number): RecordOf<'apiKey'> {
  const createdAt = iso(COMPANY_START + (index + 1) * DAY)
  return present<RecordOf<'apiKey'>>({
    object: 'apiKey',
    id: namedId(plan, 'key', String(index + 1)),
    companyId: plan.id,
    name,
    key,
    revokedAt,
    createdAt,
    updatedAt: revokedAt ?? createdAt,
  })
}

function userOf(plan: ResolvedPlan, user: UserPlan, index: number): RecordOf<'user'> {
  const at = iso(COMPANY_START + (index + 1) * DAY)
  const id = namedId(plan, 'user', String(index + 1))
  return { object: 'user', id, companyId: plan.id, ...user, createdAt: at, updatedAt: at }
}

function* companyRecords(plan: ResolvedPlan, seed: number): Generator<WorldRecord> {
  yield companyOf(plan)
  for (const [index, key] of plan.keys.entries()) yield keyOf(plan, key, index)
  for (const [index, user] of plan.users.entries()) yield userOf(plan, user, index)
  const catalog = catalogOf(plan, seed)
  yield* catalog.records
  for (let index = 0; index < leadCount(plan); index++) yield leadOf(catalog, index).record
  let bookings = 0
  for (let index = 0; index < plan.quotes; index++) {
    const bundle = quoteBundle(catalog, index)
    yield bundle.quote
    for (const { record } of bundle.days) yield record
    for (const { record } of bundle.lines) yield record
    if (bundle.enquiry.state === 'BOOKED') yield* bookingRecords(catalog, bundle, bookings++)
    yield* quoteResponses(catalog, bundle)
  }
  yield* ownEvents(catalog)
}

/**
 * Generates companies, record by record in the world format. The same options always give the same records. Only one
 * company's catalog and one quote are in memory at a time, so a world can have any size.
 */
export function* generateWorld({ seed, companies }: WorldOptions): Generator<WorldRecord> {
  for (const company of companies) {
    const plan = resolvePlan(company)
    const records = companyRecords(plan, seed)
    yield* plan.holes.length === 0 ? records : withHoles(records, plan.holes)
  }
}
