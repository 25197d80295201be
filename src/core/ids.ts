/** Ids: opaque strings of 1 to 255 code points, compared byte for byte. */
import { V7Generator } from 'uuidv7'

const ID_MAX_CODE_POINTS = 255

/**
 * Whether any record can have this id. Clients may send anything. An id that PostgreSQL cannot store (NUL, lone surrogates)
 * or that is too long matches nothing, without a query.
 */
export function isPossibleId(id: string): boolean {
  return id !== '' && hasAtMostCodePoints(id, ID_MAX_CODE_POINTS) && isStorableText(id)
}

/** Whether PostgreSQL can store the text: no NUL, no lone surrogates. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Random bytes are fetched in bulk: a call per id would be a large part of the cost of a short request. */
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

/** A new id that sorts by creation time, with a prefix that names the record type: `key_0198…`. */
export function newId(prefix: string): string {
  return `${prefix}_${generator.generate().toString()}`
}

/** Sorts before every id that `newId` creates at or after this time in milliseconds, and after all earlier ones. */
export function idBefore(prefix: string, time: number): string {
  const digits = time.toString(16).padStart(12, '0')
  return `${prefix}_${digits.slice(0, 8)}-${digits.slice(8)}`
}

/** Counts code points only if the length leaves it open, so a text of megabytes costs nothing. */
export function hasAtMostCodePoints(text: string, max: number): boolean {
  return text.length <= max || (text.length <= 2 * max && countCodePoints(text) <= max)
}

/** Code points: an emoji outside the basic plane counts as one, not two. */
export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
