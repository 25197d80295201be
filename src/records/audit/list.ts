/** Reads the audit log, and the audit log and the change log as one list, newest first. */
import { activityId, membersOf, typesOfKind } from '../../core/change-log/activity.ts'
import type {
  Activity,
  ActivityKind,
  ActivityPosition,
  MemberChange,
} from '../../core/change-log/activity.ts'
import { AUDIT_TYPES } from '../../core/change-log/audit-types.ts'
import { takePage } from '../../core/requests/page.ts'
import { isoFromPostgres } from '../../core/schedule/datetime.ts'
import { postgresTime } from '../../core/schedule/time-range.ts'
import type { TimeRange } from '../../core/schedule/time-range.ts'
import { literal, sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { listChanges } from '../change/list.ts'
import type { ActorFilter, ChangeRow } from '../change/list.ts'
import { AUDIT_COLUMNS } from './columns.ts'

const ACTIVITY_PAGE = 50

interface Filters {
  /** Undefined for all. */
  actor: ActorFilter | undefined
  kind: ActivityKind | undefined
  at: TimeRange
}

interface Subject {
  object: string
  id: string
}

interface ReadRows<Row> {
  rows: Row[]
  hasMore: boolean
}

const FIELDS = defineFields(AUDIT_COLUMNS.columns)

type AuditRow = RowIn<typeof FIELDS>

const listAudit = (condition: Sql) =>
  statement(sql`
    SELECT ${FIELDS.selectList} FROM audit_entries t
    WHERE t.company_id = $1 AND (t.created_at, t.id) < ($2, $3) AND ${condition}
    ORDER BY t.created_at DESC, t.id DESC LIMIT ${literal(ACTIVITY_PAGE + 1)}`)

const LIST_AUDIT = listAudit(sql`
  t.created_at >= $4 AND t.created_at < $5
    AND ($6::text IS NULL OR t.actor_id = $6) AND ($7::text IS NULL OR t.actor_type = $7) AND t.type = ANY($8)`)

const LIST_OF_SUBJECT = listAudit(sql`t.subject_object = $4 AND t.subject_id = $5`)

export async function listActivity(
  db: Db,
  companyId: string,
  filters: Filters,
  after: ActivityPosition | null,
): Promise<{ entries: Activity[]; hasMore: boolean }> {
  const [changes, audit] = await Promise.all([
    changesBefore(db, companyId, filters, after),
    auditBefore(db, companyId, filters, after),
  ])
  return mergeNewest(db, companyId, changes, audit)
}

async function mergeNewest(
  db: Db,
  companyId: string,
  changes: ReadRows<ChangeRow>,
  audit: ReadRows<AuditRow>,
): Promise<{ entries: Activity[]; hasMore: boolean }> {
  const entries = [...changes.rows.map(activityOfChange), ...audit.rows.map(activityOfAudit)].toSorted(byTime)
  const hasMore = entries.length > ACTIVITY_PAGE || changes.hasMore || audit.hasMore
  return { entries: await nameQuotes(db, companyId, entries.slice(0, ACTIVITY_PAGE)), hasMore }
}

/** Newest first. The sort is stable, so entries of the same time and source keep their order. */
function byTime(a: Activity, b: Activity): number {
  return a.at === b.at ? 0 : a.at < b.at ? 1 : -1
}

async function changesBefore(
  db: Db,
  companyId: string,
  { actor, kind, at, subject }: Filters & { subject?: Subject },
  after: ActivityPosition | null,
): Promise<ReadRows<ChangeRow>> {
  const types = kind === undefined ? [] : typesOfKind(kind).changes
  if (kind !== undefined && types.length === 0) return { rows: [], hasMore: false }
  const { from, before } = at
  // After an audit entry, all changes of its time have been listed.
  const end = after?.source === 'audit' ? Math.min(before, Date.parse(after.at)) : before
  const position = after?.source === 'change' ? BigInt(after.key) : null
  const filters = {
    types,
    subject,
    actor,
    createdAt: { from, before: end },
    order: 'desc',
  } as const
  return listChanges(db, companyId, filters, { limit: ACTIVITY_PAGE, after: position })
}

async function auditBefore(
  db: Db,
  companyId: string,
  { actor, kind, at: { from, before } }: Filters,
  after: ActivityPosition | null,
): Promise<ReadRows<AuditRow>> {
  const rows = await queryObjects(db, FIELDS, LIST_AUDIT, [
    companyId,
    ...auditPosition(after),
    postgresTime(from),
    postgresTime(before),
    actor !== undefined && 'id' in actor ? actor.id : null,
    actor !== undefined && 'type' in actor ? actor.type : null,
    kind === undefined ? AUDIT_TYPES : typesOfKind(kind).audit,
  ])
  return takePage(rows, ACTIVITY_PAGE)
}

/** The time and id that audit entries on the page come before. */
function auditPosition(after: ActivityPosition | null): [time: string, id: string] {
  if (after === null) return [postgresTime(Infinity), '']
  // After a change, no audit entry of its time has been listed.
  if (after.source === 'change') return [postgresTime(Date.parse(after.at) + 1), '']
  return [postgresTime(Date.parse(after.at)), after.key]
}

const ALWAYS: TimeRange = { from: -Infinity, before: Infinity }

/** The history of a subject, newest first. */
export async function listTimeline(
  db: Db,
  companyId: string,
  subject: Subject,
  after: ActivityPosition | null,
): Promise<{ entries: Activity[]; hasMore: boolean }> {
  const { object, id } = subject
  const [changes, rows] = await Promise.all([
    changesBefore(db, companyId, { actor: undefined, kind: undefined, at: ALWAYS, subject }, after),
    queryObjects(db, FIELDS, LIST_OF_SUBJECT, [companyId, ...auditPosition(after), object, id]),
  ])
  return mergeNewest(db, companyId, changes, takePage(rows, ACTIVITY_PAGE))
}

const LIST_NUMBERS = statement(sql`
  SELECT id, number FROM quotes WHERE company_id = $1 AND id = ANY($2) AND number IS NOT NULL`)

/** Quotes are named by their number, which the API does not show. */
async function nameQuotes(db: Db, companyId: string, entries: readonly Activity[]): Promise<Activity[]> {
  const ids = entries.flatMap(({ subject }) => (subject.object === 'quote' ? subject.id : []))
  const rows = await queryRows<{ id: string; number: string }>(db, LIST_NUMBERS, [
    companyId,
    [...new Set(ids)],
  ])
  const numbers = new Map(rows.map(({ id, number }) => [id, number]))
  return entries.map((entry) => {
    const number = entry.subject.object === 'quote' ? numbers.get(entry.subject.id) : undefined
    return number === undefined ? entry : { ...entry, subject: { ...entry.subject, name: number } }
  })
}

type Members = Readonly<Record<string, unknown>>

function activityOfChange(row: ChangeRow): Activity {
  const { object, ...details } = JSON.parse(row.data) as { object: Members | null }
  const at = isoFromPostgres(row.createdAt)
  const currency = object?.['currency'] as { isoCode?: string } | string | undefined
  return {
    id: activityId({ at, source: 'change', key: row.sequence }),
    type: row.type,
    at,
    actor: { type: row.actorType, id: row.actorId, name: row.actorName },
    subject: { object: row.subjectObject, id: row.subjectId, name: nameOf(object) },
    members: membersOf(JSON.parse(row.previous) as Members, object),
    currency: typeof currency === 'string' ? currency : (currency?.isoCode ?? null),
    details,
  }
}

/** What people call the subject: the name of a lead or event, the text of a task, the number of an invoice. */
function nameOf(object: Members | null): string | null {
  const name = object?.['name'] ?? object?.['description'] ?? object?.['invoiceNumber']
  return typeof name === 'string' && name !== '' ? name : null
}

function activityOfAudit(row: AuditRow): Activity {
  const at = isoFromPostgres(row.createdAt)
  const { members = [], ...details } = JSON.parse(row.details) as {
    members?: MemberChange[]
    currency?: string
  }
  return {
    id: activityId({ at, source: 'audit', key: row.id }),
    type: row.type,
    at,
    actor: { type: row.actorType, id: row.actorId, name: row.actorName },
    subject: { object: row.subjectObject, id: row.subjectId, name: row.subjectName },
    members,
    currency: details.currency ?? null,
    details,
  }
}
