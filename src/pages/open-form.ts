/** The form that a link opens, with everything its page shows. */
import { valuesOfAnswer } from '../core/forms/answers.ts'
import type { Choices } from '../core/forms/answers.ts'
import type { Question, Values } from '../core/forms/question.ts'
import type { FormTokens } from '../core/security/form-token.ts'
import type { Db } from '../db/statement.ts'
import { findBookingOfForm } from '../records/booking/form.ts'
import type { BookingOfForm } from '../records/booking/form.ts'
import { findProfile } from '../records/company/profile.ts'
import type { CompanyProfile } from '../records/company/profile.ts'
import { findResponseOfBooking, loadAnswers } from '../records/form-response/queries.ts'
import {
  choicesOf,
  findForm,
  findFormBySlug,
  isOpen,
  listOffered,
  listQuestions,
} from '../records/form/queries.ts'
import type { FormRow, OfferedRecords } from '../records/form/queries.ts'

export interface OpenForm {
  companyId: string
  company: CompanyProfile
  form: FormRow
  questions: Question[]
  offered: OfferedRecords
  choices: Choices
  /** Null for the public form. */
  booking: BookingOfForm | null
  /** The actor of what is sent. */
  customer: { id: string | null; name: string | null }
  /** Below the public URL, without a slash at the beginning. */
  path: string
  /** Names the page in its stamp. */
  page: readonly string[]
}

/** Null if there is no such form, or if it is not published. */
export async function openQuoteForm(db: Db, slug: string): Promise<OpenForm | null> {
  const found = await findFormBySlug(db, slug)
  if (found === null || !isOpen(found.form) || found.form.purpose !== 'QUOTE') return null
  const { companyId, form } = found
  return {
    ...(await loadParts(db, companyId, form)),
    booking: null,
    customer: { id: null, name: null },
    path: `f/${slug}`,
    page: [companyId, form.id],
  }
}

/** Null also if the booking is canceled. */
export async function openBookingForm(db: Db, tokens: FormTokens, token: string): Promise<OpenForm | null> {
  const ref = tokens.open(token)
  if (ref === null) return null
  const { companyId, formId, bookingId } = ref
  const form = await findForm(db, companyId, formId)
  const booking = await findBookingOfForm(db, companyId, bookingId)
  if (form === null || !isOpen(form) || form.purpose === 'QUOTE') return null
  if (booking === null || booking.canceledAt !== null) return null
  return {
    ...(await loadParts(db, companyId, form)),
    booking,
    customer: { id: booking.leadId, name: booking.fullName },
    path: `f/b/${token}`,
    page: [companyId, formId, bookingId],
  }
}

async function loadParts(db: Db, companyId: string, form: FormRow) {
  const company = await findProfile(db, companyId)
  if (company === null) throw new Error('the company of the form is missing')
  const questions = await listQuestions(db, companyId, form.id)
  const offered = await listOffered(db, companyId)
  return { companyId, company, form, questions, offered, choices: choicesOf(offered) }
}

/** Earlier answers of the customer, if the form is for a booking. */
export async function startingValues(
  db: Db,
  { companyId, form, booking, questions, choices }: OpenForm,
): Promise<Values> {
  if (booking === null) return new Map()
  const id = await findResponseOfBooking(db, companyId, form.id, booking.id)
  const [answers = []] = id === null ? [] : await loadAnswers(db, companyId, [id])
  const byId = new Map(questions.map((question) => [question.id, question]))
  return new Map(
    answers.flatMap(({ questionId, response }) => {
      const question = byId.get(questionId)
      return question === undefined
        ? []
        : [[questionId, valuesOfAnswer(question, response, choices)] as const]
    }),
  )
}
