/** Leads: list, get, create and change. */
import { z } from 'zod'
import { createLead as createLeadAction } from '../actions/create-lead.ts'
import { LeadInput, NO_CONTACT } from '../actions/lead-input.ts'
import { updateLead as updateLeadAction } from '../actions/update-lead.ts'
import { LEAD } from '../records/lead/object.ts'
import { findLead, listLeads as listRows } from '../records/lead/queries.ts'
import type { Endpoint } from './endpoint.ts'
import { exampleOf } from './examples.ts'
import { dateTimeBounds, rangeOf } from './parameters.ts'
import { getEndpoint, listEndpoint, notFound } from './read-endpoints.ts'
import { WRITE, answerWrite } from './write.ts'

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
    ...dateTimeBounds('created_at', 'Created'),
    ...dateTimeBounds('updated_at', 'Changed'),
  },
  list: (db, companyId, values, page) =>
    listRows(
      db,
      companyId,
      {
        email: values.email,
        createdAt: rangeOf(values, 'created_at'),
        updatedAt: rangeOf(values, 'updated_at'),
      },
      page,
    ),
})

export const getLead = getEndpoint({ ...LEADS, operation: 'getLead', find: findLead })

export const createLead: Endpoint = {
  ...WRITE,
  operation: 'createLead',
  path: '/api/leads',
  tag: 'Leads',
  summary: 'Create a lead',
  description: NO_CONTACT,
  body: LeadInput,
  status: 201,
  response: LEAD.schema,
  example: exampleOf('createLead'),
  answer: (call) =>
    answerWrite(call, {
      action: createLeadAction,
      body: LeadInput,
      isCreation: true,
      input: (body) => body,
    }),
}

export const updateLead: Endpoint = {
  ...WRITE,
  operation: 'updateLead',
  path: '/api/leads/:id',
  tag: 'Leads',
  summary: 'Change a lead',
  description: 'Changes the members that are sent. Null clears a member.',
  idOf: 'lead',
  body: LeadInput,
  response: LEAD.schema,
  example: exampleOf('updateLead'),
  errors: { ...WRITE.errors, not_found: notFound('lead') },
  answer: (call) =>
    answerWrite(call, {
      action: updateLeadAction,
      body: LeadInput,
      input: (body) => ({ ...body, id: call.id }),
    }),
}
