/** Revisions of quotes: what the customer was sent. Only `viewedAt` is ever written after the row was created. */
import { defineColumns } from '../../codec/column.ts'
import { TIMES, filledText, id, integer, ofCompany, revisionContent, time } from '../../codec/column-types.ts'

export const QUOTE_REVISION_COLUMNS = defineColumns('quoteRevision', 'quote_revisions', {
  id: id('revision'),
  companyId: ofCompany(),
  quoteId: id('quote').owner(),
  revision: integer('1 for the first revision of the quote, 2 for the next.'),
  /** Canonical JSON (core/quotes/revision.ts), byte for byte. */
  content: revisionContent(),
  /** Of the content. */
  sha256: filledText(),
  sentAt: time('When this revision was sent.'),
  /** When the customer opened it first. */
  viewedAt: time().nullable(),
  ...TIMES,
})
