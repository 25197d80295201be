/** Resources: the equipment and assets of a company. */
import type { ResourceStatus } from '../core/enumerations.ts'
import { isPossibleId } from '../core/ids.ts'
import type { Page } from '../core/page.ts'
import { readSize, takePage } from '../core/page.ts'
import { columns, queryRows, shapedStatement, statement } from './connect.ts'
import type { Db, Statement } from './connect.ts'
import { BY_NAME, loaderById } from './load.ts'

export interface ResourceRow {
  id: string
  name: string
  description: string | null
  imageUrl: string | null
  category: string | null
  status: ResourceStatus
  locationId: string
  createdAt: string
  updatedAt: string
}

const FIELDS = 'id name description imageUrl category status locationId createdAt updatedAt'

const FIND_RESOURCE = statement(`SELECT ${columns(FIELDS)} FROM resources WHERE company_id = $1 AND id = $2`)

export async function findResource(db: Db, companyId: string, id: string): Promise<ResourceRow | null> {
  if (!isPossibleId(id)) return null
  return (await queryRows<ResourceRow>(db, FIND_RESOURCE, [companyId, id]))[0] ?? null
}

export const loadResources = loaderById<ResourceRow>('resources', FIELDS, BY_NAME)

export interface ResourceFilters {
  locationId: string | undefined
}

/** Newest first. A cursor that is not among the filtered resources yields an empty page. */
export async function listResources(
  db: Db,
  companyId: string,
  filters: ResourceFilters,
  page: Page,
): Promise<{ rows: ResourceRow[]; hasMore: boolean }> {
  const { locationId } = filters
  const { startingAfter, limit } = page
  const given = [locationId, startingAfter].filter((id) => id !== undefined)
  if (!given.every(isPossibleId)) return { rows: [], hasMore: false }
  const values = [companyId, ...given]
  const list = listStatement(locationId !== undefined, startingAfter !== undefined, limit)
  return takePage(await queryRows<ResourceRow>(db, list, values), limit)
}

/**
 * One statement per shape of request. The limit is part of the text: as a parameter it would make PostgreSQL plan anew at
 * every call. The cursor is a subquery with the same filters: no row, no page; and comparing (created_at, id) as a row
 * lets the index begin right there, at any depth.
 */
function listStatement(byLocation: boolean, afterCursor: boolean, limit: number): Statement {
  const filters = byLocation ? 'company_id = $1 AND location_id = $2' : 'company_id = $1'
  const cursor = `(SELECT created_at, id FROM resources WHERE ${filters} AND id = $${byLocation ? 3 : 2})`
  return shapedStatement(`
    SELECT ${columns(FIELDS)} FROM resources
    WHERE ${filters}${afterCursor ? ` AND (created_at, id) < ${cursor}` : ''}
    ORDER BY created_at DESC, id DESC
    LIMIT ${readSize(limit)}`)
}
