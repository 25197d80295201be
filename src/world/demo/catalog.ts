import {
  type CurrencyTerms,
  chargesOf,
  contractsOf,
  currentOf,
  definitionDates,
  discountsOf,
  paymentTermsOf,
} from './catalog-terms.ts'
import { imageUrl, resourcesOf, staffOf } from './catalog-team.ts'
import { type EventTypeText, EVENT_TYPES } from './event-types.ts'
import { type FormEntry, type Forms, formsOf } from './forms.ts'
import { type ItemText, ADDON_TEXTS, SERVICE_TEXTS } from './offer.ts'
import { type BranchText, BRANCHES } from './branches.ts'
import { packagesOf } from './packages.ts'
import { type ResolvedPlan, inCurrency, namedId } from './plan.ts'
import { type RecordOf, type WorldRecord, present } from './records.ts'
import { COMPANY_START, DAY, iso } from './times.ts'

export interface BranchEntry {
  text: BranchText
  location: RecordOf<'location'>
  currency: string
  tax: RecordOf<'taxRate'>
  formerTax: RecordOf<'taxRate'> | null
  /** Active equipment of this branch. */
  resources: RecordOf<'resource'>[]
}

export interface ItemEntry {
  record: RecordOf<'service'> | RecordOf<'addon'>
  text: ItemText
}

type Host = 'PEOPLE' | 'COMPANIES'

export interface EventTypeEntry {
  record: RecordOf<'eventType'>
  text: EventTypeText
}

/** The records that the quotes of one company refer to. Nothing else of the company is kept in memory. */
export interface Catalog {
  plan: ResolvedPlan
  seed: number
  branches: BranchEntry[]
  /** By host, then by the number of days. */
  eventTypes: Record<Host, { oneDay: EventTypeEntry[]; moreDays: EventTypeEntry[] }>
  services: ItemEntry[]
  addons: ItemEntry[]
  archivedServices: ItemEntry[]
  archivedAddons: ItemEntry[]
  terms: Map<string, CurrencyTerms>
  staff: RecordOf<'staff'>[]
  activeStaff: RecordOf<'staff'>[]
  forms: Forms
  /** All of these records, in reading order. */
  records: WorldRecord[]
}

function locationOf(plan: ResolvedPlan, key: string, text: BranchText): RecordOf<'location'> {
  const at = iso(COMPANY_START + DAY)
  return present<RecordOf<'location'>>({
    object: 'location',
    id: namedId(plan, 'loc', key),
    companyId: plan.id,
    name: text.name,
    streetAddress: text.streetAddress,
    city: text.city,
    state: text.state,
    zip: text.zip,
    timeZone: text.timeZone,
    createdAt: at,
    updatedAt: at,
  })
}

function taxRateOf(
  plan: ResolvedPlan,
  slug: string,
  [name, rate]: BranchText['tax'],
  archived: boolean,
): RecordOf<'taxRate'> {
  return present<RecordOf<'taxRate'>>({
    object: 'taxRate',
    id: namedId(plan, 'tax', slug),
    companyId: plan.id,
    name,
    rate,
    ...definitionDates(archived),
  })
}

function branchesOf(plan: ResolvedPlan): BranchEntry[] {
  return plan.branches.map((key) => {
    const text: BranchText = BRANCHES[key]
    return {
      text,
      location: locationOf(plan, key, text),
      currency: plan.branchCurrencies[key] ?? plan.currency,
      tax: taxRateOf(plan, key, text.tax, false),
      formerTax: text.formerTax ? taxRateOf(plan, `${key}_former`, text.formerTax, true) : null,
      resources: [],
    }
  })
}

function eventTypeOf(plan: ResolvedPlan, { slug, name }: EventTypeText): RecordOf<'eventType'> {
  const at = iso(COMPANY_START + DAY)
  return {
    object: 'eventType',
    id: namedId(plan, 'type', slug),
    companyId: plan.id,
    name,
    createdAt: at,
    updatedAt: at,
  }
}

function typesFor(entries: readonly EventTypeEntry[], host: Host): Catalog['eventTypes'][Host] {
  const oneDay = entries.filter(({ text }) => text.hosts === host || text.hosts === 'ANYBODY')
  return { oneDay, moreDays: oneDay.filter(({ text }) => text.lasts === 'DAYS') }
}

const UNITS = { hours: 'HOUR', guests: 'GUEST', pieces: undefined, flat: undefined } as const

function itemOf(
  plan: ResolvedPlan,
  object: 'service' | 'addon',
  text: ItemText,
  currencies: readonly string[],
): RecordOf<'service'> | RecordOf<'addon'> {
  const picture = text.slug.replaceAll('_', '-')
  return present<RecordOf<'service'> | RecordOf<'addon'>>({
    object,
    id: namedId(plan, object === 'service' ? 'svc' : 'addon', text.slug),
    companyId: plan.id,
    name: text.name,
    description: text.description,
    imageUrl: text.hasImage ? imageUrl(plan.id, `${object}s`, picture) : undefined,
    prices: currencies.map((currency) => ({ currency, unitPriceCents: inCurrency(text.usdCents, currency) })),
    unit: UNITS[text.unit],
    taxable: true,
    ...definitionDates(text.archived ?? false),
  })
}

function itemsOf(
  plan: ResolvedPlan,
  object: 'service' | 'addon',
  texts: readonly ItemText[],
  currencies: readonly string[],
): ItemEntry[] {
  return texts
    .filter(({ trade }) => plan.trades.includes(trade))
    .map((text) => ({ record: itemOf(plan, object, text, currencies), text }))
}

function isCurrent({ text }: ItemEntry): boolean {
  return !text.archived
}

function formRecords({ form, questions }: FormEntry): WorldRecord[] {
  return [form, ...questions.map(({ record }) => record)]
}

export function catalogOf(plan: ResolvedPlan, seed: number): Catalog {
  const branches = branchesOf(plan)
  const currencies = [...new Set(branches.map(({ currency }) => currency))]
  const eventTypes = EVENT_TYPES.map((text) => ({ record: eventTypeOf(plan, text), text }))
  const services = itemsOf(plan, 'service', SERVICE_TEXTS, currencies)
  const addons = itemsOf(plan, 'addon', ADDON_TEXTS, currencies)
  const discounts = discountsOf(plan, currencies)
  const charges = chargesOf(plan, currencies)
  const paymentTerms = paymentTermsOf(plan, currencies)
  const contracts = contractsOf(plan)
  const resources = resourcesOf(
    plan,
    branches.map(({ location }) => location.id),
  )
  for (const entry of branches) {
    entry.resources = resources.filter(
      ({ locationId, status }) => locationId === entry.location.id && status === 'Active',
    )
  }
  const staff = staffOf(
    plan,
    branches.map(({ text }) => text.phonePrefix),
    seed,
  )
  const forms = formsOf(plan, iso(COMPANY_START + 3 * DAY))

  const terms = new Map<string, CurrencyTerms>()
  for (const currency of currencies) {
    const fits = (entry: { currency?: string | undefined }) => (entry.currency ?? currency) === currency
    const former = {
      discounts: discounts.filter(fits),
      serviceCharges: charges.filter(fits),
      paymentTerms: paymentTerms.filter(fits).map(({ record }) => record),
      contracts,
    }
    terms.set(currency, { former, current: currentOf(former) })
  }

  return {
    plan,
    seed,
    branches,
    eventTypes: { PEOPLE: typesFor(eventTypes, 'PEOPLE'), COMPANIES: typesFor(eventTypes, 'COMPANIES') },
    services: services.filter(isCurrent),
    addons: addons.filter(isCurrent),
    archivedServices: services.filter((entry) => !isCurrent(entry)),
    archivedAddons: addons.filter((entry) => !isCurrent(entry)),
    terms,
    staff,
    activeStaff: staff.filter(({ status }) => status === 'active'),
    forms,
    records: [
      ...branches.map(({ location }) => location),
      ...eventTypes.map(({ record }) => record),
      ...services.map(({ record }) => record),
      ...addons.map(({ record }) => record),
      ...packagesOf(plan),
      ...discounts,
      ...branches.flatMap(({ tax, formerTax }) => (formerTax === null ? [tax] : [tax, formerTax])),
      ...paymentTerms.map(({ record }) => record),
      ...charges,
      ...contracts,
      ...resources,
      ...staff,
      ...formRecords(forms.quote),
      ...formRecords(forms.before),
      ...formRecords(forms.after),
    ],
  }
}
