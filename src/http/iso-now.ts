/** The time as text, for what is done at every request: of a second only the milliseconds are written anew. */

let second = Number.NaN
let beforeMilliseconds = ''

/** What `new Date(now).toISOString()` gives, at a tenth of its cost where others of the same second were asked for. */
export function isoNow(now = Date.now()): string {
  const current = Math.floor(now / 1000)
  if (current !== second) {
    second = current
    beforeMilliseconds = new Date(current * 1000).toISOString().slice(0, -4)
  }
  return `${beforeMilliseconds}${String(now - current * 1000).padStart(3, '0')}Z`
}
