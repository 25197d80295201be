/** Event types. */
import { defineColumns } from '../../codec/column.ts'
import { TIMES, filledText, id, ofCompany, time } from '../../codec/column-types.ts'

export const EVENT_TYPE_COLUMNS = defineColumns('eventType', 'event_types', {
  id: id('event type'),
  companyId: ofCompany(),
  name: filledText(),
  archivedAt: time().nullable().internal(),
  ...TIMES,
})
