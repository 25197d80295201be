/** Contract templates: what they are, never what they say. */
import { loaderById } from './load.ts'

export interface ContractRow {
  id: string
  name: string
  description: string | null
  createdAt: string
  updatedAt: string
}

export const loadContracts = loaderById<ContractRow>(
  'contracts',
  'id name description? createdAt:time updatedAt:time',
  't.id',
)
