/** Which plans may call which operations. */
import type { Plan } from '../core/enumerations.ts'

export const ACCESS = {
  listQuotes: ['PREMIUM', 'LEGACY_PRO'],
  getQuote: ['PREMIUM', 'LEGACY_PRO'],
  createQuote: ['PREMIUM'],
  updateQuote: ['PREMIUM'],
  sendQuote: ['PREMIUM'],
  loseQuote: ['PREMIUM'],
  reopenQuote: ['PREMIUM'],
  bookQuote: ['PREMIUM'],
  listBookings: ['PREMIUM'],
  getBooking: ['PREMIUM'],
  listEvents: ['PREMIUM'],
  getEvent: ['PREMIUM'],
  updateEvent: ['PREMIUM'],
  cancelEvent: ['PREMIUM'],
  getAvailability: ['PREMIUM'],
  listResources: ['PREMIUM'],
  getResource: ['PREMIUM'],
  listStaff: ['PREMIUM'],
  getStaff: ['PREMIUM'],
  createTask: ['PREMIUM'],
  listLeads: ['PREMIUM'],
  getLead: ['PREMIUM'],
  createLead: ['PREMIUM'],
  updateLead: ['PREMIUM'],
  listTasks: ['PREMIUM'],
  getTask: ['PREMIUM'],
  createTaskOfEvent: ['PREMIUM'],
  updateTask: ['PREMIUM'],
  deleteTask: ['PREMIUM'],
  listChanges: ['PREMIUM'],
  getFormResponse: ['PREMIUM'],
  listFormResponses: ['PREMIUM'],
  getFormResponseObject: ['PREMIUM'],
  getInvoiceReference: ['PREMIUM'],
  listInvoices: ['PREMIUM'],
  getInvoice: ['PREMIUM'],
  recordPayment: ['PREMIUM'],
  listServices: ['PREMIUM'],
  getService: ['PREMIUM'],
  listAddons: ['PREMIUM'],
  getAddon: ['PREMIUM'],
  listLocations: ['PREMIUM'],
  getLocation: ['PREMIUM'],
  listEventTypes: ['PREMIUM'],
  getEventType: ['PREMIUM'],
} as const satisfies Record<string, readonly Plan[]>

export type Operation = keyof typeof ACCESS

export function planMayCall(plan: Plan, operation: Operation): boolean {
  const plans: readonly Plan[] = ACCESS[operation]
  return plans.includes(plan)
}
