/**
 * Redacts API keys and other secrets that a client put in the wrong place, such as the path.
 */

const HIDDEN_KEY = '[key]'
const HIDDEN_VALUE = '[hidden]'
/** How many times a text may be percent-encoded. */
const ENCODED_MAX = 3
/** A key of 200 characters, each encoded as often, all of it: one that begins within the part that is kept is seen whole. */
const LONGEST_KEY = 200 * 3 ** ENCODED_MAX

/**
 * A key that we made, or most of one that was cut. What follows `eqs_` is looked at, not taken: it may be the beginning of
 * another.
 */
const OWN_KEY = /eqs_(?=([0-9A-Za-z]{12,40}))/g
/** Names of parameters whose values are secrets. */
const SECRET_VALUE =
  /(?<=[?&](?:(?:x[-_])?api[-_]?key|key|(?:access[-_])?token|auth|authorization|secret|password)=)[^&]+/gi

/**
 * The first `max` characters of the text with every secret redacted: generated keys, the key that was sent, and values of
 * parameters with secret names. The result is never longer than `max`.
 */
export function hideApiKeys(text: string, sentKey: string, maxLength: number): string {
  const looked = text.length > maxLength + LONGEST_KEY ? text.slice(0, maxLength + LONGEST_KEY) : text
  const mayHold =
    looked.includes('%') ||
    looked.includes('eqs_') ||
    looked.includes(sentKey) ||
    looked.search(SECRET_VALUE) !== -1
  // Redaction shortens the text. Nothing beyond its end may move up, since it may be a truncated key.
  const shown = mayHold ? hideRanges(looked, maxLength, findSecrets(looked, sentKey)) : looked
  return shown.length > maxLength ? shown.slice(0, maxLength) : shown
}

/** A range of the text and its replacement. */
interface Range {
  start: number
  end: number
  shown: string
}

/** Decoded text, with the position of each character in the original. */
interface Decoded {
  text: string
  starts: Int32Array
}

/** Linear in the length of the text for any key: anyone can choose both. */
function findSecrets(text: string, sentKey: string): Range[] {
  const keys: Range[] = []
  const values: Range[] = []
  const findKey = createKeySearch(sentKey)
  let decoded: Decoded = { text, starts: Int32Array.from({ length: text.length }, (_, i) => i) }
  for (let encoded = 0; ; encoded++) {
    const { starts } = decoded
    const startOf = (index: number) => starts[index] ?? text.length
    for (const { 0: start, 1: rest = '', index } of decoded.text.matchAll(OWN_KEY))
      keys.push({
        start: startOf(index),
        end: startOf(index + start.length + rest.length),
        shown: HIDDEN_KEY,
      })
    for (const { start, end } of findKey(decoded.text))
      keys.push({ start: startOf(start), end: startOf(end), shown: HIDDEN_KEY })
    findValues(text, decoded, values)
    // If two ranges start at the same position, the key wins.
    if (encoded === ENCODED_MAX || !decoded.text.includes('%')) return [...keys, ...values]
    decoded = decodeOnce(decoded)
  }
}

/** Adds values of secret parameters. One inside another is redacted with it. */
function findValues(text: string, { text: decoded, starts }: Decoded, values: Range[]): void {
  let hiddenTo = 0
  for (const { 0: value, index } of decoded.matchAll(SECRET_VALUE)) {
    const start = starts[index] ?? text.length
    if (start < hiddenTo) continue
    // An encoded `&` is part of the value.
    const next = text.indexOf('&', starts[index + value.length] ?? text.length)
    hiddenTo = next === -1 ? text.length : next
    values.push({ start, end: hiddenTo, shown: HIDDEN_VALUE })
  }
}

/**
 * Finds all places of the key, those that overlap as one (Knuth, Morris and Pratt): `aaaaaaaa` is in a row of 16,000 `a`
 * at nearly every place.
 */
function createKeySearch(key: string): (text: string) => { start: number; end: number }[] {
  if (key === '') return () => []
  // For each prefix of the key: the length of the longest shorter one that it ends with.
  const borders = new Int32Array(key.length)
  const advance = (matched: number, code: number): number => {
    let length = matched
    while (length > 0 && key.charCodeAt(length) !== code) length = borders[length - 1] ?? 0
    return key.charCodeAt(length) === code ? length + 1 : length
  }
  for (let i = 1; i < key.length; i++) borders[i] = advance(borders[i - 1] ?? 0, key.charCodeAt(i))
  return (text) => {
    const found: { start: number; end: number }[] = []
    let matched = 0
    for (let i = 0; i < text.length; i++) {
      matched = advance(matched, text.charCodeAt(i))
      if (matched < key.length) continue
      const start = i + 1 - key.length
      const last = found.at(-1)
      if (last !== undefined && start < last.end) last.end = i + 1
      else found.push({ start, end: i + 1 })
      matched = borders[matched - 1] ?? 0
    }
    return found
  }
}

const PERCENT = 0x25

function decodeOnce({ text, starts }: Decoded): Decoded {
  const codes = new Uint16Array(text.length)
  const codeStarts = new Int32Array(text.length)
  let length = 0
  for (let i = 0; i < text.length; i++) {
    codeStarts[length] = starts[i] ?? 0
    const code = text.charCodeAt(i)
    const decoded = code === PERCENT ? 16 * hexDigit(text, i + 1) + hexDigit(text, i + 2) : Number.NaN
    codes[length++] = Number.isNaN(decoded) ? code : decoded
    if (!Number.isNaN(decoded)) i += 2
  }
  const decodedText = Buffer.from(codes.buffer, 0, 2 * length).toString('utf16le')
  return { text: decodedText, starts: codeStarts.subarray(0, length) }
}

/** NaN if it is not a hexadecimal digit. */
function hexDigit(text: string, index: number): number {
  const code = text.charCodeAt(index)
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN
}

function hideRanges(text: string, maxLength: number, ranges: Range[]): string {
  let shown = ''
  let done = 0
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    if (range.start >= maxLength) break
    // Already redacted with the range around it.
    if (range.start >= done) shown += text.slice(done, range.start) + range.shown
    done = Math.max(done, range.end)
  }
  return shown + text.slice(done, Math.max(done, maxLength))
}
