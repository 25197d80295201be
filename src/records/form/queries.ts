/** Forms with their questions, and the records that questions offer to choose from. */
import { isFormSlug } from '../../core/forms/form-address.ts'
import type { Choices } from '../../core/forms/answers.ts'
import { OPTIONS_MAX } from '../../core/forms/question.ts'
import type { Question } from '../../core/forms/question.ts'
import { identifier, literal, sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, pick } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { finderById } from '../../codec/load.ts'
import { listObjects, selectFields } from '../../codec/select.ts'
import { FORM_COLUMNS, FORM_QUESTION_COLUMNS } from './columns.ts'

const FORM = defineFields(
  pick(
    FORM_COLUMNS,
    'id',
    'name',
    'slug',
    'purpose',
    'publishedAt',
    'allowedOrigins',
    'archivedAt',
    'createdAt',
    'updatedAt',
  ),
)

export type FormRow = RowIn<typeof FORM>

const findPacked = finderById(FORM_COLUMNS, FORM)

export async function findForm(db: Db, companyId: string, id: string): Promise<FormRow | null> {
  return (await findPacked(db, companyId, id))?.toObject() ?? null
}

/** Customers can open it. */
export const isOpen = ({ publishedAt, archivedAt }: Pick<FormRow, 'publishedAt' | 'archivedAt'>) =>
  publishedAt !== null && archivedAt === null

/** The slug comes before the company is known. */
const FIND_BY_SLUG = statement(sql`SELECT company_id AS "companyId", id FROM forms WHERE slug = $1`)

export async function findFormBySlug(
  db: Db,
  slug: string,
): Promise<{ companyId: string; form: FormRow } | null> {
  if (!isFormSlug(slug)) return null
  const [found] = await queryRows<{ companyId: string; id: string }>(db, FIND_BY_SLUG, [slug])
  if (found === undefined) return null
  const form = await findForm(db, found.companyId, found.id)
  return form === null ? null : { companyId: found.companyId, form }
}

const QUESTION = defineFields(
  pick(
    FORM_QUESTION_COLUMNS,
    'id',
    'title',
    'type',
    'subtitle',
    'systemRequired',
    'userRequired',
    'linkedSystemField',
    'options',
    'showWhen',
  ),
)

const LIST_QUESTIONS = selectFields(QUESTION, {
  from: sql`form_questions t WHERE t.company_id = $1 AND t.form_id = $2 AND t.archived_at IS NULL`,
  orderBy: sql`t.position, t.id`,
})

/** In the order of the form. */
export async function listQuestions(db: Db, companyId: string, formId: string): Promise<Question[]> {
  const rows = await listObjects(db, LIST_QUESTIONS, [companyId, formId])
  return rows.map(({ systemRequired, userRequired, linkedSystemField, ...question }) => ({
    ...question,
    isRequired: systemRequired || userRequired,
    linkedField: linkedSystemField,
  }))
}

interface Named {
  id: string
  name: string
}

export interface OfferedRecords {
  eventTypes: Named[]
  /** The oldest first. */
  locations: (Named & { timeZone: string })[]
  addons: Named[]
  resources: Named[]
}

const offered = (table: string, fields: Sql, orderBy: Sql) => sql`coalesce((
  SELECT json_agg(json_build_object('id', t.id, 'name', t.name${fields}))
  FROM (
    SELECT * FROM ${identifier(table)} t WHERE t.company_id = $1 AND t.archived_at IS NULL
    ORDER BY ${orderBy} LIMIT ${literal(OPTIONS_MAX)}
  ) t), '[]')`

const BY_NAME = sql`t.name_order, t.id`

const LIST_OFFERED = statement(sql`
  SELECT ${offered('event_types', sql``, BY_NAME)} AS "eventTypes",
    ${offered('locations', sql`, 'timeZone', t.time_zone`, sql`t.created_at, t.id`)} AS locations,
    ${offered('addons', sql``, BY_NAME)} AS addons, ${offered('resources', sql``, BY_NAME)} AS resources`)

/** Without archived ones. */
export async function listOffered(db: Db, companyId: string): Promise<OfferedRecords> {
  const [row] = await queryRows<OfferedRecords>(db, LIST_OFFERED, [companyId])
  if (row === undefined) throw new Error('the statement returned no row')
  return row
}

const names = (list: readonly Named[]) => [...new Set(list.map(({ name }) => name))]

/** The names, each once. */
export function choicesOf({ eventTypes, locations, addons, resources }: OfferedRecords): Choices {
  return {
    eventTypes: names(eventTypes),
    locations: names(locations),
    addons: names(addons),
    resources: names(resources),
  }
}
