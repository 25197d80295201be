/** Plans the booking of a quote: one event per service day. The page previews the same plan. */
import { leadName } from '../lead-name.ts'
import type { LeadNames } from '../lead-name.ts'
import type { QuoteContent } from './quote-edit.ts'

/** Why such a quote cannot be booked. */
export const NO_SERVICE_DAYS = 'This quote has no days, so it cannot be booked. Edit the quote to add a day.'

export interface PlannedEvent {
  name: string | null
  serviceStartTime: string
  serviceEndTime: string
  multiDay: boolean
  serviceIds: string[]
  addonIds: string[]
}

/** Null if there is no such lead, or it has no name. */
export function clientName(lead: LeadNames | null): string | null {
  const name = lead === null ? '' : leadName(lead)
  return name === '' ? null : name
}

export function planEvents(
  { client, eventType }: { client: string | null; eventType: string | null },
  { serviceDays: days, lines: all }: Pick<QuoteContent, 'serviceDays' | 'lines'>,
  catalog: { services: readonly { id: string }[]; addons: readonly { id: string }[] },
): PlannedEvent[] {
  const names = [client, eventType].filter((name) => name !== null)
  const name = names.length === 0 ? null : names.join(': ')
  const dayIds = new Set(days.map(({ id }) => id))
  return days.map(({ id, serviceStartTime, serviceEndTime }, index) => {
    // Lines without a day belong to every day.
    const lines = all.filter(
      ({ selected, serviceDayId }) =>
        selected && (serviceDayId === null || serviceDayId === id || !dayIds.has(serviceDayId)),
    )
    return {
      name: name === null || days.length === 1 ? name : `${name}, day ${index + 1} of ${days.length}`,
      serviceStartTime,
      serviceEndTime,
      multiDay: days.length > 1,
      serviceIds: foundIds(
        catalog.services,
        lines.map(({ serviceId }) => serviceId),
      ),
      addonIds: foundIds(
        catalog.addons,
        lines.map(({ addonId }) => addonId),
      ),
    }
  })
}

/** Unique, without those that do not exist. */
function foundIds(items: readonly { id: string }[], ids: readonly (string | null)[]): string[] {
  const known = new Set(items.map(({ id }) => id))
  return [...new Set(ids.flatMap((id) => (id !== null && known.has(id) ? id : [])))]
}
