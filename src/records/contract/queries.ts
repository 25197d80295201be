/** Contract templates: what they are, never what they say. */
import { defineFields } from '../../codec/fields.ts'
import { loaderById } from '../../codec/load.ts'

export interface ContractRow {
  id: string
  name: string
  description: string | null
  createdAt: string
  updatedAt: string
}

export const CONTRACT_FIELDS = defineFields<ContractRow>('id name description? createdAt:time updatedAt:time')

export const loadContracts = loaderById<ContractRow>('contracts', CONTRACT_FIELDS, 't.id')
