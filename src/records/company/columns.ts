/** Companies. */
import { PLANS } from '../../core/enumerations.ts'
import { defineColumns } from '../../codec/column.ts'
import { TIMES, currency, filledText, id, networkList, oneOf } from '../../codec/column-types.ts'

export const COMPANY_COLUMNS = defineColumns('company', 'companies', {
  id: id('company'),
  name: filledText(),
  plan: oneOf(PLANS),
  currency: currency(),
  allowedIps: networkList().default([]),
  ...TIMES,
})
