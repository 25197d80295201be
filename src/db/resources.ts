/** Resources: the equipment and assets of a company. */
import { isPossibleId } from '../core/ids.ts'
import type { Page } from '../core/page.ts'
import { takePage } from '../core/page.ts'
import { queryRows, statement } from './connect.ts'
import type { Db, Statement } from './connect.ts'

/** Columns in the order of SELECT. */
export type ResourceRow = [
  id: string,
  name: string,
  description: string | null,
  imageUrl: string | null,
  category: string | null,
  status: 'Active' | 'Inactive',
  locationId: string,
  createdAt: string,
  updatedAt: string,
]

const COLUMNS = 'id, name, description, image_url, category, status, location_id, created_at, updated_at'

const FIND_RESOURCE = statement(`SELECT ${COLUMNS} FROM resources WHERE company_id = $1 AND id = $2`)

export async function findResource(db: Db, companyId: string, id: string): Promise<ResourceRow | null> {
  if (!isPossibleId(id)) return null
  return (await queryRows<ResourceRow>(db, FIND_RESOURCE, [companyId, id]))[0] ?? null
}

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

const listStatements = new Map<string, Statement>()

/**
 * One statement per shape of request. The limit is part of the text: as a parameter it would make PostgreSQL plan anew at
 * every call. The cursor is a subquery with the same filters: no row, no page; and comparing (created_at, id) as a row
 * lets the index begin right there, at any depth.
 */
function listStatement(byLocation: boolean, afterCursor: boolean, limit: number): Statement {
  const shape = `${byLocation} ${afterCursor} ${limit}`
  const known = listStatements.get(shape)
  if (known !== undefined) return known
  const filters = byLocation ? 'company_id = $1 AND location_id = $2' : 'company_id = $1'
  const cursor = `(SELECT created_at, id FROM resources WHERE ${filters} AND id = $${byLocation ? 3 : 2})`
  const made = statement(`
    SELECT ${COLUMNS} FROM resources
    WHERE ${filters}${afterCursor ? ` AND (created_at, id) < ${cursor}` : ''}
    ORDER BY created_at DESC, id DESC
    LIMIT ${limit + 1}`)
  listStatements.set(shape, made)
  return made
}
