/** The lead object: a contact. */
import { z } from 'zod'
import { leadName } from '../core/lead-name.ts'
import type { LeadRow } from '../db/leads.ts'
import { id, optionalText, text } from './fields.ts'

export const Lead = z
  .strictObject({
    object: z.literal('lead'),
    id: id('contact'),
    name: text('First and last name, or the company name, or the e-mail address, or empty.'),
    firstName: optionalText(),
    lastName: optionalText(),
    email: optionalText(),
    phone: optionalText(),
    companyName: optionalText(),
  })
  .meta({ id: 'Lead', description: 'The contact that a quote or booking is for.' })

export function presentLead(row: LeadRow): z.output<typeof Lead> {
  const { id: leadId, ...fields } = row
  return { object: 'lead', id: leadId, name: leadName(row), ...fields }
}
