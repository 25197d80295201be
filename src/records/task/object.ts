/** The task object, and what the older creation endpoint returns. */
import { z } from 'zod'
import { publicObject } from '../../codec/public-object.ts'
import { publicShape } from '../../codec/public-schema.ts'
import { TASK_COLUMNS } from './columns.ts'
import { TASK_FIELDS } from './queries.ts'

export const TASK = publicObject(
  TASK_COLUMNS,
  TASK_FIELDS,
  { completed: (row) => row.get('completedAt') !== null },
  { id: 'Task', description: 'A task on the admin checklist of an event.' },
)

const { id, description, dueDate, eventId, createdAt } = publicShape(TASK_COLUMNS)

export const TaskCreation = z
  .strictObject({
    success: z.literal(true),
    task: z.strictObject({ id, description, dueDate, eventId, completed: z.literal(false), createdAt }),
  })
  .meta({ id: 'TaskCreation', description: 'The new task on the admin checklist of its event.' })

export function presentTaskCreation(task: ReturnType<typeof TASK.present>): z.output<typeof TaskCreation> {
  return {
    success: true,
    task: {
      id: task.id,
      description: task.description,
      dueDate: task.dueDate,
      eventId: task.eventId,
      completed: false,
      createdAt: task.createdAt,
    },
  }
}
