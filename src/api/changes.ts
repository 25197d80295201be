/** GET /changes: the change log of the company. */
import { z } from 'zod'
import { CHANGE_TYPES, changeId, parseChangeId } from '../core/change-log/change-types.ts'
import { isPossibleId } from '../core/ids.ts'
import { ApiError } from '../core/requests/errors.ts'
import { createLimiter } from '../core/requests/limiter.ts'
import { CURSOR_NOT_FOUND } from '../core/requests/page.ts'
import { StatementGroup } from '../codec/text-query.ts'
import type { Db } from '../db/statement.ts'
import { findKept, listChanges as listRows } from '../records/change/list.ts'
import type { ChangeRow, KeptChanges } from '../records/change/list.ts'
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
const WAIT_MAX_SECONDS = 30
const WAIT_MESSAGE = `wait must be an integer between 0 and ${WAIT_MAX_SECONDS}`

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
  wait: z
    .string()
    .regex(/^\d{1,2}$/, WAIT_MESSAGE)
    .transform(Number)
    .pipe(z.int().max(WAIT_MAX_SECONDS, WAIT_MESSAGE))
    .default(0)
    .meta({
      description: 'Seconds to wait if there is no change to return. Only with `order` `asc`.',
      example: 0,
    }),
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

With \`wait\`, the response comes as soon as there is a change to return, or empty after this many seconds. So a client that sends
the next request right after each response learns of every change at once. A company can have 100 waiting requests per process; more are
rejected with a 429.

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
  // A cursor that the caller just read could be unknown there.
  readsPrimary: true,
  answer: async ({ db, companyId, query, watchChanges }) => {
    const values = readParameters(ListQuery, query, refuseExpand('Changes'))
    if (values.wait > 0 && values.order === 'desc') throw waitingBackwards()
    const nextChange = values.wait > 0 ? watchChanges() : null
    const deadline = performance.now() + values.wait * 1_000
    for (;;) {
      const { isCursorFound, rows, hasMore } = await readPage(db, companyId, values)
      const page = {
        body: presentList(URL, rows.map(presentChange), hasMore),
        headers: isCursorFound ? {} : CURSOR_NOT_FOUND,
      }
      const leftMs = deadline - performance.now()
      if (nextChange === null || rows.length > 0 || !isCursorFound || leftMs <= 0) return page
      if (!(await nextChange(leftMs))) return page
    }
  },
}

async function readPage(
  db: Db,
  companyId: string,
  values: z.output<typeof ListQuery>,
): Promise<{ isCursorFound: boolean; rows: ChangeRow[]; hasMore: boolean }> {
  const { limit, starting_after: cursor, object_id: subjectId, order } = values
  const sequence = cursor === undefined ? null : parseChangeId(cursor)
  if (cursor !== undefined && sequence === null) return { isCursorFound: false, ...NO_ROWS }
  const after = sequence === null ? null : BigInt(sequence)
  const subject = subjectId === undefined ? undefined : { id: subjectId }
  const createdAt = rangeOf(values, 'created_at')
  const filters = { types: values.type, subject, actor: undefined, createdAt, order }
  // One packet: a page at depth costs no more than the first one. The page comes first: if changes after the cursor had expired
  // before it was read, the second statement finds that the cursor has, too.
  const group = new StatementGroup(db, createLimiter(1))
  const [page, kept] = await Promise.all([
    subjectId === undefined || isPossibleId(subjectId)
      ? listRows(group, companyId, filters, { limit, after })
      : NO_ROWS,
    after === null ? null : findKept(group, companyId),
  ])
  if (after !== null && kept !== null && !isKept(after, kept)) return { isCursorFound: false, ...NO_ROWS }
  return { isCursorFound: true, ...page }
}

const NO_ROWS = { rows: [], hasMore: false }

const waitingBackwards = () =>
  new ApiError('invalid_parameter', { message: 'wait works with order asc only', param: 'wait' })

/** False if there was never such a change. */
function isKept(sequence: bigint, { oldest, newest }: KeptChanges): boolean {
  if (oldest === null || newest === null || sequence > newest) return false
  if (sequence >= oldest) return true
  throw new ApiError('cursor_expired', { message: expiredMessage(changeId(oldest)), param: 'starting_after' })
}

function expiredMessage(oldestId: string): string {
  return `This change is no longer kept. The oldest kept change is ${oldestId}. List everything again.`
}
