/** GET /resources and GET /resources/{id}. */
import { z } from 'zod'
import { ApiError } from '../core/requests/errors.ts'
import { CURSOR_NOT_FOUND } from '../core/requests/page.ts'
import { findResource, listResources as listRows } from '../records/resource/object.ts'
import { listOf, presentList } from './list.ts'
import { RESOURCE } from '../records/resource/object.ts'
import type { Endpoint } from './endpoint.ts'
import { exampleOf } from './examples.ts'
import { CURSOR_HEADER, LIMIT_MESSAGE, pageParameters, readParameters } from './parameters.ts'

const URL = '/api/resources'

const NOT_FOUND = { message: 'Resource not found', param: 'id' }

const ListQuery = z.object({
  ...pageParameters('res_0040'),
  location_id: z.string().optional().meta({
    description: 'Only resources of this location. Send it with every page.',
    example: 'loc_los_angeles',
  }),
})

export const listResources: Endpoint = {
  operation: 'listResources',
  method: 'GET',
  path: URL,
  errorShape: 'structured',
  tag: 'Resources',
  summary: 'List resources',
  description:
    'The resources of the company, newest first (`createdAt`, then `id`, descending). Resources have no relations, so any `expand[]` is a 400.',
  query: ListQuery,
  status: 200,
  answerHeaders: CURSOR_HEADER,
  response: listOf(RESOURCE.schema, 'ResourceList', URL),
  example: exampleOf('listResources'),
  errors: { invalid_parameter: { message: LIMIT_MESSAGE, param: 'limit' } },
  answer: async ({ db, companyId, query, presentation }) => {
    const {
      limit,
      starting_after: startingAfter,
      location_id: locationId,
    } = readParameters(ListQuery, query, refuseExpand)
    const { rows, hasMore, isCursorFound } = await listRows(
      db,
      companyId,
      { locationId },
      { limit, startingAfter },
    )
    return {
      body: presentList(
        URL,
        rows.map((row) => RESOURCE.write(row, presentation)),
        hasMore,
      ),
      headers: isCursorFound ? {} : CURSOR_NOT_FOUND,
    }
  },
}

const GetQuery = z.object({})

export const getResource: Endpoint = {
  operation: 'getResource',
  method: 'GET',
  path: `${URL}/:id`,
  errorShape: 'structured',
  tag: 'Resources',
  summary: 'Get a resource',
  description: 'One resource of the company. Resources have no relations, so any `expand[]` is a 400.',
  idOf: 'resource',
  query: GetQuery,
  status: 200,
  response: RESOURCE.schema,
  example: exampleOf('getResource'),
  errors: {
    invalid_parameter: {
      message: 'Resources cannot be expanded: unknown path "location"',
      param: 'location',
    },
    not_found: NOT_FOUND,
  },
  answer: async ({ db, companyId, id, query, presentation }) => {
    readParameters(GetQuery, query, refuseExpand)
    const row = await findResource(db, companyId, id)
    if (row === null) throw new ApiError('not_found', NOT_FOUND)
    return { body: RESOURCE.write(row, presentation) }
  },
}

function refuseExpand(path: string): never {
  throw new ApiError('invalid_parameter', {
    message:
      path === ''
        ? 'Resources cannot be expanded: leave expand out'
        : `Resources cannot be expanded: unknown path "${path}"`,
    param: path === '' ? 'expand' : path,
  })
}
