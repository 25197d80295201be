/** The callers of actions and of the application. Each action and route lists those that it allows. */
import type { Role } from './enumerations.ts'

export type Caller =
  | Role
  | 'apiKey'
  /** On a page of the company for customers, such as a quote or a form. */
  | 'customer'
  /** Not signed in yet. The action itself checks a link or a password. */
  | 'visitor'
  /** Commands of the operator, and the service itself. May run everything. */
  | 'system'

export const ADMINS: readonly Caller[] = ['ADMIN']
export const USERS: readonly Caller[] = ['ADMIN', 'MEMBER']
export const ADMINS_AND_KEYS: readonly Caller[] = [...ADMINS, 'apiKey']
export const USERS_AND_KEYS: readonly Caller[] = [...USERS, 'apiKey']
export const CUSTOMERS: readonly Caller[] = ['customer']
export const VISITORS: readonly Caller[] = ['visitor']
export const SYSTEM_ONLY: readonly Caller[] = []

export function isAllowed(caller: Caller, allowed: readonly Caller[]): boolean {
  return caller === 'system' || allowed.includes(caller)
}
