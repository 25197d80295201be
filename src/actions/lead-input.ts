/** The members of a lead that can be written. */
import { z } from 'zod'
import type { Caller } from '../core/callers.ts'
import { ApiError } from '../core/requests/errors.ts'
import { VISIBLE, asEmail, bodyShape } from '../codec/body-schema.ts'
import { LEAD_COLUMNS } from '../records/lead/columns.ts'

const { email, ...names } = bodyShape(LEAD_COLUMNS, 'firstName', 'lastName', 'email', 'phone', 'companyName')

export const LeadInput = z
  .strictObject(
    {
      firstName: names.firstName,
      lastName: names.lastName,
      email: asEmail(email),
      phone: names.phone,
      companyName: names.companyName,
    },
    'must be an object',
  )
  .meta({ id: 'LeadBody' })

export type LeadInput = z.output<typeof LeadInput>

const LEAD_MEMBERS = ['firstName', 'lastName', 'email', 'phone', 'companyName'] as const

/** Whether a contact has at least one of them. */
export function hasContact(lead: LeadInput): boolean {
  return LEAD_MEMBERS.some((name) => VISIBLE.test(lead[name] ?? ''))
}

/** For integrations, which know the members by name. */
export const NO_CONTACT = `Send at least one of ${LEAD_MEMBERS.join(', ')}.`
/** For people. */
export const NO_CONTACT_IN_WORDS = 'Enter a name, an email address, a phone number or a company.'

export function requireContact(lead: LeadInput, caller: Caller): void {
  if (hasContact(lead)) return
  const message = caller === 'apiKey' ? NO_CONTACT : NO_CONTACT_IN_WORDS
  throw new ApiError('invalid_parameter', { message })
}

/** Whether the members include one of them: an import can create a contact without any, who is archived or annotated later. */
export function mayLoseContact(lead: object): boolean {
  return Object.keys(lead).length === 0 || LEAD_MEMBERS.some((name) => name in lead)
}
