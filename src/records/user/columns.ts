/** Users of the admin application. */
import { ROLES } from '../../core/enumerations.ts'
import { defineColumns } from '../../codec/column.ts'
import { TIMES, filledText, id, ofCompany, oneOf, passwordHash, time } from '../../codec/column-types.ts'

export const USER_COLUMNS = defineColumns('user', 'users', {
  id: id('user'),
  companyId: ofCompany(),
  email: filledText(),
  name: filledText(),
  role: oneOf(ROLES),
  passwordHash: passwordHash(),
  disabledAt: time().nullable(),
  ...TIMES,
})
