/** Tasks on an event's admin checklist. */
import { z } from 'zod'
import { defineColumns } from '../../codec/column.ts'
import { computed, filledText, id, ofCompany, publicTimes, time } from '../../codec/column-types.ts'

export const TASK_COLUMNS = defineColumns('task', 'tasks', {
  id: id('task'),
  companyId: ofCompany(),
  eventId: id('event the task belongs to').owner(),
  description: filledText(),
  dueDate: time('When the task is due. Null if it has no due date.').nullable(),
  completed: computed(z.boolean()),
  completedAt: time('When the task was completed.').nullable(),
  ...publicTimes('task'),
})
