/** Forms and their questions. */
import { QUESTION_TYPES } from '../../core/enumerations.ts'
import { defineColumns } from '../../codec/column.ts'
import {
  TIMES,
  boolean,
  filledText,
  id,
  integer,
  ofCompany,
  openOneOf,
  text,
} from '../../codec/column-types.ts'

export const FORM_COLUMNS = defineColumns('form', 'forms', {
  id: id('form'),
  companyId: ofCompany(),
  name: filledText(),
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
  ...TIMES,
})
