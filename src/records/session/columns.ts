/** Sessions of the application, one row for each browser. */
import { defineColumns } from '../../codec/column.ts'
import { filledText, id, ofCompany, text, time } from '../../codec/column-types.ts'

export const SESSION_COLUMNS = defineColumns('session', 'sessions', {
  id: id('session'),
  companyId: ofCompany(),
  userId: id('user').owner(),
  tokenHash: filledText(),
  userAgent: text().nullable(),
  address: text().nullable(),
  createdAt: time(),
  lastUsedAt: time(),
  expiresAt: time(),
  /** Of the password that it began with. Sessions of the previous release have none. */
  passwordDigest: filledText().nullable(),
})
