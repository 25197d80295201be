/** Creates, edits, publishes and archives forms. */
import { isDeepStrictEqual } from 'node:util'
import { DatabaseError } from 'pg'
import { z } from 'zod'
import { USERS } from '../core/callers.ts'
import { proposeSlug } from '../core/forms/form-address.ts'
import {
  NEW_QUESTION_ID,
  findContentProblem,
  publishProblem,
  starterQuestions,
} from '../core/forms/form-content.ts'
import type { FormContent } from '../core/forms/form-content.ts'
import { newId } from '../core/ids.ts'
import { ApiError } from '../core/requests/errors.ts'
import type { Db } from '../db/statement.ts'
import { insertRow, updateRow } from '../codec/write.ts'
import { FORM_COLUMNS } from '../records/form/columns.ts'
import { findForm, findFormBySlug, listQuestions } from '../records/form/queries.ts'
import type { FormRow } from '../records/form/queries.ts'
import { hasForeignQuestion, storeQuestions } from '../records/form/write.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction } from './action.ts'
import { FormInput, NewForm } from './form-input.ts'
import { Target } from './targets.ts'

export const createForm = defineAction({
  name: 'createForm',
  allowed: USERS,
  input: NewForm,
  lock: 'first',
  run: async ({ db, companyId, audit }, { name, purpose }) => {
    const id = newId('form')
    const slug = purpose === 'QUOTE' ? await freeSlug(db, name) : null
    await insertRow(db, FORM_COLUMNS, companyId, { id, name, purpose, slug })
    await storeQuestions(
      db,
      companyId,
      id,
      starterQuestions(purpose, () => newId('question')),
    )
    audit({ type: 'form.created', subject: subjectOf({ id, name }) })
    return { id }
  },
})

/** The proposed one if it is free, otherwise with a number, otherwise none. */
async function freeSlug(db: Db, name: string): Promise<string | null> {
  const proposed = proposeSlug(name).slice(0, 70)
  for (const slug of [proposed, ...[2, 3, 4, 5].map((n) => `${proposed}-${n}`)])
    if ((await findFormBySlug(db, slug)) === null) return slug
  return null
}

const FormChanges = FormInput.extend({
  id: z.string(),
  /** `updatedAt` of the form that was edited. */
  version: z.string(),
})

export const saveForm = defineAction({
  name: 'saveForm',
  allowed: USERS,
  input: FormChanges,
  lock: 'first',
  run: async (transaction, { id, version, ...sent }) => {
    const { db, companyId, audit } = transaction
    const content = { ...sent, allowedOrigins: [...new Set(sent.allowedOrigins)] }
    const form = await findExisting(db, companyId, id)
    if (form.updatedAt !== version) throw changedMeanwhile()
    const stored = await listQuestions(db, companyId, id)
    await checkContent(transaction, id, content, new Set(stored.map((question) => question.id)))
    if (form.publishedAt !== null) refuse(publishProblem(content))
    const { questions, ...members } = content
    const { name, purpose, slug, allowedOrigins } = form
    if (isDeepStrictEqual([members, questions], [{ name, purpose, slug, allowedOrigins }, stored])) return
    await storeForm(db, companyId, id, members)
    await storeQuestions(db, companyId, id, questions)
    audit({ type: 'form.updated', subject: subjectOf({ id, name: content.name }) })
  },
})

async function checkContent(
  { db, companyId }: ActionTransaction,
  id: string,
  { questions }: FormContent,
  known: ReadonlySet<string>,
): Promise<void> {
  const problem = findContentProblem(questions)
  if (problem !== null) throw invalid(problem.path, problem.message)
  const added = questions.map((question) => question.id).filter((one) => !known.has(one))
  if (added.length === 0) return
  const isKnownElsewhere = await hasForeignQuestion(db, companyId, id, added)
  if (isKnownElsewhere || !added.every((one) => NEW_QUESTION_ID.test(one)))
    throw invalid('questions', 'A question belongs to another form.')
}

const UNIQUE_VIOLATION = '23505'

/** Slugs are unique over all companies, which no lock of a company protects. */
async function storeForm(
  db: Db,
  companyId: string,
  id: string,
  members: Parameters<typeof updateRow<(typeof FORM_COLUMNS)['members']>>[4],
): Promise<void> {
  try {
    await updateRow(db, FORM_COLUMNS, companyId, id, members)
  } catch (error) {
    if (error instanceof DatabaseError && error.code === UNIQUE_VIOLATION)
      throw invalid('slug', 'Another form has this address. Choose a different one.')
    throw error
  }
}

export const publishForm = defineAction({
  name: 'publishForm',
  allowed: USERS,
  input: Target.extend({ isPublished: z.boolean() }),
  lock: 'first',
  run: async ({ db, companyId, audit, presentation }, { id, isPublished }) => {
    const form = await findExisting(db, companyId, id)
    if ((form.publishedAt !== null) === isPublished) return
    if (isPublished) {
      const questions = await listQuestions(db, companyId, id)
      refuse(publishProblem({ ...form, purpose: form.purpose ?? 'BOOKING', questions }))
    }
    await updateRow(db, FORM_COLUMNS, companyId, id, { publishedAt: isPublished ? presentation.now : null })
    audit({ type: isPublished ? 'form.published' : 'form.unpublished', subject: subjectOf(form) })
  },
})

export const archiveForm = defineAction({
  name: 'archiveForm',
  allowed: USERS,
  input: Target.extend({ isArchived: z.boolean() }),
  lock: 'first',
  run: async ({ db, companyId, audit, presentation }, { id, isArchived }) => {
    const form = await findExisting(db, companyId, id)
    if ((form.archivedAt !== null) === isArchived) return
    await updateRow(db, FORM_COLUMNS, companyId, id, { archivedAt: isArchived ? presentation.now : null })
    audit({ type: isArchived ? 'form.archived' : 'form.restored', subject: subjectOf(form) })
  },
})

const subjectOf = ({ id, name }: Pick<FormRow, 'id' | 'name'>) => ({ object: 'form', id, name })

async function findExisting(db: Db, companyId: string, id: string): Promise<FormRow> {
  const form = await findForm(db, companyId, id)
  if (form === null) throw new ApiError('not_found', { message: 'Form not found' })
  return form
}

const invalid = (field: string, message: string) =>
  new ApiError('invalid_body', { message, details: { [field]: { _errors: [message] } } })

function refuse(problem: string | null): void {
  if (problem !== null) throw new ApiError('conflict', { message: problem })
}

const CHANGED = 'This form was changed meanwhile. Reload it to see the changes.'
const changedMeanwhile = () =>
  new ApiError('conflict', { message: CHANGED, details: { version: { _errors: [CHANGED] } } })
