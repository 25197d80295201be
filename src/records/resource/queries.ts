/** Resources: the equipment and assets of a company. */
import type { Page, ReadPage } from '../../core/requests/page.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, publicColumns } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { listPage } from '../../codec/list.ts'
import { BY_NAME, finderById, loaderById } from '../../codec/load.ts'
import type { Packed } from '../../codec/packed-row.ts'
import { RESOURCE_COLUMNS } from './columns.ts'

export const RESOURCE_FIELDS = defineFields(publicColumns(RESOURCE_COLUMNS))

type ResourceRow = RowIn<typeof RESOURCE_FIELDS>

export const findResource = finderById(RESOURCE_COLUMNS, RESOURCE_FIELDS)

export const loadResources = loaderById(RESOURCE_COLUMNS, RESOURCE_FIELDS, BY_NAME)

/** Newest first. A cursor that is not among the filtered resources yields an empty page. */
export async function listResources(
  db: Db,
  companyId: string,
  filters: { locationId: string | undefined },
  page: Page,
): Promise<ReadPage<Packed<ResourceRow>>> {
  return listPage(db, companyId, { recordType: RESOURCE_COLUMNS, fields: RESOURCE_FIELDS }, filters, page)
}
