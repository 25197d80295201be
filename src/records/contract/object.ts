/** Contract templates, without their content. */
import { publicRecord } from '../../codec/public-record.ts'
import { CONTRACT_COLUMNS } from './columns.ts'

export const { object: CONTRACT, load: loadContracts } = publicRecord(CONTRACT_COLUMNS, {
  documentation: { id: 'Contract', description: 'A contract template.' },
})
