/** Stores the questions of a form. */
import type { Question } from '../../core/forms/question.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { NEXT_UPDATE, laterThan } from '../../codec/write.ts'

const FIND_FOREIGN = statement(sql`
  SELECT id FROM form_questions WHERE company_id = $1 AND id = ANY($3) AND form_id <> $2 LIMIT 1`)

/** Whether one of the ids belongs to a question of another form. */
export async function hasForeignQuestion(
  db: Db,
  companyId: string,
  formId: string,
  ids: readonly string[],
): Promise<boolean> {
  return (await queryRows(db, FIND_FOREIGN, [companyId, formId, ids])).length > 0
}

/** A question that an import marked as required by the system stays so, unless it is no longer required. */
const STORE = statement(sql`
  INSERT INTO form_questions AS t (company_id, form_id, id, title, type, subtitle, position, user_required,
    linked_system_field, options, show_when)
  SELECT $1, $2, q.id, q.title, q.type, q.subtitle, q.position, q.is_required, q.linked_field, q.options, q.show_when
  FROM jsonb_to_recordset($3) AS q (id text, title text, type text, subtitle text, position integer,
    is_required boolean, linked_field text, options text[], show_when jsonb)
  ON CONFLICT (company_id, id) DO UPDATE SET title = excluded.title, type = excluded.type, subtitle = excluded.subtitle,
    position = excluded.position, user_required = excluded.user_required AND NOT t.system_required,
    system_required = excluded.user_required AND t.system_required,
    linked_system_field = excluded.linked_system_field, options = excluded.options, show_when = excluded.show_when,
    archived_at = NULL, updated_at = ${laterThan(sql`t.updated_at`)}
  WHERE t.form_id = $2`)

/** Its answers stay readable. */
const ARCHIVE_OTHERS = statement(sql`
  UPDATE form_questions SET archived_at = now(), ${NEXT_UPDATE}
  WHERE company_id = $1 AND form_id = $2 AND archived_at IS NULL AND id <> ALL($3)`)

/** Replaces the questions of a form. Removed ones are archived. */
export async function storeQuestions(
  db: Db,
  companyId: string,
  formId: string,
  questions: readonly Question[],
): Promise<void> {
  const rows = questions.map((question, i) => ({
    id: question.id,
    title: question.title,
    type: question.type,
    subtitle: question.subtitle,
    position: i + 1,
    is_required: question.isRequired,
    linked_field: question.linkedField,
    options: question.options,
    show_when: question.showWhen,
  }))
  const ids = rows.map(({ id }) => id)
  await queryRows(db, ARCHIVE_OTHERS, [companyId, formId, ids])
  await queryRows(db, STORE, [companyId, formId, JSON.stringify(rows)])
}
