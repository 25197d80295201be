/** E-mail addresses. */
import { isStorableText } from '../ids.ts'

/** Whether mail could go there: only a mail can tell more. */
export function isEmailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text) && isStorableText(text)
}

/**
 * Two addresses are the same if this is: without the case of the letters A to Z, and of no others. `toLowerCase` and SQL's
 * `lower` disagree on letters such as "İ", and with each other. SQL says the same as `lower(email COLLATE "C")`.
 */
export function foldEmail(email: string): string {
  return email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}
