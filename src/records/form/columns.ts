/** Forms and their questions. */
import { FORM_PURPOSES, QUESTION_TYPES } from '../../core/enumerations.ts'
import { ORIGINS_MAX } from '../../core/forms/form-address.ts'
import { OPTIONS_MAX } from '../../core/forms/question.ts'
import { defineColumns } from '../../codec/column.ts'
import {
  TIMES,
  boolean,
  filledText,
  id,
  integer,
  object,
  ofCompany,
  oneOf,
  openOneOf,
  originList,
  slug,
  text,
  textList,
  time,
} from '../../codec/column-types.ts'

export const FORM_COLUMNS = defineColumns('form', 'forms', {
  id: id('form'),
  companyId: ofCompany(),
  name: filledText(),
  /** The public form is at /f/<slug>. */
  slug: slug().nullable(),
  /** Null in forms of older files. They are booking forms. */
  purpose: oneOf(FORM_PURPOSES).nullable(),
  /** Null: customers cannot open it. */
  publishedAt: time().nullable(),
  /** The sites that may show it in a frame. */
  allowedOrigins: originList(ORIGINS_MAX).default([]),
  archivedAt: time().nullable(),
  ...TIMES,
})

export const FORM_QUESTION_COLUMNS = defineColumns('formQuestion', 'form_questions', {
  id: id('question'),
  companyId: ofCompany(),
  formId: id('form').owner().internal(),
  title: filledText(),
  type: openOneOf(QUESTION_TYPES, 'Type of the question.'),
  subtitle: text().nullable(),
  position: integer(),
  systemRequired: boolean().default(false),
  userRequired: boolean().default(false),
  linkedSystemField: text().nullable(),
  options: textList(OPTIONS_MAX).default([]),
  /** The answer to an earlier question that shows this one. */
  showWhen: object({ questionId: id('question').references('formQuestion'), equals: text() })
    .nullable()
    .internal(),
  /** Removed from the form. Its answers stay readable. */
  archivedAt: time().nullable().internal(),
  ...TIMES,
})
