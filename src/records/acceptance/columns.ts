/** Acceptances: a customer signed a revision. They never change. */
import { defineColumns } from '../../codec/column.ts'
import { TIMES, filledText, id, idList, ofCompany, text, time } from '../../codec/column-types.ts'

export const ACCEPTANCE_COLUMNS = defineColumns('acceptance', 'acceptances', {
  id: id('acceptance'),
  companyId: ofCompany(),
  quoteRevisionId: id('revision').owner(),
  /** As the customer typed it. */
  name: filledText(),
  /** Ids of the optional lines and alternatives that the customer selected. */
  choices: idList().default([]),
  acceptedAt: time(),
  address: text().nullable(),
  userAgent: text().nullable(),
  /** Of the revision's content. */
  sha256: text().nullable(),
  ...TIMES,
})
