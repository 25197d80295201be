/** Text for a terminal. */

/**
 * Control characters (C0, DEL, C1), line separators, lone surrogates and invisible format characters: those that reorder
 * text (bidi overrides), the soft hyphen, tags. The two joiners stay, which names and emoji need.
 */
const UNPRINTABLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Text as one line that cannot move the cursor, change colors or reorder its neighbors. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => SHORT[character] ?? escape(character))
}

function escape(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}
