/** Form responses and the answers in them. */
import { defineColumns } from '../../codec/column.ts'
import { filledText, id, time } from '../../codec/column-types.ts'

export const FORM_RESPONSE_COLUMNS = defineColumns('formResponse', 'form_responses', {
  id: id('form response'),
  createdAt: time('When the form was answered.').keptWhenAbsent(),
  updatedAt: time('When the response was last changed.').keptWhenAbsent(),
  formId: id('form'),
  bookingId: id('booking, if the response belongs to one').nullable(),
  quoteId: id('quote, if the response belongs to one').nullable(),
  companyId: id('company').owner(),
})

export const FORM_ANSWER_COLUMNS = defineColumns('formAnswer', 'form_answers', {
  id: id('answer'),
  questionId: id('question').references('formQuestion').internal(),
  response: filledText('The answer. Its format depends on the question type.'),
  createdAt: time('When the question was answered.').keptWhenAbsent(),
  updatedAt: time('When the answer was last changed.').keptWhenAbsent(),
})
