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
  listResources: ['PREMIUM'],
  getResource: ['PREMIUM'],
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
  getInvoiceReference: ['PREMIUM'],
} as const satisfies Record<string, readonly Plan[]>

export type Operation = keyof typeof ACCESS

export function planMayCall(plan: Plan, operation: Operation): boolean {
  const plans: readonly Plan[] = ACCESS[operation]
  return plans.includes(plan)
}
