/**
 * Keys and other secrets that somebody put where they do not belong, into a path say: what is kept of it shows that there
 * was one, no more.
 */

const HIDDEN_KEY = '[key]'
const HIDDEN_VALUE = '[hidden]'
/** How often a text may have been percent-encoded. */
const ENCODED_MAX = 3
/** A key of 200 characters, each encoded as often, all of it: one that begins within the part that is kept is seen whole. */
const LONGEST_KEY = 200 * 3 ** ENCODED_MAX

/**
 * A key that we made, or most of one that was cut. What follows `eqs_` is looked at, not taken: it may be the beginning of
 * another.
 */
const OWN_KEY = /eqs_(?=([0-9A-Za-z]{12,40}))/g
/** Parameters whose names say that their value is a secret. */
const SECRET_VALUE =
  /(?<=[?&](?:(?:x[-_])?api[-_]?key|key|(?:access[-_])?token|auth|authorization|secret|password)=)[^&]+/gi

/**
 * What stands in the first so many characters of the text, with every secret in it hidden: keys of the form that we make,
 * the one that was sent, and values of parameters that are named like one. It is never longer than that either.
 */
export function hideApiKeys(text: string, sentKey: string, maxLength: number): string {
  const looked = text.length > maxLength + LONGEST_KEY ? text.slice(0, maxLength + LONGEST_KEY) : text
  const mayHold =
    looked.includes('%') ||
    looked.includes('eqs_') ||
    looked.includes(sentKey) ||
    looked.search(SECRET_VALUE) !== -1
  // What is hidden makes the text shorter: nothing from behind its end may move up, it may be a key that was cut.
  const shown = mayHold ? hideRanges(looked, maxLength, findSecrets(looked, sentKey)) : looked
  return shown.length > maxLength ? shown.slice(0, maxLength) : shown
}

/** Where something begins in the text, where it ends, and what is shown in its place. */
interface Range {
  start: number
  end: number
  shown: string
}

function findSecrets(text: string, sentKey: string): Range[] {
  const keys: Range[] = []
  const values: Range[] = []
  // Characters of the text as decoded so far, and where each begins in the text itself.
  let characters = text.split('')
  let starts = characters.map((_, i) => i)
  for (let encoded = 0; ; encoded++) {
    const decoded = characters.join('')
    const rangeOf = (start: number, length: number) => ({
      start: starts[start] ?? text.length,
      end: starts[start + length] ?? text.length,
    })
    for (const { 0: start, 1: rest = '', index } of decoded.matchAll(OWN_KEY))
      keys.push({ ...rangeOf(index, start.length + rest.length), shown: HIDDEN_KEY })
    // Keys may lie across each other, where one ends as it begins.
    for (let at = decoded.indexOf(sentKey); at !== -1; at = decoded.indexOf(sentKey, at + 1))
      keys.push({ ...rangeOf(at, sentKey.length), shown: HIDDEN_KEY })
    for (const { 0: value, index } of decoded.matchAll(SECRET_VALUE)) {
      const { start, end } = rangeOf(index, value.length)
      // An encoded `&` is part of the value.
      const next = text.indexOf('&', end)
      values.push({ start, end: next === -1 ? text.length : next, shown: HIDDEN_VALUE })
    }
    // Of two that begin at the same place the key is what is shown.
    if (encoded === ENCODED_MAX || !decoded.includes('%')) return [...keys, ...values]
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

function hideRanges(text: string, maxLength: number, ranges: Range[]): string {
  let shown = ''
  let done = 0
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    if (range.start >= maxLength) break
    // One that lies within another was hidden with it.
    if (range.start >= done) shown += text.slice(done, range.start) + range.shown
    done = Math.max(done, range.end)
  }
  return shown + text.slice(done, Math.max(done, maxLength))
}
