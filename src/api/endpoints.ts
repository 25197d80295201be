/** The endpoints of the public API, in the order of the documentation. */
import { listChanges } from './changes.ts'
import type { Endpoint } from './endpoint.ts'
import { getFormResponse } from './form-response.ts'
import { getInvoiceReference } from './invoice.ts'
import { createLead, getLead, listLeads, updateLead } from './leads.ts'
import { bookQuote, loseQuote, reopenQuote, sendQuote } from './quote-verbs.ts'
import { createQuote, updateQuote } from './quote-writes.ts'
import { getQuote, listQuotes } from './quotes.ts'
import { getResource, listResources } from './resources.ts'
import { getStaff } from './staff.ts'
import { createTask } from './task-create.ts'
import { createTaskOfEvent, deleteTask, getTask, listTasks, updateTask } from './tasks.ts'

export const ENDPOINTS: readonly Endpoint[] = [
  listQuotes,
  createQuote,
  getQuote,
  updateQuote,
  sendQuote,
  loseQuote,
  reopenQuote,
  bookQuote,
  listResources,
  getResource,
  getStaff,
  listLeads,
  createLead,
  getLead,
  updateLead,
  createTask,
  listTasks,
  createTaskOfEvent,
  getTask,
  updateTask,
  deleteTask,
  getFormResponse,
  getInvoiceReference,
  listChanges,
]
