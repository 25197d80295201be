/** Leads: list, get, create and change. */
import { z } from 'zod'
import { createLead as createLeadAction } from '../actions/create-lead.ts'
import { LeadInput, NO_CONTACT } from '../actions/lead-input.ts'
import { updateLead as updateLeadAction } from '../actions/update-lead.ts'
import { LEAD } from '../records/lead/object.ts'
import { findLead, listLeads as listRows } from '../records/lead/queries.ts'
import { timeFilter } from './parameters.ts'
import { getEndpoint, listEndpoint } from './read-endpoints.ts'
import { withId, writeEndpoint } from './write.ts'

const LEADS = { object: 'lead', path: '/leads', tag: 'Leads', noun: 'lead', plural: 'leads' } as const

export const listLeads = listEndpoint({
  ...LEADS,
  operation: 'listLeads',
  lastId: 'lead_0145',
  filters: {
    email: z
      .string()
      .optional()
      .meta({ description: 'The whole email address, in any case.', example: 'events@quayside.example.com' }),
    createdAt: timeFilter('Created'),
    updatedAt: timeFilter('Changed'),
  },
  list: listRows,
})

export const getLead = getEndpoint({ ...LEADS, operation: 'getLead', find: findLead })

export const createLead = writeEndpoint({
  operation: 'createLead',
  path: '/api/leads',
  tag: 'Leads',
  summary: 'Create a lead',
  description: NO_CONTACT,
  body: LeadInput,
  response: LEAD.schema,
  action: createLeadAction,
  isCreation: true,
  input: (body) => body,
})

export const updateLead = writeEndpoint({
  operation: 'updateLead',
  path: '/api/leads/:id',
  tag: 'Leads',
  summary: 'Change a lead',
  description: 'Changes the members that are sent. Null clears a member.',
  idOf: 'lead',
  body: LeadInput,
  response: LEAD.schema,
  action: updateLeadAction,
  input: withId,
})
