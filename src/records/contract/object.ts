/** The contract object: what the template is, never what it says or who signed. */
import { z } from 'zod'
import { CONTRACT_FIELDS } from './queries.ts'
import { id, optionalText, timestamp } from '../../codec/schemas.ts'
import { publicObject } from '../../codec/public-object.ts'

const Contract = z
  .strictObject({
    object: z.literal('contract'),
    id: id('contract template'),
    name: z.string(),
    description: optionalText(),
    createdAt: timestamp('When the template was created.'),
    updatedAt: timestamp('When the template was last changed.'),
  })
  .meta({ id: 'Contract', description: 'A contract template.' })

export const CONTRACT = publicObject(Contract, CONTRACT_FIELDS, {})
