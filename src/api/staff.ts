/** GET /staff and GET /staff/{id}. */
import { z } from 'zod'
import { STAFF_STATUSES } from '../core/enumerations.ts'
import { ApiError } from '../core/requests/errors.ts'
import { findStaff, listStaff as listRows } from '../records/staff/object.ts'
import { STAFF } from '../records/staff/object.ts'
import type { Endpoint } from './endpoint.ts'
import { exampleOf } from './examples.ts'
import { oneOfFilter, readParameters, refuseExpand } from './parameters.ts'
import { listEndpoint } from './read-endpoints.ts'

export const listStaff = listEndpoint({
  object: 'staff',
  path: '/staff',
  tag: 'Staff',
  noun: 'staff member',
  plural: 'staff members',
  operation: 'listStaff',
  lastId: 'staff_0021',
  filters: {
    status: oneOfFilter(
      'status',
      STAFF_STATUSES,
      'Only active staff members, or only inactive ones.',
      'active',
    ),
  },
  list: listRows,
})

const NOT_FOUND = { message: 'Staff not found', param: 'id' }

const GetQuery = z.object({})

export const getStaff: Endpoint = {
  operation: 'getStaff',
  method: 'GET',
  path: '/api/staff/:id',
  errorShape: 'structured',
  tag: 'Staff',
  summary: 'Get a staff member',
  description: 'One staff member of the company, active or not. `expand[]` is reserved. Any value is a 400.',
  idOf: 'staff member',
  query: GetQuery,
  status: 200,
  response: STAFF.schema,
  example: exampleOf('getStaff'),
  errors: {
    invalid_parameter: { message: 'Staff cannot be expanded: unknown path "events"', param: 'expand' },
    not_found: NOT_FOUND,
  },
  answer: async ({ db, companyId, id, query, presentation }) => {
    readParameters(GetQuery, query, refuseExpand('Staff'))
    const row = await findStaff(db, companyId, id)
    if (row === null) throw new ApiError('not_found', NOT_FOUND)
    return { body: STAFF.write(row, presentation) }
  },
}
