/** Roles as people read them. */
import type { Role } from '../../../src/core/enumerations.ts'

export const ROLE_WORDS: Record<Role, string> = { ADMIN: 'Administrator', MEMBER: 'Member' }

export const ROLE_CHOICES = [
  { value: 'MEMBER', label: 'Member: everything except settings and people' },
  { value: 'ADMIN', label: 'Administrator: everything' },
]
