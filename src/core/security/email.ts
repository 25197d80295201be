/** Email addresses. */
import { isStorableText } from '../ids.ts'

/** A basic plausibility check. Only sending mail can tell more. */
export function isEmailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text) && isStorableText(text)
}

/**
 * Two addresses are the same if this is. Folds A to Z only: `toLowerCase` and SQL's `lower` disagree on letters such as "İ".
 * The SQL equivalent is `lower(email COLLATE "C")`.
 */
export function foldEmail(email: string): string {
  return email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Characters that mail servers read as syntax. Imported contacts can have any text as their address. */
const SYNTAX = /[<>()[\]\\,;:"]/

/** An address that mail can be sent to; null if the text is not one address. */
export function deliverableAddress(text: string | null): string | null {
  const address = text?.trim() ?? ''
  return isEmailAddress(address) && !SYNTAX.test(address) ? address : null
}
