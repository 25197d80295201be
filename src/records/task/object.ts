/** The task that a creation returns. */
import { z } from 'zod'
import type { CreatedTask } from './queries.ts'
import { id, optionalTimestamp, timestamp } from '../../codec/schemas.ts'

export const TaskCreation = z
  .strictObject({
    success: z.literal(true),
    task: z.strictObject({
      id: id('task'),
      description: z.string(),
      dueDate: optionalTimestamp('When the task is due. Null if it has no due date.'),
      eventId: id('event the task belongs to'),
      completed: z.literal(false),
      createdAt: timestamp('When the task was created.'),
    }),
  })
  .meta({ id: 'TaskCreation', description: 'The new task on the admin checklist of its event.' })

export function presentTaskCreation(task: CreatedTask): z.output<typeof TaskCreation> {
  const { id: taskId, description, dueDate, eventId, createdAt } = task
  return { success: true, task: { id: taskId, description, dueDate, eventId, completed: false, createdAt } }
}
