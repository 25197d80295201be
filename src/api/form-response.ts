/** GET /form-response/{id}. */
import { z } from 'zod'
import { ApiError } from '../core/requests/errors.ts'
import { findFormResponse, loadAnswers } from '../records/form-response/queries.ts'
import {
  FlatFormResponse,
  FormResponse,
  presentFlatFormResponse,
  presentFormResponse,
} from '../records/form-response/object.ts'
import type { Endpoint } from './endpoint.ts'
import { exampleOf } from './examples.ts'
import { readParameters } from './parameters.ts'

const FORMAT_MESSAGE = 'format must be "flat", or left out'
const NOT_FOUND = { message: 'Form response not found' }

const Query = z.object({
  format: z
    .enum(['flat'], FORMAT_MESSAGE)
    .optional()
    .meta({ description: 'With `flat`, questions are keys and answers are values.' }),
})

export const getFormResponse: Endpoint = {
  operation: 'getFormResponse',
  method: 'GET',
  path: '/api/form-response/:id',
  errorShape: 'message',
  tag: 'Form responses',
  summary: 'Get a form response',
  description:
    'One form response of the company, as an array with one element. With `format=flat`, for automation platforms, each question is a key. A second question with the same title gets the suffix ` (2)`, and so on. A title that equals a metadata name gets the suffix ` (answer)` first.',
  idOf: 'form response',
  query: Query,
  status: 200,
  response: z.union([z.array(FormResponse), z.array(FlatFormResponse)]),
  example: exampleOf('getFormResponse'),
  errors: {
    invalid_parameter: { message: FORMAT_MESSAGE },
    not_found: NOT_FOUND,
  },
  answer: async ({ db, companyId, id, query }) => {
    const { format } = readParameters(Query, query)
    const found = await findFormResponse(db, companyId, id)
    if (found === null) throw new ApiError('not_found', NOT_FOUND)
    const present = format === 'flat' ? presentFlatFormResponse : presentFormResponse
    const [answers = []] = await loadAnswers(db, companyId, [id])
    return { body: [present(found.toObject(), answers)] }
  },
}
