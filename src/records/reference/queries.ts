/** The records that a write refers to, of all kinds in one statement. */
import { isPossibleId } from '../../core/ids.ts'
import { REFERENCE_KINDS } from '../../core/requests/references.ts'
import type { Reference, ReferenceKind, ReferencedRecord } from '../../core/requests/references.ts'
import { join, literal, sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

const ARCHIVED = sql`t.archived_at IS NOT NULL`
const NO_CURRENCY = sql`NULL::text`
const CURRENCY = sql`t.currency::text`

const SOURCES: Record<ReferenceKind, { table: Sql; isRetired: Sql; currency?: Sql }> = {
  lead: { table: sql`leads`, isRetired: ARCHIVED },
  location: { table: sql`locations`, isRetired: ARCHIVED },
  eventType: { table: sql`event_types`, isRetired: ARCHIVED },
  discount: { table: sql`discounts`, isRetired: ARCHIVED, currency: CURRENCY },
  taxRate: { table: sql`tax_rates`, isRetired: ARCHIVED },
  paymentTerms: { table: sql`payment_terms`, isRetired: ARCHIVED },
  contract: { table: sql`contracts`, isRetired: ARCHIVED },
  serviceCharge: { table: sql`service_charges`, isRetired: ARCHIVED, currency: CURRENCY },
  service: { table: sql`services`, isRetired: ARCHIVED },
  addon: { table: sql`addons`, isRetired: ARCHIVED },
  staff: { table: sql`staff`, isRetired: sql`(t.status <> 'active' OR ${ARCHIVED})` },
  resource: { table: sql`resources`, isRetired: sql`(t.status <> 'Active' OR ${ARCHIVED})` },
}

/** Always all kinds, so that it is one prepared statement. Those without ids cost next to nothing. */
const select = (idsOf: (kind: ReferenceKind) => readonly string[]) =>
  join(
    REFERENCE_KINDS.map((kind) => {
      const { table, isRetired, currency = NO_CURRENCY } = SOURCES[kind]
      return sql`
        SELECT ${literal(kind)} AS kind, t.id::text, ${isRetired} AS "isRetired", ${currency} AS currency
        FROM ${table} t WHERE t.company_id = $1 AND t.id = ANY(${idsOf(kind)})`
    }),
    sql` UNION ALL `,
  )

/** Those that exist. */
export async function loadReferences(
  db: Db,
  companyId: string,
  references: readonly Reference[],
): Promise<ReferencedRecord[]> {
  if (references.length === 0) return []
  const idsOf = (kind: ReferenceKind) => [
    ...new Set(references.flatMap(({ kind: of, id }) => (of === kind && isPossibleId(id) ? id : []))),
  ]
  return queryRows<ReferencedRecord>(db, statement(select(idsOf)), [companyId])
}
