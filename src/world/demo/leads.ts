import type { Catalogue, PlaceEntry } from './catalogue.ts'
import { clientCompany, mailDomain, mailOf, personOf, phoneOf } from './people.ts'
import { type ResolvedPlan, numberOf } from './plan.ts'
import { Random } from './random.ts'
import { type RecordOf, present } from './records.ts'
import { ANCHOR, DAY, FIRST_QUOTE, iso } from './times.ts'

/** What is known of a lead. Mostly a person, but anything may be missing in an enquiry. */
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

/** Some clients ask twice. */
export function leadCount({ quotes }: ResolvedPlan): number {
  return Math.ceil(quotes * 0.6)
}

/** When the quote at this place of the company's sequence came in: evenly over the year, but not like a clock. */
export function arrivalOf({ plan, seed }: Catalogue, index: number): number {
  const step = (ANCHOR - 2 * DAY - FIRST_QUOTE) / plan.quotes
  const jitter = new Random(`${seed}/${plan.id}/arrival/${index}`).int(0, Math.floor(step * 0.8))
  return FIRST_QUOTE + Math.floor(step * index) + jitter
}

/** The lead of a quote: a new one, or one from shortly before. Never one who came later than the quote. */
export function leadIndexOf(plan: ResolvedPlan, quoteIndex: number, back: number): number {
  return Math.max(0, Math.floor((quoteIndex * leadCount(plan)) / plan.quotes) - back)
}

interface LeadEntry {
  record: RecordOf<'lead'>
  /** Where the lead lives, and mostly celebrates. */
  home: PlaceEntry
}

/** Leads are worked out whenever they are needed, so that none has to be remembered. */
export function leadOf(catalogue: Catalogue, index: number): LeadEntry {
  const { plan, seed, places } = catalogue
  const random = new Random(`${seed}/${plan.id}/lead/${index}`)
  const shape = random.pick(SHAPES)
  const person = personOf(random)
  const company = clientCompany(random)
  const ownMail = mailOf(person, mailDomain(random))
  const home = random.pick(places)
  const phone = phoneOf(random, home.place.phonePrefix)
  const firstQuote = Math.floor((index * plan.quotes) / leadCount(plan))
  const at = iso(arrivalOf(catalogue, firstQuote) - random.int(600, 3 * 86_400) * 1000)

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

/** What the lead is called where people are addressed; undefined when an enquiry came without any name. */
export function nameOfLead({ firstName, lastName, companyName }: RecordOf<'lead'>): string | undefined {
  if (firstName !== undefined) return lastName === undefined ? firstName : `${firstName} ${lastName}`
  return companyName
}
