/** Ids: opaque strings of 1 to 255 code points, compared byte for byte. */
import { V7Generator } from 'uuidv7'

const ID_MAX_CODE_POINTS = 255

/**
 * Whether any record can have this id. A caller may send anything as an id; what PostgreSQL could not even take as text
 * (NUL, half a surrogate pair) or what is too long simply matches nothing, without asking the database.
 */
export function isPossibleId(id: string): boolean {
  return id !== '' && hasAtMostCodePoints(id, ID_MAX_CODE_POINTS) && isStorableText(id)
}

/** Whether PostgreSQL can hold the text: no NUL, no half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Fetched many at once: a call for every few ids would be a good part of the cost of a short request. */
const random = new Uint32Array(1024)
let randomUsed = random.length
const generator = new V7Generator({
  nextUint32: () => {
    if (randomUsed === random.length) {
      crypto.getRandomValues(random)
      randomUsed = 0
    }
    return random[randomUsed++] ?? 0
  },
})

/** A new id that sorts by time of creation, with a prefix that tells people what it is: `key_0198…`. */
export function newId(prefix: string): string {
  return `${prefix}_${generator.generate().toString()}`
}

/** Before every id that `newId` makes at this time, in milliseconds, or later; after those that it made earlier. */
export function idBefore(prefix: string, time: number): string {
  const digits = time.toString(16).padStart(12, '0')
  return `${prefix}_${digits.slice(0, 8)}-${digits.slice(8)}`
}

/** Counts only where the length does not tell: a text of megabytes costs nothing. */
export function hasAtMostCodePoints(text: string, max: number): boolean {
  return text.length <= max || (text.length <= 2 * max && countCodePoints(text) <= max)
}

/** Characters as people mean them on the wire: an emoji outside the basic plane is one, not two. */
export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
