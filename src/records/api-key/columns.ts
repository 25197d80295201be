/** API keys. Only the hash of a key is stored. */
import { defineColumns } from '../../codec/column.ts'
import { TIMES, apiKeyHash, filledText, id, ofCompany, text, time } from '../../codec/column-types.ts'

export const API_KEY_COLUMNS = defineColumns('apiKey', 'api_keys', {
  id: id('API key'),
  companyId: ofCompany(),
  name: filledText(),
  keyHash: apiKeyHash(),
  /** The first characters of the key; null if only its hash was imported. */
  prefix: text().nullable().outsideWorld(),
  revokedAt: time().nullable(),
  ...TIMES,
})
