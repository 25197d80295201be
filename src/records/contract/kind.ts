/** Contract templates in the application. */
import { bodyText } from '../../codec/body-schema.ts'
import { CONTRACT_TEXT_MAX, findUnknownPlaceholders } from '../../core/placeholders.ts'
import { defineKind } from '../kind.ts'
import { CONTRACT_COLUMNS } from './columns.ts'

export const CONTRACT_KIND = defineKind(CONTRACT_COLUMNS, {
  path: 'contracts',
  noun: 'contract',
  label: 'contract',
  idPrefix: 'con',
  editable: ['name', 'description', 'content'],
  companyDefault: { column: 'default_contract_id', isList: false },
  schemas: {
    content: bodyText(CONTRACT_TEXT_MAX)
      .superRefine((content, context) => {
        const [unknown] = findUnknownPlaceholders(content)
        if (unknown === undefined) return
        const message = `contains the unknown placeholder ${unknown.slice(0, 100)}`
        context.addIssue({ code: 'custom', message })
      })
      .nullable()
      .optional(),
  },
})
