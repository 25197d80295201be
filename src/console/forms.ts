/** Forms: the builder, their responses, and the links of booking forms. */
import { z } from 'zod'
import { runAction } from '../actions/action.ts'
import { FormInput, NewForm } from '../actions/form-input.ts'
import { archiveForm, createForm, publishForm, saveForm } from '../actions/forms.ts'
import type { FormPurpose } from '../core/enumerations.ts'
import type { Choices } from '../core/forms/answers.ts'
import type { Question } from '../core/forms/question.ts'
import { ApiError } from '../core/requests/errors.ts'
import { findBookingOfQuote } from '../records/booking/form.ts'
import { listFormResponses } from '../records/form-response/queries.ts'
import { listForms, listResponsesOfQuote, loadResponses } from '../records/form/list.ts'
import type { ListedForm, ListedResponse } from '../records/form/list.ts'
import { choicesOf, findForm, listOffered, listQuestions } from '../records/form/queries.ts'
import { consoleRoute } from './route.ts'
import type { ConsoleCall } from './route.ts'

export type { ListedForm, ListedResponse }

export interface FormsAnswer {
  forms: ListedForm[]
}

export interface FormAnswer {
  id: string
  version: string
  name: string
  purpose: FormPurpose
  slug: string | null
  allowedOrigins: string[]
  isPublished: boolean
  isArchived: boolean
  questions: Question[]
  /** What questions without own options offer. */
  choices: Choices
  /** The public URL of all forms, without the slug. */
  formsUrl: string
}

export interface ResponsesAnswer {
  responses: ListedResponse[]
  hasMore: boolean
}

export interface QuoteAnswersAnswer {
  responses: ListedResponse[]
  /** Forms that the customer of the booking can fill in. Empty without a booking. */
  links: { formId: string; name: string; url: string }[]
}

const showForms = consoleRoute({
  method: 'GET',
  path: '/console/forms',
  answer: async ({ db, companyId }): Promise<FormsAnswer> => ({ forms: await listForms(db, companyId) }),
})

const create = consoleRoute({
  method: 'POST',
  path: '/console/forms',
  isCreation: true,
  input: NewForm,
  answer: async ({ action, input }) => runAction(action, createForm, input),
})

const showForm = consoleRoute({
  method: 'GET',
  path: '/console/forms/:id',
  answer: readForm,
})

const save = consoleRoute({
  method: 'PUT',
  path: '/console/forms/:id',
  bodyMaxBytes: 1024 * 1024,
  input: FormInput.extend({ version: z.string() }),
  answer: async (call) => {
    await runAction(call.action, saveForm, { ...call.input, id: call.id })
    return readForm(call)
  },
})

const publish = consoleRoute({
  method: 'POST',
  path: '/console/forms/:id/publish',
  input: z.strictObject({ isPublished: z.boolean() }),
  answer: async (call) => {
    await runAction(call.action, publishForm, { id: call.id, ...call.input })
    return readForm(call)
  },
})

const archive = consoleRoute({
  method: 'POST',
  path: '/console/forms/:id/archive',
  input: z.strictObject({ isArchived: z.boolean() }),
  answer: async (call) => {
    await runAction(call.action, archiveForm, { id: call.id, ...call.input })
    return readForm(call)
  },
})

const PAGE_SIZE = 20

const showResponses = consoleRoute({
  method: 'GET',
  path: '/console/forms/:id/responses',
  input: z.strictObject({ startingAfter: z.string().optional() }),
  answer: async ({ db, companyId, id: formId, input }): Promise<ResponsesAnswer> => {
    if ((await findForm(db, companyId, formId)) === null) throw noForm()
    const page = { limit: PAGE_SIZE, startingAfter: input.startingAfter }
    const { rows, hasMore } = await listFormResponses(db, companyId, { formId }, page)
    const ids = rows.map((row) => row.get('id'))
    return { responses: await loadResponses(db, companyId, ids), hasMore }
  },
})

const showAnswers = consoleRoute({
  method: 'GET',
  path: '/console/quotes/:id/answers',
  answer: async ({ db, companyId, id: quoteId, publicUrl, formTokens }): Promise<QuoteAnswersAnswer> => {
    const booking = await findBookingOfQuote(db, companyId, quoteId)
    if (booking === undefined) throw new ApiError('not_found', { message: 'Quote not found' })
    const responses = await listResponsesOfQuote(db, companyId, quoteId, booking?.id ?? null)
    if (booking === null || booking.canceledAt !== null) return { responses, links: [] }
    const open = (await listForms(db, companyId)).filter(
      (form) => form.purpose === 'BOOKING' && form.publishedAt !== null && form.archivedAt === null,
    )
    const links = open.map((form) => {
      const token = formTokens.seal({ companyId, formId: form.id, bookingId: booking.id })
      return { formId: form.id, name: form.name, url: `${publicUrl}/f/b/${token}` }
    })
    return { responses, links }
  },
})

const noForm = () => new ApiError('not_found', { message: 'Form not found' })

async function readForm({ db, companyId, id: formId, publicUrl }: ConsoleCall<unknown>): Promise<FormAnswer> {
  const form = await findForm(db, companyId, formId)
  if (form === null) throw noForm()
  return {
    id: form.id,
    version: form.updatedAt,
    name: form.name,
    purpose: form.purpose ?? 'BOOKING',
    slug: form.slug,
    allowedOrigins: form.allowedOrigins,
    isPublished: form.publishedAt !== null,
    isArchived: form.archivedAt !== null,
    questions: await listQuestions(db, companyId, formId),
    choices: choicesOf(await listOffered(db, companyId)),
    formsUrl: `${publicUrl}/f/`,
  }
}

export const formRoutes = [showForms, create, showForm, save, publish, archive, showResponses, showAnswers]
