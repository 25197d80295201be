/** Quotes that users began: what they typed is kept when the session ends or they look at another page. */
import { isSame } from '../records/values.ts'
import type { QuoteForm } from './form.ts'

/** By user. */
const begun = new Map<string, QuoteForm>()

export const keepBegun = (owner: string, form: QuoteForm) => begun.set(owner, form)

export const forgetBegun = (owner: string) => begun.delete(owner)

/** Null if nothing is left of what was typed. */
export function findBegun(owner: string, blank: QuoteForm): QuoteForm | null {
  const form = begun.get(owner)
  return form === undefined || isSame(contentOf(form), contentOf(blank)) ? null : form
}

/** Days get new ids in each form. */
const contentOf = ({ days, ...rest }: QuoteForm) => ({
  ...rest,
  days: days.map(({ id: _id, ...times }) => times),
})
