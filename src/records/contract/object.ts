/** Contract templates, without their content. */
import { defineFields, publicColumns } from '../../codec/fields.ts'
import { loaderById } from '../../codec/load.ts'
import { publicObject } from '../../codec/public-object.ts'
import { CONTRACT_COLUMNS } from './columns.ts'

const CONTRACT_FIELDS = defineFields(publicColumns(CONTRACT_COLUMNS))

export const loadContracts = loaderById(CONTRACT_COLUMNS, CONTRACT_FIELDS)

export const CONTRACT = publicObject(
  CONTRACT_COLUMNS,
  CONTRACT_FIELDS,
  {},
  { id: 'Contract', description: 'A contract template.' },
)
