/** Stores what a customer sent: a quote form with its contact and draft quote, or the form of a booking. */
import { createHash } from 'node:crypto'
import { checkAnswers } from '../core/forms/answers.ts'
import type { CheckedAnswers } from '../core/forms/answers.ts'
import { readInquiry } from '../core/forms/inquiry.ts'
import type { Inquiry } from '../core/forms/inquiry.ts'
import type { Values } from '../core/forms/question.ts'
import { newId } from '../core/ids.ts'
import { ApiError } from '../core/requests/errors.ts'
import { findBookingOfForm } from '../records/booking/form.ts'
import type { BookingOfForm } from '../records/booking/form.ts'
import { findCurrency, findQuoteDefaults } from '../records/company/queries.ts'
import { countSubmission } from '../records/form-limit/queries.ts'
import { presentFormResponse } from '../records/form-response/object.ts'
import { findFormResponse, findResponseOfBooking, loadAnswers } from '../records/form-response/queries.ts'
import { insertResponse, replaceAnswers } from '../records/form-response/write.ts'
import { choicesOf, findForm, isOpen, listOffered, listQuestions } from '../records/form/queries.ts'
import { findLeadByEmail } from '../records/lead/same-email.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction, Subject } from './action.ts'
import { mailAnswers } from './form-mails.ts'
import { insertLead } from './create-lead.ts'
import { insertQuote } from './insert-quote.ts'
import { hasContact } from './lead-input.ts'
import { subjectOf } from './subjects.ts'

interface Submission {
  formId: string
  values: Values
  /** Conditional questions that the page has shown. */
  seen: ReadonlySet<string>
  /** What submissions are counted by. */
  networkHash: string
}

/** Sent; or what is wrong by question, or whether questions show that the page did not show. */
export type SubmissionResult =
  | { isSent: true }
  | { isSent: false; errors: CheckedAnswers['errors']; hasMoreQuestions: boolean }

const SENT: SubmissionResult = { isSent: true }

export const submitQuoteForm = defineAction({
  name: 'submitQuoteForm',
  lock: 'first',
  run: async (
    transaction,
    { pageId, ...submission }: Submission & { pageId: string },
  ): Promise<SubmissionResult> => {
    const { db, companyId, presentation } = transaction
    const { form, shown, answers, errors, offered } = await readSubmission(transaction, 'QUOTE', submission)
    const read = readInquiry(shown, answers, { ...offered, now: presentation.now })
    const rejected = rejectionOf({ shown, answers, errors: new Map([...read.errors, ...errors]) }, submission)
    if (rejected !== null) return rejected
    const responseId = responseIdOf(pageId, answers)
    // The page was sent twice.
    if ((await findFormResponse(db, companyId, responseId)) !== null) return SENT
    await countOne(transaction, submission)
    const leadId = await findOrCreateLead(transaction, read.inquiry)
    const quoteId = await createDraft(transaction, read.inquiry, leadId)
    const response = { id: responseId, formId: submission.formId, bookingId: null, quoteId }
    await insertResponse(db, companyId, response, answers)
    await recordSubmission(transaction, responseId, null)
    const { firstName, lastName, email } = read.inquiry.lead
    const name = [firstName, lastName].filter((part) => part !== null).join(' ')
    const customer = name === '' ? (email ?? 'A visitor') : name
    await mailAnswers(transaction, { form, shown, answers, customer, replyTo: email, quoteId, leadId })
    return SENT
  },
})

/** The same page with the same answers is the same response. With other answers it is another one. */
function responseIdOf(pageId: string, answers: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256').update(JSON.stringify([...answers]))
  return `${pageId}_${hash.digest('hex').slice(0, 16)}`
}

/** One response per form and booking. Sending the form again replaces its answers. */
export const submitBookingForm = defineAction({
  name: 'submitBookingForm',
  lock: 'first',
  run: async (
    transaction,
    { bookingId, ...submission }: Submission & { bookingId: string },
  ): Promise<SubmissionResult> => {
    const { db, companyId } = transaction
    const booking = await findBookingOfForm(db, companyId, bookingId)
    if (booking === null || booking.canceledAt !== null) throw closed()
    const checked = await readSubmission(transaction, 'BOOKING', submission)
    const rejected = rejectionOf(checked, submission)
    if (rejected !== null) return rejected
    const { formId } = submission
    const id = await findResponseOfBooking(db, companyId, formId, bookingId)
    if (id !== null) {
      const before = await readSubject(transaction, id)
      const [stored = []] = await loadAnswers(db, companyId, [id])
      if (isSame(new Map(stored.map(({ questionId, response }) => [questionId, response])), checked.answers))
        return SENT
      await countOne(transaction, submission)
      await replaceAnswers(db, companyId, id, checked.answers)
      await recordSubmission(transaction, id, before)
      await mailBookingAnswers(transaction, booking, checked)
      return SENT
    }
    await countOne(transaction, submission)
    const response = { id: newId('resp'), formId, bookingId, quoteId: booking.quoteId }
    await insertResponse(db, companyId, response, checked.answers)
    await recordSubmission(transaction, response.id, null)
    await mailBookingAnswers(transaction, booking, checked)
    return SENT
  },
})

async function mailBookingAnswers(
  transaction: ActionTransaction,
  { fullName, quoteId, leadId }: BookingOfForm,
  { form, shown, answers }: Awaited<ReturnType<typeof readSubmission>>,
): Promise<void> {
  const customer = fullName ?? 'The customer'
  await mailAnswers(transaction, { form, shown, answers, customer, replyTo: null, quoteId, leadId })
}

async function readSubmission(
  { db, companyId }: ActionTransaction,
  purpose: 'QUOTE' | 'BOOKING',
  { formId, values }: Submission,
) {
  const form = await findForm(db, companyId, formId)
  if (form === null || !isOpen(form) || (form.purpose ?? 'BOOKING') !== purpose) throw closed()
  const questions = await listQuestions(db, companyId, formId)
  const offered = await listOffered(db, companyId)
  return { ...checkAnswers(questions, values, choicesOf(offered)), offered, form: form.name }
}

/** Null if the submission can be stored. */
function rejectionOf(
  { shown, errors }: CheckedAnswers,
  { seen }: Submission,
): Exclude<SubmissionResult, { isSent: true }> | null {
  const unseen = shown.filter(({ id, showWhen }) => showWhen !== null && !seen.has(id))
  if (unseen.length > 0) {
    // The visitor could not answer these yet.
    for (const { id } of unseen) errors.delete(id)
    return { isSent: false, errors, hasMoreQuestions: true }
  }
  return errors.size > 0 ? { isSent: false, errors, hasMoreQuestions: false } : null
}

const closed = () => new ApiError('not_found', { message: 'This form is closed.' })

async function countOne({ db, companyId }: ActionTransaction, { networkHash }: Submission): Promise<void> {
  if (!(await countSubmission(db, companyId, networkHash)))
    throw new ApiError('too_many_attempts', { message: 'Too many forms were sent from this address.' })
}

/** A stored contact stays as it is: anyone can enter any email address. */
async function findOrCreateLead(transaction: ActionTransaction, { lead }: Inquiry): Promise<string> {
  const { db, companyId } = transaction
  const known = lead.email === null ? null : await findLeadByEmail(db, companyId, lead.email)
  if (known !== null) return known
  return (await insertLead(transaction, hasContact(lead) ? lead : { firstName: 'Website visitor' })).id
}

/** Null if the company has no location, without which there is no quote. */
async function createDraft(
  transaction: ActionTransaction,
  { locationId, day, guestCount, eventTypeId, eventAddress }: Inquiry,
  leadId: string,
): Promise<string | null> {
  if (locationId === null) return null
  const { db, companyId } = transaction
  const currency = await findCurrency(db, companyId)
  const defaults = await findQuoteDefaults(db, companyId, currency)
  const quote = await insertQuote(transaction, {
    members: {
      ...defaults,
      leadId,
      locationId,
      eventTypeId,
      eventAddress,
      guestCount: guestCount ?? undefined,
      currency,
    },
    serviceDays: day === null ? [] : [{ id: newId('day'), ...day }],
    lines: [],
  })
  return quote.id
}

async function readSubject({ db, companyId }: ActionTransaction, id: string): Promise<Subject> {
  const row = await findFormResponse(db, companyId, id)
  if (row === null) throw new Error('the form response is missing')
  const [answers = []] = await loadAnswers(db, companyId, [id])
  return subjectOf({ object: 'formResponse', ...presentFormResponse(row.toObject(), answers) })
}

async function recordSubmission(transaction: ActionTransaction, id: string, before: Subject | null) {
  transaction.record('form_response.submitted', before, await readSubject(transaction, id))
}

function isSame(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([id, text]) => b.get(id) === text)
}
