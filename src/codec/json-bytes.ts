/** Writes parts of JSON into a buffer as UTF-8. Each function returns the position after it; the caller provides the room. */

/** The maximum number of bytes per character: escaped, as in `\u001f`. */
export const CHARACTER_MAX_BYTES = 6

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** 1 for characters that are written as one byte, unescaped. */
const PLAIN = new Uint8Array(0x1_0000).fill(1, 0x20, 0x80)
PLAIN[QUOTE] = 0
PLAIN[BACKSLASH] = 0

/** As JSON.stringify escapes it. */
function escaped(code: number): Uint8Array {
  return Uint8Array.from(Buffer.from(JSON.stringify(String.fromCharCode(code)).slice(1, -1)))
}

/** For all of ASCII. */
const ESCAPED = Array.from({ length: 0x80 }, (_, code) => escaped(code))

export function writeBytes(out: Uint8Array, start: number, bytes: Uint8Array): number {
  for (let i = 0; i < bytes.length; i++) out[start + i] = bytes[i] ?? 0
  return start + bytes.length
}

/** A part of an ASCII text, unescaped. */
export function writeAscii(out: Uint8Array, start: number, text: string, from: number, to: number): number {
  let at = start
  for (let i = from; i < to; i++) out[at++] = text.charCodeAt(i)
  return at
}

/** A part of a text as a JSON string. */
export function writeText(out: Uint8Array, start: number, text: string, from: number, to: number): number {
  let at = start
  out[at++] = QUOTE
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    if (PLAIN[code] !== 1) return writeRest(out, at, text, i, to)
    out[at++] = code
  }
  out[at++] = QUOTE
  return at
}

/** A separate function keeps the loop above short, which is enough for nearly all texts. */
function writeRest(out: Uint8Array, start: number, text: string, from: number, to: number): number {
  let at = start
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    if (PLAIN[code] === 1) out[at++] = code
    else if (code < 0x80 || isSurrogate(code)) {
      const point = code < 0x80 ? code : pairAt(text, i, to)
      at = point > 0xff_ff ? writePair(out, at, point) : writeEscaped(out, at, code)
      if (point > 0xff_ff) i++
    } else if (code < 0x8_00) {
      out[at++] = 0xc0 | (code >> 6)
      out[at++] = 0x80 | (code & 0x3f)
    } else {
      out[at++] = 0xe0 | (code >> 12)
      out[at++] = 0x80 | ((code >> 6) & 0x3f)
      out[at++] = 0x80 | (code & 0x3f)
    }
  }
  out[at++] = QUOTE
  return at
}

const isSurrogate = (code: number) => code >= 0xd8_00 && code <= 0xdf_ff

/** The code point of a surrogate pair that starts here, or a lone surrogate. */
function pairAt(text: string, i: number, to: number): number {
  return i + 1 < to ? (text.codePointAt(i) ?? 0) : text.charCodeAt(i)
}

function writePair(out: Uint8Array, start: number, point: number): number {
  out[start] = 0xf0 | (point >> 18)
  out[start + 1] = 0x80 | ((point >> 12) & 0x3f)
  out[start + 2] = 0x80 | ((point >> 6) & 0x3f)
  out[start + 3] = 0x80 | (point & 0x3f)
  return start + 4
}

function writeEscaped(out: Uint8Array, start: number, code: number): number {
  return writeBytes(out, start, ESCAPED[code] ?? escaped(code))
}
