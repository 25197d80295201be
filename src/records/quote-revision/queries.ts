/** Revisions of quotes, and the acceptances of them. */
import { sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, nullable, ofTable, pick, withIsoTimes } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { isPossibleId } from '../../core/ids.ts'
import { queryObjects } from '../../codec/select.ts'
import { ACCEPTANCE_COLUMNS } from '../acceptance/columns.ts'
import { BOOKING_COLUMNS } from '../booking/columns.ts'
import { QUOTE_COLUMNS } from '../quote/columns.ts'
import { QUOTE_REVISION_COLUMNS } from './columns.ts'

const STORED = defineFields(
  withIsoTimes(
    pick(QUOTE_REVISION_COLUMNS, 'id', 'quoteId', 'revision', 'content', 'sha256', 'sentAt', 'viewedAt'),
  ),
)

export type StoredRevision = RowIn<typeof STORED>

const FIND_NEWEST = statement(sql`
  SELECT ${STORED.selectList} FROM quote_revisions t WHERE t.company_id = $1 AND t.quote_id = $2
  ORDER BY t.revision DESC LIMIT 1`)

/** Null if the quote was never sent. */
export async function findNewestRevision(
  db: Db,
  companyId: string,
  quoteId: string,
): Promise<StoredRevision | null> {
  if (!isPossibleId(quoteId)) return null
  const [row] = await queryObjects(db, STORED, FIND_NEWEST, [companyId, quoteId])
  return row ?? null
}

const FIND = statement(sql`
  SELECT ${STORED.selectList} FROM quote_revisions t
  WHERE t.company_id = $1 AND t.quote_id = $2 AND t.revision = $3`)

export async function findRevision(
  db: Db,
  companyId: string,
  quoteId: string,
  revision: number,
): Promise<StoredRevision | null> {
  const [row] = await queryObjects(db, STORED, FIND, [companyId, quoteId, revision])
  return row ?? null
}

const LINK = defineFields(
  withIsoTimes({
    ...pick(QUOTE_REVISION_COLUMNS, 'revision', 'sentAt'),
    /** The quote can have got another expiration since. The offer ends at the earlier one (`revisionState`). */
    expiresAt: QUOTE_COLUMNS.columns.expiresAt.sql(
      sql`least(q.expires_at, (t.content::json ->> 'expiresAt')::timestamptz)`,
    ),
  }),
)

const FIND_LINK = statement(sql`
  SELECT ${LINK.selectList} FROM quotes q JOIN quote_revisions t ON t.company_id = $1 AND t.quote_id = q.id
  WHERE q.company_id = $1 AND q.id = $2 AND q.deleted_at IS NULL
  ORDER BY t.revision DESC LIMIT 1`)

/** The newest revision; null if the quote was never sent. */
export async function findQuoteLink(
  db: Db,
  companyId: string,
  quoteId: string,
): Promise<RowIn<typeof LINK> | null> {
  if (!isPossibleId(quoteId)) return null
  const [row] = await queryObjects(db, LINK, FIND_LINK, [companyId, quoteId])
  return row ?? null
}

const MARK_VIEWED = statement(sql`
  UPDATE quote_revisions SET viewed_at = now(), updated_at = now()
  WHERE company_id = $1 AND id = $2 AND viewed_at IS NULL RETURNING id`)

/** False if it was viewed before. */
export async function markViewed(db: Db, companyId: string, id: string): Promise<boolean> {
  return (await queryRows(db, MARK_VIEWED, [companyId, id])).length === 1
}

const STANDING = defineFields(
  withIsoTimes({
    ...ofTable('r', pick(QUOTE_REVISION_COLUMNS, 'id', 'content', 'sha256', 'viewedAt')),
    newest: QUOTE_REVISION_COLUMNS.columns.revision.sql(sql`n.revision`),
    ...ofTable('q', pick(QUOTE_COLUMNS, 'sentAt', 'expiresAt', 'lostAt')),
    bookedAt: QUOTE_COLUMNS.columns.bookedAt.sql(sql`coalesce(q.booked_at, b.created_at)`),
    /** Of the quote's booking. */
    ...ofTable('k', pick(BOOKING_COLUMNS, 'canceledAt')),
    acceptedName: ACCEPTANCE_COLUMNS.columns.name.nullable().sql(sql`a.name`),
    ...nullable(ofTable('a', pick(ACCEPTANCE_COLUMNS, 'acceptedAt', 'choices'))),
  }),
)

/** The booking that an acceptance of the revision in table `revision` created. `$2` is the quote. */
export const acceptedBooking = (revision: Sql) => sql`
  SELECT b.id, b.created_at, b.canceled_at FROM bookings b
  WHERE b.company_id = $1 AND b.quote_id = $2 AND b.accepted_revision_id = ${revision}.id
  ORDER BY b.canceled_at IS NOT NULL, b.created_at DESC, b.id DESC LIMIT 1`

/** The booking counts even if an import of an older export removed it from the quote. */
const FIND_STANDING = statement(sql`
  SELECT ${STANDING.selectList}
  FROM quotes q
    JOIN quote_revisions r ON r.company_id = $1 AND r.quote_id = q.id AND r.revision = $3
    CROSS JOIN LATERAL (
      SELECT max(n.revision) AS revision FROM quote_revisions n WHERE n.company_id = $1 AND n.quote_id = q.id) n
    LEFT JOIN bookings k ON k.company_id = $1 AND k.id = q.booking_id
    LEFT JOIN LATERAL (${acceptedBooking(sql`r`)}) b ON b.canceled_at IS NULL OR b.id = q.booking_id
    LEFT JOIN LATERAL (
      SELECT a.* FROM acceptances a WHERE b.id IS NOT NULL AND a.company_id = $1 AND a.quote_revision_id = r.id
      ORDER BY a.accepted_at DESC, a.id DESC LIMIT 1) a ON true
  WHERE q.company_id = $1 AND q.id = $2 AND q.deleted_at IS NULL`)

/** A revision, where its quote stands, and the acceptance that its booking is based on. */
export type RevisionStanding = RowIn<typeof STANDING>

export async function findRevisionStanding(
  db: Db,
  companyId: string,
  quoteId: string,
  revision: number,
): Promise<RevisionStanding | null> {
  const [row] = await queryObjects(db, STANDING, FIND_STANDING, [companyId, quoteId, revision])
  return row ?? null
}
