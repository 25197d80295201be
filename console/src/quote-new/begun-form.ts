/** Quotes that users began. The input is kept when the session ends or they look at another page. */
import { isSame } from '../records/values.ts'
import type { QuoteForm } from './form.ts'

interface Begun {
  /** The user. */
  owner: string
  form: QuoteForm
}

/** By the id of the form, the newest last. */
const begun = new Map<string, Begun>()

export function keepBegun(owner: string, form: QuoteForm): void {
  begun.delete(form.id)
  begun.set(form.id, { owner, form })
}

export const forgetBegun = ({ id }: QuoteForm) => begun.delete(id)

/** The newest one, if `blank` has a contact the newest for that contact. Null without input. */
export function findBegun(owner: string, blank: QuoteForm): QuoteForm | null {
  const form = [...begun.values()].findLast(
    (one) => one.owner === owner && (blank.contact === null || one.form.contact?.id === blank.contact.id),
  )?.form
  return form === undefined || isSame(contentOf(form), contentOf(blank)) ? null : form
}

/** Ids differ in each form. */
const contentOf = ({ id: _form, days, ...rest }: QuoteForm) => ({
  ...rest,
  days: days.map(({ id: _day, ...times }) => times),
})
