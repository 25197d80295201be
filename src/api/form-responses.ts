/** Form responses: list and get, with the newer conventions. */
import { toJson } from '../codec/json.ts'
import type { Packed } from '../codec/packed-row.ts'
import { FormResponseObject, presentFormResponse } from '../records/form-response/object.ts'
import {
  findFormResponse,
  listFormResponses as listRows,
  loadAnswers,
} from '../records/form-response/queries.ts'
import type { FormResponseRow } from '../records/form-response/queries.ts'
import type { Call } from './endpoint.ts'
import { idFilter, timeFilter } from './parameters.ts'
import { getEndpoint, listEndpoint } from './read-endpoints.ts'

const FORM_RESPONSES = {
  object: 'formResponse',
  path: '/form-responses',
  tag: 'Form responses',
  noun: 'form response',
  plural: 'form responses',
  representation: { schema: FormResponseObject, present: presentWithAnswers },
} as const

/** One statement reads the answers of all. */
async function presentWithAnswers(
  { db, companyId }: Pick<Call, 'db' | 'companyId'>,
  rows: readonly Packed<unknown, unknown>[],
) {
  const responses = (rows as readonly Packed<FormResponseRow>[]).map((row) => row.toObject())
  const ids = responses.map(({ id }) => id)
  const answers = await loadAnswers(db, companyId, ids)
  return responses.map((row, i) =>
    toJson({ object: 'formResponse', ...presentFormResponse(row, answers[i] ?? []) }),
  )
}

export const listFormResponses = listEndpoint({
  ...FORM_RESPONSES,
  operation: 'listFormResponses',
  lastId: 'resp_0145_3',
  filters: {
    formId: idFilter('form', 'formId', 'form_details'),
    bookingId: idFilter('booking', 'bookingId', 'book_0145'),
    quoteId: idFilter('quote', 'quoteId', 'quote_0145'),
    createdAt: timeFilter('Answered'),
    updatedAt: timeFilter('Changed'),
  },
  list: listRows,
})

export const getFormResponseObject = getEndpoint({
  ...FORM_RESPONSES,
  operation: 'getFormResponseObject',
  summary: 'Get a form response as an object',
  find: findFormResponse,
})
