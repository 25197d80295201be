/** The choices of the quote editor: all records that are not archived, or only some by id. */
import { CHOICES_MAX } from '../../core/quotes/quote-choices.ts'
import { boolean } from '../../codec/column-types.ts'
import type { Fields } from '../../codec/fields.ts'
import { BY_NAME } from '../../codec/load.ts'
import { listObjects, selectFields } from '../../codec/select.ts'
import type { Select } from '../../codec/select.ts'
import { identifier, literal, sql } from '../../db/sql.ts'
import type { Db } from '../../db/statement.ts'

/** All that are not archived and the requested ones, which come first, or only the requested ones. */
export type Extent = 'all' | 'some'

export const IS_ARCHIVED = { isArchived: boolean().sql(sql`t.archived_at IS NOT NULL`) }

export function selectChoices<Row>(
  { table }: { table: string },
  fields: Fields<Row>,
): Record<Extent, Select<Row>> {
  const isRequested = sql`t.id = ANY($2)`
  return {
    all: selectFields(fields, {
      from: sql`${identifier(table)} t WHERE t.company_id = $1 AND (t.archived_at IS NULL OR ${isRequested})`,
      orderBy: sql`(${isRequested}) DESC, ${BY_NAME} LIMIT ${literal(CHOICES_MAX)}`,
    }),
    some: selectFields(fields, {
      from: sql`${identifier(table)} t WHERE t.company_id = $1 AND ${isRequested}`,
      orderBy: BY_NAME,
    }),
  }
}

export async function listChoices<Row>(
  db: Db,
  selects: Record<Extent, Select<Row>>,
  companyId: string,
  ids: readonly string[],
  extent: Extent,
): Promise<Row[]> {
  return listObjects(db, selects[extent], [companyId, ids])
}
