/** The contract object: the template, without its content or signatures. */
import { publicObject } from '../../codec/public-object.ts'
import { CONTRACT_COLUMNS } from './columns.ts'
import { CONTRACT_FIELDS } from './queries.ts'

export const CONTRACT = publicObject(
  CONTRACT_COLUMNS,
  CONTRACT_FIELDS,
  {},
  { id: 'Contract', description: 'A contract template.' },
)
