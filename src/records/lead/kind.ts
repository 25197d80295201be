/** Contacts in the application: leads. Their changes are in the change log. */
import { leadName } from '../../core/lead-name.ts'
import type { LeadNames } from '../../core/lead-name.ts'
import { asEmail, bodyShape } from '../../codec/body-schema.ts'
import { defineKind } from '../kind.ts'
import { LEAD_COLUMNS } from './columns.ts'

export const LEAD_KIND = defineKind(LEAD_COLUMNS, {
  path: 'contacts',
  noun: null,
  label: 'contact',
  idPrefix: 'lead',
  editable: ['firstName', 'lastName', 'email', 'phone', 'companyName', 'notes'],
  schemas: { email: asEmail(bodyShape(LEAD_COLUMNS, 'email').email) },
  nameOf: (values) => leadName(values as unknown as LeadNames),
})
