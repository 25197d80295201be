/** GET /changes: the change log of the company. */
import { z } from 'zod'
import { CHANGE_TYPES, changeId, parseChangeId } from '../core/change-log/change-types.ts'
import { isPossibleId } from '../core/ids.ts'
import { ApiError } from '../core/requests/errors.ts'
import { CURSOR_NOT_FOUND } from '../core/requests/page.ts'
import type { Db } from '../db/statement.ts'
import { findKept, listChanges as listRows } from '../records/change/list.ts'
import { Change, presentChange } from '../records/change/object.ts'
import type { Endpoint } from './endpoint.ts'
import { exampleOf } from './examples.ts'
import { listOf, presentList } from './list.ts'
import {
  CURSOR_HEADER,
  LIMIT_MESSAGE,
  dateTimeBounds,
  pageLimit,
  rangeOf,
  readParameters,
  refuseExpand,
  repeatable,
} from './parameters.ts'

const URL = '/api/changes'
const TYPES_MAX = 20

const ListQuery = z.object({
  limit: pageLimit,
  starting_after: z.string().optional().meta({
    description: 'Id of the last change you have read. The change need not match the filters.',
    example: 'chg_1',
  }),
  type: repeatable('type', CHANGE_TYPES, TYPES_MAX, {
    description: `Only these types. Repeat it, or join types with commas. At most ${TYPES_MAX}.`,
    example: ['task.completed'],
  }),
  object_id: z
    .string()
    .optional()
    .meta({ description: 'Exact id of the subject.', example: 'task_0299_2_1' }),
  // Later than any request: the times of changes are not those of the demo world.
  ...dateTimeBounds('created_at', 'Recorded', '2099-12-31T23:59:59Z'),
  order: z
    .enum(['asc', 'desc'], 'order must be asc or desc')
    .default('asc')
    .meta({ description: 'Oldest first, or newest first.', example: 'asc' }),
})

export const listChanges: Endpoint = {
  operation: 'listChanges',
  method: 'GET',
  path: URL,
  errorShape: 'structured',
  tag: 'Changes',
  summary: 'List changes',
  description: `Every write of the company, numbered without gaps in the order in which it became visible. Keep the id of the last
change you have read, and continue with \`starting_after\`: nothing is missed and nothing comes twice.

Changes are kept for 90 days, unless the operator has set another time. If \`starting_after\` is older than that, the response is a 410. List everything again, and continue
with the newest change.`,
  query: ListQuery,
  status: 200,
  answerHeaders: CURSOR_HEADER,
  response: listOf(Change, 'ChangeList', URL),
  example: exampleOf('listChanges'),
  errors: {
    invalid_parameter: { message: LIMIT_MESSAGE, param: 'limit' },
    cursor_expired: { message: expiredMessage('chg_4711'), param: 'starting_after' },
  },
  // From the primary: on a replica that lags behind, a cursor that the caller just read could be unknown.
  answer: async ({ primary: db, companyId, query }) => {
    const values = readParameters(ListQuery, query, refuseExpand('Changes'))
    const { limit, starting_after: cursor, object_id: subjectId, order } = values
    const position = cursor === undefined ? null : await findPosition(db, companyId, cursor)
    if (position === undefined || (subjectId !== undefined && !isPossibleId(subjectId)))
      return { body: presentList(URL, [], false), headers: position === undefined ? CURSOR_NOT_FOUND : {} }
    const filters = { types: values.type, subjectId, createdAt: rangeOf(values, 'created_at'), order }
    const { rows, hasMore } = await listRows(db, companyId, filters, { limit, after: position })
    return { body: presentList(URL, rows.map(presentChange), hasMore) }
  },
}

/** Undefined if no change has this id. */
async function findPosition(db: Db, companyId: string, cursor: string): Promise<bigint | undefined> {
  const text = parseChangeId(cursor)
  if (text === null) return undefined
  const sequence = BigInt(text)
  const { oldest, newest } = await findKept(db, companyId)
  if (oldest === null || newest === null || sequence > newest) return undefined
  if (sequence >= oldest) return sequence
  throw new ApiError('cursor_expired', { message: expiredMessage(changeId(oldest)), param: 'starting_after' })
}

function expiredMessage(oldestId: string): string {
  return `This change is no longer kept. The oldest kept change is ${oldestId}. List everything again.`
}
