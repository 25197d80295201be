/** Staff in the application. */
import { asEmail, bodyShape } from '../../codec/body-schema.ts'
import { defineKind } from '../kind.ts'
import { STAFF_COLUMNS } from './columns.ts'

export const STAFF_KIND = defineKind(STAFF_COLUMNS, {
  path: 'staff',
  noun: 'staff',
  label: 'staff member',
  idPrefix: 'staff',
  editable: ['firstName', 'lastName', 'email', 'phone', 'role', 'status'],
  filters: ['status'],
  schemas: { email: asEmail(bodyShape(STAFF_COLUMNS, 'email').email.unwrap()).optional() },
  nameOf: ({ firstName, lastName }) => `${String(firstName)} ${String(lastName)}`,
})
