/** Strict JSON bodies: refuses text that cannot be stored or is ambiguous. Every step is linear in the size of the body. */

import { setImmediate as nextIteration } from 'node:timers/promises'
import { createLimiter } from '../core/requests/limiter.ts'

/** Parsing takes milliseconds from here on. */
const LARGE_BYTES = 32 * 1024
const parseQueue = createLimiter(1)

/** One large body per iteration of the event loop, so that requests of others get on. Wait before taking a slot. */
export async function waitToParse(bytes: Buffer): Promise<void> {
  if (bytes.length > LARGE_BYTES) await parseQueue(() => nextIteration())
}

/** How much a body may hold. Parsing and validating a million values blocks the event loop for a second. */
export interface BodyLimits {
  /** Levels of objects and arrays. */
  depth: number
  /** Members and elements on all levels together. An empty object or array counts twice. */
  values: number
}

/** The object that was sent, or why it is refused. */
export function readJsonObject(
  contentType: string | undefined,
  bytes: Buffer | undefined,
  limits?: BodyLimits,
): { object: object } | { reason: string } {
  if (!isJson(contentType)) return { reason: 'send the body as JSON, with content-type: application/json' }
  const excess = limits === undefined || bytes === undefined ? null : findExcess(bytes, limits)
  if (excess !== null) return { reason: excess }
  const parsed = parse(bytes)
  if (parsed === null) return { reason: 'the body is not valid JSON in UTF-8' }
  const { text, value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { reason: 'the body must be a JSON object' }
  }
  if (bytes?.includes(BACKSLASH) === true && ESCAPED_SURROGATE.test(text) && hasLoneSurrogate(text)) {
    return { reason: 'the body has a text with half of a surrogate pair' }
  }
  return { object: value }
}

function isJson(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase())
  const charsets = parameters.filter((part) => part.startsWith('charset'))
  return type === 'application/json' && charsets.every((part) => /^charset=("?)utf-?8\1$/.test(part))
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function parse(bytes: Buffer | undefined): { text: string; value: unknown } | null {
  try {
    const text = decoder.decode(bytes)
    return { text, value: JSON.parse(text) as unknown }
  } catch {
    return null
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LETTER_U = 0x75
const OPENING_BRACKET = 0x5b
const OPENING_BRACE = 0x7b

const COMMA = 0x2c
/** The bytes that matter outside of strings. */
const STRUCTURE = Array.from('"[]{},', (character) => character.charCodeAt(0))
const IS_STRUCTURE = new Uint8Array(256)
for (const byte of STRUCTURE) IS_STRUCTURE[byte] = 1

/** Counts separators and brackets without parsing, and stops at the first one over a limit. */
function findExcess(bytes: Buffer, limits: BodyLimits): string | null {
  // A native search finds out about most bodies: they have too few of them, inside of strings or not.
  const left = limits.depth - countUpTo(bytes, '{', limits.depth) - countUpTo(bytes, '[', limits.depth)
  if (left >= 0 && countUpTo(bytes, ',', limits.values) + limits.depth <= limits.values) return null
  const findStructure = createStructureSearch(bytes)
  const skipString = createStringSkip(bytes)
  const tooMany = `the body must not hold more than ${limits.values} values`
  let depth = 0
  let values = 0
  let strings = 0
  for (let i = findStructure(0); i < bytes.length; i = findStructure(i + 1)) {
    const byte = bytes[i]
    if (byte === QUOTE) {
      i = skipString(i + 1)
      // A value has at most one name, so a body with more strings than this is not valid.
      if (++strings > 2 * limits.values + 1) return tooMany
    } else if (byte === COMMA || byte === OPENING_BRACKET || byte === OPENING_BRACE) {
      if (++values > limits.values) return tooMany
      if (byte !== COMMA && ++depth > limits.depth)
        return `the body must not be nested more than ${limits.depth} levels deep`
    } else depth--
  }
  return null
}

/** Gaps up to this length are scanned byte by byte, longer ones natively, which takes longer to start. */
const SHORT_GAP = 32

/** Finds the next structural byte from a position on, or the end. Positions must not decrease. */
function createStructureSearch(bytes: Buffer): (start: number) => number {
  /** The next position of each structural byte, if it is not before the current one. */
  const next = STRUCTURE.map(() => -1)
  return (start) => {
    const near = Math.min(bytes.length, start + SHORT_GAP)
    for (let i = start; i < near; i++) if (IS_STRUCTURE[bytes[i] ?? 0] === 1) return i
    let first = bytes.length
    for (const [k, byte] of STRUCTURE.entries()) {
      const known = next[k] ?? -1
      const at = known < near ? indexOrEnd(bytes, byte, near) : known
      next[k] = at
      if (at < first) first = at
    }
    return first
  }
}

/** How often the character is there, and no more than one over `max`. */
function countUpTo(bytes: Buffer, character: string, max: number): number {
  const code = character.charCodeAt(0)
  let count = 0
  for (let at = bytes.indexOf(code); at !== -1 && count <= max; at = bytes.indexOf(code, at + 1)) count++
  return count
}

/** Longer strings are searched natively, which takes longer to start. */
const SHORT_STRING = 64

/** Finds where the string that begins at a place has its closing quote. */
function createStringSkip(bytes: Buffer): (start: number) => number {
  const { length } = bytes
  /** Searched for once, not once for each string: the next one may be far away. */
  let nextBackslash = -1
  const skipUpTo = (start: number, end: number): number => {
    let i = start
    for (; i < end; i++) {
      const byte = bytes[i]
      if (byte === QUOTE) break
      if (byte === BACKSLASH) i++
    }
    return i
  }
  return (start) => {
    const shortEnd = Math.min(length, start + SHORT_STRING)
    const i = skipUpTo(start, shortEnd)
    if (i < shortEnd) return i
    if (nextBackslash < i) nextBackslash = indexOrEnd(bytes, BACKSLASH, i)
    const quote = indexOrEnd(bytes, QUOTE, i)
    return quote < nextBackslash ? quote : skipUpTo(i, length)
  }
}

function indexOrEnd(bytes: Buffer, byte: number, start: number): number {
  const index = bytes.indexOf(byte, start)
  return index === -1 ? bytes.length : index
}

/** Half of a surrogate pair can only come from an escape. Most bodies have none and need no scan. */
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/

/** Reads the escapes of valid JSON one after the other, so that an escaped backslash is not taken for the next one. */
function hasLoneSurrogate(json: string): boolean {
  for (let i = json.indexOf('\\'); i !== -1; i = json.indexOf('\\', i + 1)) {
    i++
    if (json.charCodeAt(i) !== LETTER_U) continue
    const half = surrogateAt(json, i + 1)
    i += 4
    if (half === null) continue
    const isPair =
      half === 'first' &&
      json.charCodeAt(i + 1) === BACKSLASH &&
      json.charCodeAt(i + 2) === LETTER_U &&
      surrogateAt(json, i + 3) === 'second'
    if (!isPair) return true
    i += 6
  }
  return false
}

/** Which half of a pair four hexadecimal digits are: D800 to DBFF, or DC00 to DFFF. */
function surrogateAt(json: string, start: number): 'first' | 'second' | null {
  const [D, EIGHT, NINE, B, LOWER_CASE] = [0x64, 0x38, 0x39, 0x62, 0x20]
  if ((json.charCodeAt(start) | LOWER_CASE) !== D) return null
  const digit = json.charCodeAt(start + 1)
  if (digit < EIGHT) return null
  return digit <= NINE || (digit | LOWER_CASE) <= B ? 'first' : 'second'
}
