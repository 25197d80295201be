/** The contract object: what the template is, never what it says or who signed. */
import { z } from 'zod'
import type { ContractRow } from '../db/contracts.ts'
import { id, isoTimes, optionalText, timestamp } from './fields.ts'

export const Contract = z
  .strictObject({
    object: z.literal('contract'),
    id: id('contract template'),
    name: z.string(),
    description: optionalText(),
    createdAt: timestamp('When the template was created.'),
    updatedAt: timestamp('When the template was last changed.'),
  })
  .meta({ id: 'Contract', description: 'A contract template.' })

export function presentContract(row: ContractRow): z.output<typeof Contract> {
  return { object: 'contract', ...row, ...isoTimes(row) }
}
