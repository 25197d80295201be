/** Open invitations of a company. */
import { ROLES } from '../../core/enumerations.ts'
import { defineColumns } from '../../codec/column.ts'
import { filledText, id, ofCompany, oneOf, text, time } from '../../codec/column-types.ts'

export const INVITATION_COLUMNS = defineColumns('invitation', 'invitations', {
  id: id('invitation'),
  companyId: ofCompany(),
  email: filledText(),
  role: oneOf(ROLES),
  tokenHash: filledText(),
  /** The name at that time. */
  invitedBy: text().nullable(),
  createdAt: time(),
  expiresAt: time(),
})
