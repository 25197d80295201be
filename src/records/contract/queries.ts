/** Contract templates, without their content. */
import { defineFields, publicColumns } from '../../codec/fields.ts'
import { loaderById } from '../../codec/load.ts'
import { CONTRACT_COLUMNS } from './columns.ts'

export const CONTRACT_FIELDS = defineFields(publicColumns(CONTRACT_COLUMNS))

export const loadContracts = loaderById(CONTRACT_COLUMNS, CONTRACT_FIELDS)
