/** The company at a glance. */
import { z } from 'zod'
import {
  OVERDUE_MAX,
  listOverdueInvoices,
  listOverdueTasks,
  loadDashboard,
} from '../records/dashboard/queries.ts'
import type { Dashboard, OverdueInvoice, OverdueTask } from '../records/dashboard/queries.ts'
import { findOnboarding } from '../records/company/onboarding.ts'
import type { Onboarding } from '../records/company/onboarding.ts'
import type { Presentation } from '../codec/presentation.ts'
import { consoleRoute } from './route.ts'

export interface DashboardAnswer extends Omit<Dashboard, 'overdueInvoices'> {
  /** Which of the first steps are done. Mail is set up by the operator. */
  onboarding: Onboarding & { mail: boolean }
  overdueInvoices: Pick<Dashboard['overdueInvoices'], 'totals'> & { first: OpenedInvoice[] }
}

interface OpenedInvoice extends OverdueInvoice {
  /** Opens the invoice. */
  url: string
}

/** More of what is overdue than the dashboard shows at once, the longest overdue first. */
export interface OverdueTasksAnswer {
  tasks: OverdueTask[]
}
export interface OverdueInvoicesAnswer {
  invoices: OpenedInvoice[]
}

function addUrls(
  invoices: OverdueInvoice[],
  companyId: string,
  invoiceUrl: Presentation['invoiceUrl'],
): OpenedInvoice[] {
  return invoices.map((invoice) => ({ ...invoice, url: invoiceUrl(companyId, invoice.id) }))
}

const getDashboard = consoleRoute({
  method: 'GET',
  path: '/console/dashboard',
  input: z.object({}),
  answer: async ({ reports, companyId, presentation, outbox }): Promise<DashboardAnswer> => {
    const { now, invoiceUrl } = presentation
    const { overdueInvoices, ...rest } = await loadDashboard(reports, companyId, now)
    const { totals, first } = overdueInvoices
    const onboarding = { ...(await findOnboarding(reports, companyId)), mail: outbox !== undefined }
    return { ...rest, onboarding, overdueInvoices: { totals, first: addUrls(first, companyId, invoiceUrl) } }
  },
})

const getOverdueTasks = consoleRoute({
  method: 'GET',
  path: '/console/dashboard/overdue-tasks',
  input: z.object({}),
  answer: async ({ reports, companyId, presentation: { now } }): Promise<OverdueTasksAnswer> => {
    const { first } = await listOverdueTasks(reports, companyId, now, OVERDUE_MAX)
    return { tasks: first }
  },
})

const getOverdueInvoices = consoleRoute({
  method: 'GET',
  path: '/console/dashboard/overdue-invoices',
  input: z.object({}),
  answer: async ({ reports, companyId, presentation }): Promise<OverdueInvoicesAnswer> => {
    const { now, invoiceUrl } = presentation
    const invoices = await listOverdueInvoices(reports, companyId, now, OVERDUE_MAX)
    return { invoices: addUrls(invoices, companyId, invoiceUrl) }
  },
})

export const dashboardRoutes = [getDashboard, getOverdueTasks, getOverdueInvoices]
