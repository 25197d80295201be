/** When a day of the calendar begins, in any zone. */

/** How far the clocks of a zone are ahead of UTC at an instant. */
function offsetMs(at: number, timeZone: string | undefined): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const value = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value)
  const local = Date.UTC(
    value('year'),
    value('month') - 1,
    value('day'),
    value('hour'),
    value('minute'),
    value('second'),
  )
  return local - Math.floor(at / 1_000) * 1_000
}

/** The instant at which `2026-05-01` begins in the zone; the browser's unless said. */
export function startOfDay(day: string, timeZone: string | undefined): string {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // The offset at the answer counts, which the first guess may miss by a change of the clocks.
  const guess = midnight - offsetMs(midnight, timeZone)
  return new Date(midnight - offsetMs(guess, timeZone)).toISOString()
}
