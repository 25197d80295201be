/** Contract templates. The API never shows their content. */
import { defineColumns } from '../../codec/column.ts'
import { filledText, id, ofCompany, publicTimes, text, time } from '../../codec/column-types.ts'

export const CONTRACT_COLUMNS = defineColumns('contract', 'contracts', {
  id: id('contract template'),
  companyId: ofCompany(),
  name: filledText(),
  description: text().nullable(),
  content: text().nullable().internal(),
  archivedAt: time().nullable().internal(),
  ...publicTimes('template'),
})
