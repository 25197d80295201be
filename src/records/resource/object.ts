/** Resources: the equipment and assets of a company. */
import { publicRecord } from '../../codec/public-record.ts'
import { lister } from '../../codec/list.ts'
import { BY_NAME } from '../../codec/load.ts'
import { RESOURCE_COLUMNS } from './columns.ts'

export const {
  object: RESOURCE,
  fields: RESOURCE_FIELDS,
  find: findResource,
  load: loadResources,
} = publicRecord(RESOURCE_COLUMNS, {
  documentation: { id: 'Resource', description: 'A piece of equipment or another asset that events use.' },
  orderBy: BY_NAME,
})

/** Newest first. A cursor that is not among the filtered resources yields an empty page. */
export const listResources = lister({ recordType: RESOURCE_COLUMNS, fields: RESOURCE_FIELDS })
