/** Tasks on an event's admin checklist. */
import { isoFromPostgres } from '../core/datetime.ts'
import { isPossibleId, newId } from '../core/ids.ts'
import { queryRows, statement } from './connect.ts'
import type { Db } from './connect.ts'

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

/** The event is looked up by the very statement that adds to it: no moment between the check and the deed. */
const CREATE_TASK = statement(`
  INSERT INTO tasks (company_id, id, event_id, description, due_date)
  SELECT company_id, $2, id, $4, $5 FROM events WHERE company_id = $1 AND id = $3
  RETURNING created_at AS "createdAt"`)

/** The task, or null when the company has no such event. */
export async function createTask(db: Db, companyId: string, task: NewTask): Promise<CreatedTask | null> {
  if (!isPossibleId(task.eventId)) return null
  const id = newId('task')
  const values = [companyId, id, task.eventId, task.description, task.dueDate]
  const [row] = await queryRows<{ createdAt: string }>(db, CREATE_TASK, values)
  return row === undefined ? null : { ...task, id, createdAt: isoFromPostgres(row.createdAt) }
}
