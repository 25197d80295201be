/** The task that a creation returns. */
import { z } from 'zod'
import { publicShape } from '../../codec/public-schema.ts'
import { TASK_COLUMNS } from './columns.ts'
import type { CreatedTask } from './queries.ts'

const { id, description, dueDate, eventId, createdAt } = publicShape(TASK_COLUMNS)

export const TaskCreation = z
  .strictObject({
    success: z.literal(true),
    task: z.strictObject({ id, description, dueDate, eventId, completed: z.literal(false), createdAt }),
  })
  .meta({ id: 'TaskCreation', description: 'The new task on the admin checklist of its event.' })

export function presentTaskCreation(created: CreatedTask): z.output<typeof TaskCreation> {
  return {
    success: true,
    task: {
      id: created.id,
      description: created.description,
      dueDate: created.dueDate,
      eventId: created.eventId,
      completed: false,
      createdAt: created.createdAt,
    },
  }
}
