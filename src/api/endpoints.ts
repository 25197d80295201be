/** The endpoints of the public API, in the order of the documentation. */
import { getBooking, listBookings } from './bookings.ts'
import { CATALOG_ENDPOINTS } from './catalog.ts'
import { getAvailability } from './availability.ts'
import { listChanges } from './changes.ts'
import type { Endpoint } from './endpoint.ts'
import { cancelEvent, updateEvent } from './event-writes.ts'
import { getEvent, listEvents } from './events.ts'
import { getFormResponse } from './form-response.ts'
import { getFormResponseObject, listFormResponses } from './form-responses.ts'
import { getInvoiceReference } from './invoice.ts'
import { getInvoice, listInvoices } from './invoices.ts'
import { createLead, getLead, listLeads, updateLead } from './leads.ts'
import { recordPayment } from './payments.ts'
import { getQuoteLink } from './quote-link.ts'
import { bookQuote, loseQuote, reopenQuote, sendQuote } from './quote-verbs.ts'
import { createQuote, updateQuote } from './quote-writes.ts'
import { getQuote, listQuotes } from './quotes.ts'
import { getResource, listResources } from './resources.ts'
import { getStaff, listStaff } from './staff.ts'
import { createTask } from './task-create.ts'
import { createTaskOfEvent, deleteTask, getTask, listTasks, updateTask } from './tasks.ts'
import { getWebhookDelivery, listWebhookDeliveries, retryWebhookDelivery } from './webhook-deliveries.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  replayChanges,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from './webhook-endpoints.ts'

export const ENDPOINTS: readonly Endpoint[] = [
  listQuotes,
  createQuote,
  getQuote,
  updateQuote,
  sendQuote,
  loseQuote,
  reopenQuote,
  bookQuote,
  getQuoteLink,
  listBookings,
  getBooking,
  listEvents,
  getEvent,
  updateEvent,
  cancelEvent,
  getAvailability,
  listResources,
  getResource,
  listStaff,
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
  listFormResponses,
  getFormResponseObject,
  getInvoiceReference,
  listInvoices,
  getInvoice,
  recordPayment,
  ...CATALOG_ENDPOINTS,
  listChanges,
  listWebhookEndpoints,
  createWebhookEndpoint,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateWebhookSecret,
  replayChanges,
  listWebhookDeliveries,
  getWebhookDelivery,
  retryWebhookDelivery,
]
