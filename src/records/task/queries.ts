/** Tasks on an event's admin checklist. */
import { isoFromPostgres } from '../../core/schedule/datetime.ts'
import { isPossibleId, newId } from '../../core/ids.ts'
import { sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, pick } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { findPlainObject, listObjects, queryObjects, selectFields } from '../../codec/select.ts'
import { TASK_COLUMNS } from './columns.ts'

export interface NewTask {
  eventId: string
  description: string
  /** ISO 8601 in UTC with milliseconds. */
  dueDate: string | null
}

export interface CreatedTask extends NewTask {
  id: string
  createdAt: string
}

/** One statement looks up the event and adds the task, so that nothing can happen in between. */
const CREATE_TASK = statement(sql`
  INSERT INTO tasks (company_id, id, event_id, description, due_date)
  SELECT company_id, $2, id, $4, $5 FROM events WHERE company_id = $1 AND id = $3
  RETURNING created_at AS "createdAt"`)

/** The task, or null if the event does not exist. */
export async function createTask(db: Db, companyId: string, task: NewTask): Promise<CreatedTask | null> {
  if (!isPossibleId(task.eventId)) return null
  const id = newId('task')
  const values = [companyId, id, task.eventId, task.description, task.dueDate]
  const [row] = await queryRows<{ createdAt: string }>(db, CREATE_TASK, values)
  return row === undefined ? null : { ...task, id, createdAt: isoFromPostgres(row.createdAt) }
}

const TASK = defineFields(
  pick(TASK_COLUMNS, 'id', 'eventId', 'description', 'dueDate', 'completedAt', 'createdAt', 'updatedAt'),
)

export type TaskRow = RowIn<typeof TASK>

/** The changes of an edit. Absent members stay unchanged. */
export interface TaskChanges {
  description?: string | undefined
  /** ISO 8601 in UTC with milliseconds, or null for none. */
  dueDate?: string | null | undefined
}

/** `changed` means that someone else changed it first; the row is the current one. */
export type TaskUpdate = { kind: 'updated' | 'changed'; row: TaskRow } | null

const FIND_TASK = selectFields(TASK, {
  from: sql`tasks t WHERE t.company_id = $1 AND t.id = $2`,
  orderBy: sql`t.id`,
})

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

const LOAD_TASKS = selectFields(TASK, {
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

/** Always later than before, even within one millisecond, because edits compare it. */
const NEXT_UPDATE = sql`greatest(now(), updated_at + interval '1 millisecond')`

const UPDATE_TASK = statement(sql`
  UPDATE tasks t SET description = coalesce($4, t.description),
    due_date = CASE WHEN $5::boolean THEN $6 ELSE t.due_date END, updated_at = ${NEXT_UPDATE}
  WHERE t.company_id = $1 AND t.id = $2 AND t.updated_at = $3
  RETURNING ${TASK.selectList}`)

/** Changes the task if its `updatedAt` is still the same. Null if it does not exist. */
export async function updateTask(
  db: Db,
  companyId: string,
  id: string,
  { description, dueDate }: TaskChanges,
  updatedAt: string,
): Promise<TaskUpdate> {
  if (!isPossibleId(id)) return null
  const values = [companyId, id, updatedAt, description ?? null, dueDate !== undefined, dueDate ?? null]
  const [updated] = await queryObjects(db, TASK, UPDATE_TASK, values)
  if (updated !== undefined) return { kind: 'updated', row: updated }
  const row = await findPlainObject(db, FIND_TASK, [companyId, id])
  return row === null ? null : { kind: 'changed', row }
}

/** A task that is already completed keeps its time. */
const tickStatement = (changes: Sql, unless: Sql) =>
  statement(sql`
    UPDATE tasks t SET ${changes}, updated_at = ${NEXT_UPDATE}
    WHERE t.company_id = $1 AND t.id = $2 AND ${unless}
    RETURNING ${TASK.selectList}`)

const TICK_TASK = tickStatement(sql`completed_at = now()`, sql`t.completed_at IS NULL`)
const UNTICK_TASK = tickStatement(sql`completed_at = NULL`, sql`t.completed_at IS NOT NULL`)

/** Null if the task does not exist. */
export async function completeTask(
  db: Db,
  companyId: string,
  id: string,
  completed: boolean,
): Promise<TaskRow | null> {
  if (!isPossibleId(id)) return null
  const [row] = await queryObjects(db, TASK, completed ? TICK_TASK : UNTICK_TASK, [companyId, id])
  return row ?? findPlainObject(db, FIND_TASK, [companyId, id])
}

const DELETE_TASK = statement(sql`DELETE FROM tasks WHERE company_id = $1 AND id = $2 RETURNING id`)

/** Whether the task existed. */
export async function deleteTask(db: Db, companyId: string, id: string): Promise<boolean> {
  return isPossibleId(id) && (await queryRows(db, DELETE_TASK, [companyId, id])).length > 0
}
