/** Resources: the equipment and assets of a company. */
import { isPossibleId } from '../../core/ids.ts'
import type { Page, ReadPage } from '../../core/requests/page.ts'
import { readSize, takePage } from '../../core/requests/page.ts'
import type { Db } from '../../db/connect.ts'
import { defineFields, publicColumns } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { BY_NAME, loaderById } from '../../codec/load.ts'
import type { Packed } from '../../codec/packed-row.ts'
import { findRow, listRowsAfter, selectFields } from '../../codec/select.ts'
import type { Select } from '../../codec/select.ts'
import { RESOURCE_COLUMNS } from './columns.ts'

export const RESOURCE_FIELDS = defineFields(publicColumns(RESOURCE_COLUMNS))

type ResourceRow = RowIn<typeof RESOURCE_FIELDS>

const FIND_RESOURCE = selectFields(RESOURCE_FIELDS, {
  from: 'resources t WHERE t.company_id = $1 AND t.id = $2',
  orderBy: 't.id',
})

export async function findResource(
  db: Db,
  companyId: string,
  id: string,
): Promise<Packed<ResourceRow> | null> {
  if (!isPossibleId(id)) return null
  return findRow(db, FIND_RESOURCE, [companyId, id])
}

export const loadResources = loaderById(RESOURCE_COLUMNS, RESOURCE_FIELDS, BY_NAME)

export interface ResourceFilters {
  locationId: string | undefined
}

/** Newest first. A cursor that is not among the filtered resources yields an empty page. */
export async function listResources(
  db: Db,
  companyId: string,
  filters: ResourceFilters,
  page: Page,
): Promise<ReadPage<Packed<ResourceRow>>> {
  const { locationId } = filters
  const { startingAfter, limit } = page
  const given = [locationId, startingAfter].filter((id) => id !== undefined)
  if (!given.every(isPossibleId))
    return { rows: [], hasMore: false, isCursorFound: startingAfter === undefined }
  const values = [companyId, ...given]
  const list = listStatement(locationId !== undefined, startingAfter !== undefined, limit)
  const { rows, isFound } = await listRowsAfter(db, list, values)
  return { ...takePage(rows, limit), isCursorFound: isFound }
}

const lists = new Map<string, Select<ResourceRow>>()

/**
 * One statement per set of filters. The limit is part of the text: with a parameter PostgreSQL would plan at every call. The
 * cursor is a subquery with the same filters, so that a missing row gives an empty page. Comparing (created_at, id) as a row
 * lets the index start at the cursor, at any depth.
 */
function listStatement(byLocation: boolean, afterCursor: boolean, limit: number): Select<ResourceRow> {
  const shape = `${byLocation} ${afterCursor} ${readSize(limit)}`
  const known = lists.get(shape)
  if (known !== undefined) return known
  const filters = byLocation ? 'r.company_id = $1 AND r.location_id = $2' : 'r.company_id = $1'
  const cursor = afterCursor
    ? `SELECT r.created_at, r.id FROM resources r WHERE ${filters} AND r.id = $${byLocation ? 3 : 2}`
    : null
  const made = selectFields(RESOURCE_FIELDS, {
    from: `(
      SELECT * FROM resources r
      WHERE ${filters}${cursor === null ? '' : ` AND (r.created_at, r.id) < (${cursor})`}
      ORDER BY r.created_at DESC, r.id DESC
      LIMIT ${readSize(limit)}
    ) t`,
    orderBy: 't.created_at DESC, t.id DESC',
    cursor,
  })
  lists.set(shape, made)
  return made
}
