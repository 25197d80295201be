/** Services and add-ons: two record types with the same columns. */
import { defineColumns } from '../../codec/column.ts'
import { TIMES, filledText, id, ofCompany, text, time } from '../../codec/column-types.ts'

const ITEM = {
  companyId: ofCompany(),
  name: filledText(),
  description: text().nullable(),
  imageUrl: text('URL of a picture.').nullable(),
  archivedAt: time().nullable().internal(),
  ...TIMES,
}

export const SERVICE_COLUMNS = defineColumns('service', 'services', { id: id('service'), ...ITEM })
export const ADDON_COLUMNS = defineColumns('addon', 'addons', { id: id('add-on'), ...ITEM })
