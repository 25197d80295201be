import { RESOURCE_TEXTS, STAFF_ROLES } from './equipment.ts'
import { mailOf, phoneOf, teamMember } from './people.ts'
import { type ResolvedPlan, numberOf } from './plan.ts'
import { Random } from './random.ts'
import { type RecordOf, present } from './records.ts'
import { COMPANY_START, DAY, HOUR, iso } from './times.ts'

/** Equipment and staff are added over most of a year. */
const BUILD_UP = 320 * DAY

/** `https://images.example.com/harborlight/…`, `@harborlight.example.com`. */
function webName(companyId: string): string {
  return companyId.replace(/^co_/, '').replaceAll(/[^a-zA-Z0-9]+/g, '-')
}

export function imageUrl(companyId: string, folder: string, name: string): string {
  return `https://images.example.com/${webName(companyId)}/${folder}/${name}.jpg`
}

/** Evenly spread, but every fifth has the same time as the previous one. */
function arrival(number: number, count: number): number {
  const order = number % 5 === 3 ? number - 1 : number
  return (
    COMPANY_START + 4 * DAY + Math.floor((BUILD_UP / (count + 1)) * order) + ((order * 37) % 480) * 60_000
  )
}

export function resourcesOf(plan: ResolvedPlan, locationIds: readonly string[]): RecordOf<'resource'>[] {
  // A company that shares ids starts at another entry, so that equal ids are different equipment.
  const first = plan.idTag === '' ? 0 : plan.idTag.charCodeAt(0)
  return Array.from({ length: plan.resources }, (_, index) => {
    const number = index + 1
    const text = RESOURCE_TEXTS[(first + index) % RESOURCE_TEXTS.length]
    if (text === undefined) throw new RangeError('No equipment')
    const copy = Math.floor(index / RESOURCE_TEXTS.length) + 1
    const id = `res_${numberOf(plan, number)}`
    const createdAt = arrival(number, plan.resources)
    return present<RecordOf<'resource'>>({
      object: 'resource',
      id,
      companyId: plan.id,
      name: copy === 1 ? text.name : `${text.name}, no. ${copy}`,
      description: text.description,
      imageUrl: text.hasImage ? imageUrl(plan.id, 'resources', id) : undefined,
      category: text.category,
      status: number % 9 === 0 ? 'Inactive' : 'Active',
      locationId: locationIds[index % locationIds.length] ?? '',
      createdAt: iso(createdAt),
      updatedAt: iso(number % 3 === 0 ? createdAt + 20 * DAY : createdAt),
    })
  })
}

export function staffOf(
  plan: ResolvedPlan,
  phonePrefixes: readonly string[],
  seed: number,
): RecordOf<'staff'>[] {
  const random = new Random(`${seed}/${plan.id}/staff`)
  const first = random.int(0, 2000)
  return Array.from({ length: plan.staff }, (_, index) => {
    const number = index + 1
    const person = teamMember(first + number)
    const createdAt = arrival(number, plan.staff) + HOUR
    const inactive = number % 6 === 4
    const phone = phoneOf(random, phonePrefixes[index % phonePrefixes.length] ?? '')
    return present<RecordOf<'staff'>>({
      object: 'staff',
      id: `staff_${numberOf(plan, number)}`,
      companyId: plan.id,
      firstName: person.firstName,
      lastName: person.lastName,
      email: mailOf(person, `${webName(plan.id)}.example.com`),
      phone: number % 7 === 3 ? undefined : phone,
      role: number % 8 === 5 ? undefined : STAFF_ROLES[index % STAFF_ROLES.length],
      status: inactive ? 'inactive' : 'active',
      createdAt: iso(createdAt),
      updatedAt: iso(inactive ? createdAt + 30 * DAY : createdAt),
    })
  })
}
