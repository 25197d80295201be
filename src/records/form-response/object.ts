/** The form response, complete and flat. */
import { z } from 'zod'
import { publicShape } from '../../codec/public-schema.ts'
import { FORM_QUESTION_COLUMNS } from '../form/columns.ts'
import { FORM_ANSWER_COLUMNS, FORM_RESPONSE_COLUMNS } from './columns.ts'
import type { FormAnswerRow, FormResponseRow } from './queries.ts'

const metadata = publicShape(FORM_RESPONSE_COLUMNS)

export const FormResponse = z
  .strictObject({
    ...metadata,
    formQuestionResponses: z.array(
      z.strictObject({
        ...publicShape(FORM_ANSWER_COLUMNS),
        question: z.strictObject(publicShape(FORM_QUESTION_COLUMNS)),
      }),
    ),
  })
  .meta({ id: 'FormResponse', description: 'One answered form, with one entry per answered question.' })

/** As newer endpoints return it. */
export const FormResponseObject = z
  .strictObject({ object: z.literal(FORM_RESPONSE_COLUMNS.name), ...FormResponse.shape })
  .meta({ id: 'FormResponseObject', description: 'One answered form, with one entry per answered question.' })

/** No answer is null, but metadata can be, and a generated index signature must fit both. */
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
    formQuestionResponses: answers.map(
      ({ id: answerId, response, createdAt, updatedAt, questionId, ...question }) => ({
        id: answerId,
        response,
        createdAt,
        updatedAt,
        question: { id: questionId, ...question },
      }),
    ),
  }
}

/** Questions as keys. A title that is already used, by metadata or another question, gets a suffix. */
export function presentFlatFormResponse(
  row: FormResponseRow,
  answers: FormAnswerRow[],
): z.output<typeof FlatFormResponse> {
  const flat = new Map<string, string | null>(Object.entries(row))
  for (const { title, response } of answers) flat.set(freeName(title, flat), response)
  return Object.fromEntries(flat) as z.output<typeof FlatFormResponse>
}

function freeName(title: string, taken: ReadonlyMap<string, unknown>): string {
  const base = Object.hasOwn(metadata, title) ? `${title} (answer)` : title
  let name = base
  for (let number = 2; taken.has(name); number++) name = `${base} (${number})`
  return name
}
