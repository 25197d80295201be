/** Keys that somebody put where they do not belong, into a path say: what is kept of it shows that there was one, no more. */
import { GENERATED_KEY } from './api-key.ts'

const HIDDEN = '[key]'
/** How often a text may have been percent-encoded. */
const ENCODED_MAX = 3
/** A key of 200 characters, each encoded as often: one that begins within the part that is kept is seen whole. */
const LONGEST_KEY = 200 * (2 * ENCODED_MAX + 1)

/** At most so many characters of the text, with every key in it hidden: of the form that we make, or the one that was sent. */
export function hideApiKeys(text: string, sentKey: string, maxLength: number): string {
  const looked = text.length > maxLength + LONGEST_KEY ? text.slice(0, maxLength + LONGEST_KEY) : text
  const mayHold = looked.includes('%') || looked.includes('eqs_') || looked.includes(sentKey)
  const shown = mayHold ? hideRanges(looked, findKeys(looked, sentKey)) : looked
  return shown.length > maxLength ? shown.slice(0, maxLength) : shown
}

/** Where something begins in the text, and where it ends. */
type Range = [start: number, end: number]

function findKeys(text: string, sentKey: string): Range[] {
  const found: Range[] = []
  // Characters of the text as decoded so far, and where each begins in the text itself.
  let characters = text.split('')
  let starts = characters.map((_, i) => i)
  for (let encoded = 0; ; encoded++) {
    const decoded = characters.join('')
    const add = (start: number, length: number) =>
      found.push([starts[start] ?? text.length, starts[start + length] ?? text.length])
    for (const match of decoded.matchAll(GENERATED_KEY)) add(match.index, match[0].length)
    for (let at = decoded.indexOf(sentKey); at !== -1; at = decoded.indexOf(sentKey, at + sentKey.length))
      add(at, sentKey.length)
    if (encoded === ENCODED_MAX || !decoded.includes('%')) return found
    ;({ characters, starts } = decodeOnce(decoded, starts))
  }
}

function decodeOnce(text: string, starts: readonly number[]): { characters: string[]; starts: number[] } {
  const decoded = { characters: [] as string[], starts: [] as number[] }
  for (let i = 0; i < text.length; i++) {
    decoded.starts.push(starts[i] ?? 0)
    const digits = text[i] === '%' ? text.slice(i + 1, i + 3) : ''
    if (/^[0-9a-f]{2}$/i.test(digits)) {
      decoded.characters.push(String.fromCharCode(Number.parseInt(digits, 16)))
      i += 2
    } else {
      decoded.characters.push(text.charAt(i))
    }
  }
  return decoded
}

function hideRanges(text: string, ranges: Range[]): string {
  let shown = ''
  let done = 0
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    // One that lies within another was hidden with it.
    if (start >= done) shown += text.slice(done, start) + HIDDEN
    done = Math.max(done, end)
  }
  return shown + text.slice(done)
}
