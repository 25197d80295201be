/** Text for headers and lines of a message. Names and subjects come from customers, and a line break would begin a new header. */

/** Control characters, line separators, lone surrogates, and characters that reorder their neighbors. The two joiners stay. */
const UNSAFE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu

/** One line without surrounding spaces. */
export function oneLine(text: string, maxCodePoints?: number): string {
  const line = text.replaceAll(UNSAFE, ' ').trim()
  return maxCodePoints === undefined ? line : Array.from(line).slice(0, maxCodePoints).join('').trim()
}

/** Text of several lines, without other control characters. */
export function textLines(text: string): string[] {
  return text
    .trim()
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replaceAll(UNSAFE, ' ').trimEnd())
}
