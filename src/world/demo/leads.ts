import type { Catalog, BranchEntry } from './catalog.ts'
import { clientCompany, mailDomain, mailOf, personOf, phoneOf } from './people.ts'
import { type ResolvedPlan, numberOf } from './plan.ts'
import { Random } from './random.ts'
import { type RecordOf, present } from './records.ts'
import { ANCHOR, DAY, FIRST_QUOTE, iso } from './times.ts'

/** Which fields a lead has. Any can be missing. */
const SHAPES = [
  ...Array.from({ length: 9 }, () => 'PERSON' as const),
  ...Array.from({ length: 5 }, () => 'CONTACT_OF_COMPANY' as const),
  'PERSON_WITHOUT_PHONE',
  'PERSON_WITHOUT_PHONE',
  'PERSON_WITHOUT_EMAIL',
  'COMPANY',
  'COMPANY',
  'FIRST_NAME',
  'EMAIL',
  'PHONE',
] as const

/** Fewer leads than quotes: some ask twice. */
export function leadCount({ quotes }: ResolvedPlan): number {
  return Math.ceil(quotes * 0.6)
}

/** When the quote with this index was created: spread over the year with jitter. */
export function arrivalOf({ plan, seed }: Catalog, index: number): number {
  const step = (ANCHOR - 2 * DAY - FIRST_QUOTE) / plan.quotes
  const jitter = new Random(`${seed}/${plan.id}/arrival/${index}`).int(0, Math.floor(step * 0.8))
  return FIRST_QUOTE + Math.floor(step * index) + jitter
}

/** The lead of a quote: a new one or a recent one, never one created after the quote. */
export function leadIndexOf(plan: ResolvedPlan, quoteIndex: number, back: number): number {
  return Math.max(0, Math.floor((quoteIndex * leadCount(plan)) / plan.quotes) - back)
}

interface LeadEntry {
  record: RecordOf<'lead'>
  /** The nearest branch. */
  home: BranchEntry
}

/** Leads are generated whenever they are needed, so none is kept in memory. */
export function leadOf(catalog: Catalog, index: number): LeadEntry {
  const { plan, seed, branches } = catalog
  const random = new Random(`${seed}/${plan.id}/lead/${index}`)
  const shape = random.pick(SHAPES)
  const person = personOf(random)
  const company = clientCompany(random)
  const ownMail = mailOf(person, mailDomain(random))
  const home = random.pick(branches)
  const phone = phoneOf(random, home.text.phonePrefix)
  const firstQuote = Math.floor((index * plan.quotes) / leadCount(plan))
  const at = iso(arrivalOf(catalog, firstQuote) - random.int(600, 3 * 86_400) * 1000)

  const hasName = shape.startsWith('PERSON') || shape === 'CONTACT_OF_COMPANY'
  const hasCompany = shape === 'COMPANY' || shape === 'CONTACT_OF_COMPANY'
  const hasPhone = hasName ? shape !== 'PERSON_WITHOUT_PHONE' : shape === 'FIRST_NAME' || shape === 'PHONE'
  const hasMail = hasName ? shape !== 'PERSON_WITHOUT_EMAIL' : shape === 'COMPANY' || shape === 'EMAIL'
  const mail = hasCompany ? company.mail : ownMail
  const record = present<RecordOf<'lead'>>({
    object: 'lead',
    id: `lead_${numberOf(plan, index + 1)}`,
    companyId: plan.id,
    firstName: hasName || shape === 'FIRST_NAME' ? person.firstName : undefined,
    lastName: hasName ? person.lastName : undefined,
    email: hasMail ? mail : undefined,
    phone: hasPhone ? phone : undefined,
    companyName: hasCompany ? company.name : undefined,
    createdAt: at,
    updatedAt: at,
  })
  return { record, home }
}

/** Undefined for a lead without any name. */
export function nameOfLead({ firstName, lastName, companyName }: RecordOf<'lead'>): string | undefined {
  if (firstName !== undefined) return lastName === undefined ? firstName : `${firstName} ${lastName}`
  return companyName
}
