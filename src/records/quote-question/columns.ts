/** Questions of customers about a quote, and their words when they decline. */
import { defineColumns } from '../../codec/column.ts'
import { filledText, id, integer, ofCompany, oneOf, text, time } from '../../codec/column-types.ts'

export const QUOTE_QUESTION_COLUMNS = defineColumns('quoteQuestion', 'quote_questions', {
  id: id('question'),
  companyId: ofCompany(),
  quoteId: id('quote').owner(),
  revision: integer(),
  kind: oneOf(['QUESTION', 'DECLINE']),
  /** Of the customer, if known. */
  name: text().nullable(),
  text: filledText(),
  createdAt: time(),
})
