/** Resources: the equipment and assets of a company. */
import { RESOURCE_STATUSES } from '../../core/enumerations.ts'
import { defineColumns } from '../../codec/column.ts'
import { filledText, id, ofCompany, oneOf, publicTimes, text, time } from '../../codec/column-types.ts'

export const RESOURCE_COLUMNS = defineColumns('resource', 'resources', {
  id: id('resource'),
  companyId: ofCompany(),
  name: filledText(),
  description: text().nullable(),
  imageUrl: text('URL of a picture.').nullable(),
  category: text().nullable(),
  status: oneOf(RESOURCE_STATUSES).default('Active'),
  locationId: id('location the resource is attached to'),
  archivedAt: time().nullable().internal(),
  ...publicTimes('resource'),
})
