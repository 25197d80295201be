/** The accepted revisions of a company. */
import { literal, sql } from '../../db/sql.ts'
import { statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { idList } from '../../codec/column-types.ts'
import { defineFields, pick } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { QUOTE_REVISION_COLUMNS } from './columns.ts'

const ACCEPTED = defineFields({
  ...pick(QUOTE_REVISION_COLUMNS, 'id', 'quoteId', 'revision', 'content', 'sha256'),
  /** Of the acceptances. Those that were imported can lack it. */
  acceptedHashes: idList().sql(sql`ARRAY(
    SELECT DISTINCT a.sha256 FROM acceptances a
    WHERE a.company_id = $1 AND a.quote_revision_id = t.id AND a.sha256 IS NOT NULL)`),
})

/** Contents can be a megabyte each. */
const PAGE = 50

const LIST = statement(sql`
  SELECT ${ACCEPTED.selectList} FROM quote_revisions t
  WHERE t.company_id = $1 AND t.id > $2 AND EXISTS (
    SELECT 1 FROM acceptances a WHERE a.company_id = $1 AND a.quote_revision_id = t.id)
  ORDER BY t.id LIMIT ${literal(PAGE)}`)

export async function* listAcceptedRevisions(
  db: Db,
  companyId: string,
): AsyncGenerator<RowIn<typeof ACCEPTED>> {
  let after = ''
  for (;;) {
    const rows = await queryObjects(db, ACCEPTED, LIST, [companyId, after])
    yield* rows
    after = rows.at(-1)?.id ?? ''
    if (rows.length < PAGE) return
  }
}
