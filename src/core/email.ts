/** E-mail addresses. */
import { isStorableText } from './ids.ts'

/** Whether mail could go there: only a mail can tell more. */
export function isEmailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text) && isStorableText(text)
}
