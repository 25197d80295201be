/** Tasks on an event's admin checklist. */
import { isPossibleId } from '../../core/ids.ts'
import type { Page, ReadPage } from '../../core/requests/page.ts'
import type { TimeRange } from '../../core/schedule/time-range.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, publicColumns } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { listPage } from '../../codec/list.ts'
import { finderById } from '../../codec/load.ts'
import type { Packed } from '../../codec/packed-row.ts'
import { listObjects, queryPacked, selectFields } from '../../codec/select.ts'
import { laterThan } from '../../codec/write.ts'
import { TASK_COLUMNS } from './columns.ts'

export const TASK_FIELDS = defineFields(publicColumns(TASK_COLUMNS))

export type TaskRow = RowIn<typeof TASK_FIELDS>

export const findTask = finderById(TASK_COLUMNS, TASK_FIELDS)

export interface TaskFilters {
  eventId: string | undefined
  completed: boolean | undefined
  dueDate: TimeRange | null
  createdAt: TimeRange | null
  updatedAt: TimeRange | null
}

/** Newest first. */
export async function listTasks(
  db: Db,
  companyId: string,
  { completed, ...filters }: TaskFilters,
  page: Page,
): Promise<ReadPage<Packed<TaskRow>>> {
  // An equality uses the index of open and completed tasks. The few tasks of an event have a better one.
  const is = filters.eventId === undefined ? sql`=` : sql`IS NOT DISTINCT FROM`
  const where =
    completed === undefined ? [] : [sql`(t.completed_at IS NULL) ${is} (SELECT ${!completed}::boolean)`]
  return listPage(db, companyId, { recordType: TASK_COLUMNS, fields: TASK_FIELDS, where }, filters, page)
}

/** Checklist order: open tasks by due date, then those without one by creation; then completed tasks, latest first. */
const BY_URGENCY = sql`t.completed_at DESC NULLS FIRST, t.due_date NULLS LAST, t.created_at, t.id`

/** Without descriptions, which can be megabytes. `xmin` changes with every write to the row. */
const OUTLINE = statement(sql`
  SELECT t.id, t.xmin::text AS mark, t.completed_at IS NOT NULL AS "isDone", (count(*) OVER ())::integer AS total,
    (count(t.completed_at) OVER ())::integer AS done, max(t.created_at) OVER () AS "newestAt"
  FROM tasks t WHERE t.company_id = $1 AND t.event_id = $2
  ORDER BY ${BY_URGENCY} LIMIT $3`)

interface OutlineRow extends TaskMark {
  isDone: boolean
  total: number
  done: number
  newestAt: string
}

/** A task and its version: a different mark means that it was changed. */
export interface TaskMark {
  id: string
  mark: string
}

export interface ChecklistOutline {
  /** The first tasks, in checklist order. */
  marks: TaskMark[]
  /** The number of further tasks. */
  hidden: { open: number; done: number }
  /** When the newest task was added, as PostgreSQL prints it; null if there are no tasks. */
  newestAt: string | null
}

const HAS_EVENT = statement(sql`SELECT 1 AS one FROM events WHERE company_id = $1 AND id = $2`)

/** Only needed if there are no tasks, since every task has an event. */
async function hasEvent(db: Db, companyId: string, eventId: string): Promise<boolean> {
  return (await queryRows(db, HAS_EVENT, [companyId, eventId])).length > 0
}

/** The first tasks of the checklist of an event; null if the event does not exist. */
export async function outlineChecklist(
  db: Db,
  companyId: string,
  eventId: string,
  limit: number,
): Promise<ChecklistOutline | null> {
  if (!isPossibleId(eventId)) return null
  const rows = await queryRows<OutlineRow>(db, OUTLINE, [companyId, eventId, limit])
  const [first] = rows
  if (first === undefined) {
    const isEmpty = await hasEvent(db, companyId, eventId)
    return isEmpty ? { marks: [], hidden: { open: 0, done: 0 }, newestAt: null } : null
  }
  const { total, done, newestAt } = first
  const doneHere = rows.filter(({ isDone }) => isDone).length
  const openHere = rows.length - doneHere
  return {
    marks: rows.map(({ id, mark }) => ({ id, mark })),
    hidden: { open: total - done - openHere, done: done - doneHere },
    newestAt,
  }
}

const LOAD_TASKS = selectFields(TASK_FIELDS, {
  from: sql`tasks t WHERE t.company_id = $1 AND t.event_id = $2 AND t.id = ANY($3)`,
  orderBy: BY_URGENCY,
})

/** The tasks of the event that still exist; null if the event does not exist. */
export async function loadTasks(
  db: Db,
  companyId: string,
  eventId: string,
  ids: readonly string[],
): Promise<TaskRow[] | null> {
  if (!isPossibleId(eventId)) return null
  const rows = await listObjects(db, LOAD_TASKS, [companyId, eventId, ids.filter(isPossibleId)])
  return rows.length > 0 || (await hasEvent(db, companyId, eventId)) ? rows : null
}

const CREATE_TASK = statement(sql`
  INSERT INTO tasks AS t (company_id, id, event_id, description, due_date)
  SELECT company_id, $2, id, $4, $5 FROM events WHERE company_id = $1 AND id = $3
  RETURNING ${TASK_FIELDS.selectList}`)

/** Null if the event does not exist. One statement finds the event and adds the task, so that nothing can happen in between. */
export async function insertTask(
  db: Db,
  companyId: string,
  { id, eventId, description, dueDate }: Pick<TaskRow, 'id' | 'eventId' | 'description' | 'dueDate'>,
): Promise<Packed<TaskRow> | null> {
  if (!isPossibleId(eventId)) return null
  const [row] = await queryPacked(db, TASK_FIELDS, CREATE_TASK, [
    companyId,
    id,
    eventId,
    description,
    dueDate,
  ])
  return row ?? null
}

const UPDATE_TASK = statement(sql`
  UPDATE tasks t SET description = $3, due_date = $4,
    completed_at = CASE WHEN $5::boolean THEN coalesce(t.completed_at, clock.now) END, updated_at = ${laterThan(sql`t.updated_at`)}
  FROM (SELECT now() AS now) clock
  WHERE t.company_id = $1 AND t.id = $2
  RETURNING ${TASK_FIELDS.selectList}`)

/** The task must exist. A task that is already completed keeps its time. */
export async function updateTaskRow(
  db: Db,
  companyId: string,
  id: string,
  values: { description: string; dueDate: string | null; completed: boolean },
): Promise<Packed<TaskRow>> {
  const { description, dueDate, completed } = values
  const [row] = await queryPacked(db, TASK_FIELDS, UPDATE_TASK, [
    companyId,
    id,
    description,
    dueDate,
    completed,
  ])
  if (row === undefined) throw new Error('the task to update does not exist')
  return row
}

const DELETE_TASK = statement(sql`DELETE FROM tasks WHERE company_id = $1 AND id = $2`)

export async function deleteTaskRow(db: Db, companyId: string, id: string): Promise<void> {
  await queryRows(db, DELETE_TASK, [companyId, id])
}
