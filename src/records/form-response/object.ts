/** The form response, whole and flat. */
import { z } from 'zod'
import { QUESTION_TYPES } from '../../core/enumerations.ts'
import type { FormAnswerRow, FormResponseRow } from './queries.ts'
import { id, isoTimes, openEnum, optionalId, optionalText, text, timestamp } from '../../codec/schemas.ts'

const QuestionType = openEnum(QUESTION_TYPES, 'Type of the question.')

const metadata = {
  id: id('form response'),
  createdAt: timestamp('When the form was answered.'),
  updatedAt: timestamp('When the response was last changed.'),
  formId: id('form'),
  bookingId: optionalId('booking, if the response belongs to one'),
  quoteId: optionalId('quote, if the response belongs to one'),
  companyId: id('company'),
}

export const FormResponse = z
  .strictObject({
    ...metadata,
    formQuestionResponses: z.array(
      z.strictObject({
        id: id('answer'),
        response: text('The answer. Its format depends on the question type.'),
        createdAt: timestamp('When the question was answered.'),
        updatedAt: timestamp('When the answer was last changed.'),
        question: z.strictObject({
          id: id('question'),
          title: z.string(),
          type: QuestionType,
          subtitle: optionalText(),
          position: z.int(),
          systemRequired: z.boolean(),
          userRequired: z.boolean(),
          linkedSystemField: optionalText(),
        }),
      }),
    ),
  })
  .meta({ id: 'FormResponse', description: 'One answered form, with one entry per answered question.' })

/** No answer is null, but the metadata has nulls, and a generated index signature must fit both. */
export const FlatFormResponse = z.object(metadata).catchall(z.string().nullable()).meta({
  id: 'FlatFormResponse',
  description: 'One answered form with questions as keys and answers as values.',
})

export function presentFormResponse(
  row: FormResponseRow,
  answers: FormAnswerRow[],
): z.output<typeof FormResponse> {
  return {
    ...row,
    ...isoTimes(row),
    formQuestionResponses: answers.map(
      ({ id: answerId, response, createdAt, updatedAt, questionId, ...question }) => ({
        id: answerId,
        response,
        ...isoTimes({ createdAt, updatedAt }),
        question: { id: questionId, ...question },
      }),
    ),
  }
}

/** Questions as keys. A title that is taken already, by metadata or another question, is made different. */
export function presentFlatFormResponse(
  row: FormResponseRow,
  answers: FormAnswerRow[],
): z.output<typeof FlatFormResponse> {
  const flat = new Map<string, string | null>(Object.entries({ ...row, ...isoTimes(row) }))
  for (const { title, response } of answers) flat.set(freeName(title, flat), response)
  return Object.fromEntries(flat) as z.output<typeof FlatFormResponse>
}

function freeName(title: string, taken: ReadonlyMap<string, unknown>): string {
  const base = Object.hasOwn(metadata, title) ? `${title} (answer)` : title
  let name = base
  for (let number = 2; taken.has(name); number++) name = `${base} (${number})`
  return name
}
