/** The submission of a customer, and the checks of it that need no transaction. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { checkAnswers } from '../core/forms/answers.ts'
import type { CheckedAnswers } from '../core/forms/answers.ts'
import { readInquiry } from '../core/forms/inquiry.ts'
import type { Question, Values } from '../core/forms/question.ts'
import { ApiError } from '../core/requests/errors.ts'
import type { Db } from '../db/statement.ts'
import type { BookingOfForm } from '../records/booking/form.ts'
import { findWait } from '../records/form-limit/queries.ts'
import { findFormResponse, findResponseOfBooking, loadAnswers } from '../records/form-response/queries.ts'
import { choicesOf } from '../records/form/queries.ts'
import type { FormRow, OfferedRecords } from '../records/form/queries.ts'

export const Submission = z.strictObject({
  formId: z.string(),
  values: z.custom<Values>((values) => values instanceof Map),
  /** Conditional questions that the page has shown. */
  seen: z.set(z.string()),
  /** What submissions are counted by. */
  networkHash: z.string(),
})
export type Submission = z.output<typeof Submission>

/** If it was not sent: the error of each question, and whether the answers lead to questions that the page did not show. */
export type SubmissionResult =
  | { isSent: true }
  | { isSent: false; errors: CheckedAnswers['errors']; hasMoreQuestions: boolean }

export const SENT: SubmissionResult = { isSent: true }

export interface FormParts {
  form: FormRow
  questions: Question[]
  offered: OfferedRecords
}

/** The same page with the same answers is the same response. With other answers it is another one. */
export function responseIdOf(pageId: string, answers: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256').update(JSON.stringify([...answers]))
  return `${pageId}_${hash.digest('hex').slice(0, 16)}`
}

export function checkForm({ questions, offered }: FormParts, { values }: Submission): CheckedAnswers {
  return checkAnswers(questions, values, choicesOf(offered))
}

export function checkInquiry(parts: FormParts, submission: Submission, now: string) {
  const { shown, answers, errors } = checkForm(parts, submission)
  const read = readInquiry(shown, answers, { ...parts.offered, now })
  const all = { shown, answers, errors: new Map([...read.errors, ...errors]) }
  return { shown, answers, inquiry: read.inquiry, rejected: rejectionOf(all, submission) }
}

interface OpenedForm extends FormParts {
  companyId: string
  booking: Pick<BookingOfForm, 'id'> | null
}

/**
 * The answer to a submission that stores nothing, found without the lock of the company, since anyone can send any number. Null if
 * it can be stored; the action checks again. Throws if the network has sent too many.
 */
export async function answerUnstored(
  db: Db,
  opened: OpenedForm,
  { pageId, ...submission }: Submission & { pageId: string },
  now: string,
): Promise<SubmissionResult | null> {
  const { companyId, booking, form } = opened
  if (booking === null) {
    const { answers, rejected } = checkInquiry(opened, submission, now)
    if (rejected !== null) return rejected
    if ((await findFormResponse(db, companyId, responseIdOf(pageId, answers))) !== null) return SENT
  } else {
    const checked = checkForm(opened, submission)
    const rejected = rejectionOf(checked, submission)
    if (rejected !== null) return rejected
    const id = await findResponseOfBooking(db, companyId, form.id, booking.id)
    if (id !== null && (await isStored(db, companyId, id, checked.answers))) return SENT
  }
  if ((await findWait(db, companyId, submission.networkHash)) > 0) throw tooMany()
  return null
}

/** Null if the submission can be stored. */
export function rejectionOf(
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

export const tooMany = () =>
  new ApiError('too_many_attempts', { message: 'Too many forms were sent from this address.' })

export async function isStored(
  db: Db,
  companyId: string,
  responseId: string,
  answers: ReadonlyMap<string, string>,
): Promise<boolean> {
  const [stored = []] = await loadAnswers(db, companyId, [responseId])
  return (
    stored.length === answers.size &&
    stored.every(({ questionId, response }) => answers.get(questionId) === response)
  )
}
