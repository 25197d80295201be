/** Tasks on an event's admin checklist. */
import { defineColumns } from '../../codec/column.ts'
import { filledText, id, ofCompany, publicTimes, time } from '../../codec/column-types.ts'

export const TASK_COLUMNS = defineColumns('task', 'tasks', {
  id: id('task'),
  companyId: ofCompany(),
  eventId: id('event the task belongs to').owner(),
  description: filledText(),
  dueDate: time('When it is due; null when none was given.').nullable(),
  completedAt: time().nullable(),
  ...publicTimes('task'),
})
