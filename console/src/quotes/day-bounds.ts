/** When a day of the calendar begins, in any zone. */
import { instantAt } from '../../../src/core/schedule/local-time.ts'

/** The instant at which `2026-05-01` begins in the zone; the browser's unless said. */
export function startOfDay(day: string, timeZone: string | undefined): string {
  return instantAt(day, '00:00', timeZone) ?? `${day}T00:00:00.000Z`
}
