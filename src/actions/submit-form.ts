/** Stores what a customer sent: a quote form with its contact and draft quote, or the form of a booking. */
import { z } from 'zod'
import { CUSTOMERS } from '../core/callers.ts'
import type { CheckedAnswers } from '../core/forms/answers.ts'
import type { Inquiry } from '../core/forms/inquiry.ts'
import { newId } from '../core/ids.ts'
import { ApiError } from '../core/requests/errors.ts'
import { findBookingOfForm } from '../records/booking/form.ts'
import type { BookingOfForm } from '../records/booking/form.ts'
import { findCurrency, findQuoteDefaults } from '../records/company/queries.ts'
import { countSubmission } from '../records/form-limit/queries.ts'
import { presentFormResponse } from '../records/form-response/object.ts'
import { findFormResponse, findResponseOfBooking, loadAnswers } from '../records/form-response/queries.ts'
import { insertResponse, replaceAnswers } from '../records/form-response/write.ts'
import { findForm, isOpen, listOffered, listQuestions } from '../records/form/queries.ts'
import { findLeadByEmail } from '../records/lead/same-email.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction, Subject } from './action.ts'
import { mailAnswers } from './form-mails.ts'
import {
  SENT,
  Submission,
  checkForm,
  checkInquiry,
  isStored,
  rejectionOf,
  responseIdOf,
  tooMany,
} from './form-submission.ts'
import type { FormParts, SubmissionResult } from './form-submission.ts'
import { insertLead } from './create-lead.ts'
import { insertQuote } from './insert-quote.ts'
import { hasContact } from './lead-input.ts'
import { subjectOf } from './subjects.ts'

export const submitQuoteForm = defineAction({
  name: 'submitQuoteForm',
  allowed: CUSTOMERS,
  input: Submission.extend({ pageId: z.string() }),
  lock: 'first',
  run: async (transaction, { pageId, ...submission }): Promise<SubmissionResult> => {
    const { db, companyId, presentation } = transaction
    const parts = await loadForm(transaction, 'QUOTE', submission)
    const { shown, answers, inquiry, rejected } = checkInquiry(parts, submission, presentation.now)
    if (rejected !== null) return rejected
    const responseId = responseIdOf(pageId, answers)
    // The page was sent twice.
    if ((await findFormResponse(db, companyId, responseId)) !== null) return SENT
    await countOne(transaction, submission)
    const leadId = await findOrCreateLead(transaction, inquiry)
    const quoteId = await createDraft(transaction, inquiry, leadId)
    const response = { id: responseId, formId: submission.formId, bookingId: null, quoteId }
    await insertResponse(db, companyId, response, answers)
    await recordSubmission(transaction, responseId, null)
    const { firstName, lastName, email } = inquiry.lead
    const name = [firstName, lastName].filter((part) => part !== null).join(' ')
    const customer = name === '' ? (email ?? 'A visitor') : name
    const form = parts.form.name
    await mailAnswers(transaction, { form, shown, answers, customer, replyTo: email, quoteId, leadId })
    return SENT
  },
})

/** One response per form and booking. Sending the form again replaces its answers. */
export const submitBookingForm = defineAction({
  name: 'submitBookingForm',
  allowed: CUSTOMERS,
  input: Submission.extend({ bookingId: z.string() }),
  lock: 'first',
  run: async (transaction, { bookingId, ...submission }): Promise<SubmissionResult> => {
    const { db, companyId } = transaction
    const booking = await findBookingOfForm(db, companyId, bookingId)
    if (booking === null || booking.canceledAt !== null) throw closed()
    const parts = await loadForm(transaction, 'BOOKING', submission)
    const checked = { ...checkForm(parts, submission), form: parts.form.name }
    const rejected = rejectionOf(checked, submission)
    if (rejected !== null) return rejected
    const { formId } = submission
    const id = await findResponseOfBooking(db, companyId, formId, bookingId)
    if (id !== null) {
      if (await isStored(db, companyId, id, checked.answers)) return SENT
      const before = await readSubject(transaction, id)
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
  { form, shown, answers }: Pick<CheckedAnswers, 'shown' | 'answers'> & { form: string },
): Promise<void> {
  const customer = fullName ?? 'The customer'
  await mailAnswers(transaction, { form, shown, answers, customer, replyTo: null, quoteId, leadId })
}

async function loadForm(
  { db, companyId }: ActionTransaction,
  purpose: 'QUOTE' | 'BOOKING',
  { formId }: Submission,
): Promise<FormParts> {
  const form = await findForm(db, companyId, formId)
  if (form === null || !isOpen(form) || (form.purpose ?? 'BOOKING') !== purpose) throw closed()
  const questions = await listQuestions(db, companyId, formId)
  return { form, questions, offered: await listOffered(db, companyId) }
}

const closed = () => new ApiError('not_found', { message: 'This form is closed.' })

async function countOne({ db, companyId }: ActionTransaction, { networkHash }: Submission): Promise<void> {
  if (!(await countSubmission(db, companyId, networkHash))) throw tooMany()
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
