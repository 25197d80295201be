/** The company at a glance. */
import { z } from 'zod'
import { loadDashboard } from '../../db/dashboard.ts'
import type { Dashboard, OverdueInvoice } from '../../db/dashboard.ts'
import { consoleRoute } from './route.ts'

export interface DashboardAnswer extends Omit<Dashboard, 'overdueInvoices'> {
  overdueInvoices: Pick<Dashboard['overdueInvoices'], 'totals'> & { first: OpenedInvoice[] }
}

interface OpenedInvoice extends OverdueInvoice {
  /** Opens the invoice. */
  url: string
}

const getDashboard = consoleRoute({
  method: 'GET',
  path: '/console/dashboard',
  input: z.object({}),
  answer: async ({ reports, companyId, presentation: { now, invoiceUrl } }): Promise<DashboardAnswer> => {
    const { overdueInvoices, ...rest } = await loadDashboard(reports, companyId, now)
    const { totals, first } = overdueInvoices
    const opened = first.map((invoice) => ({ ...invoice, url: invoiceUrl(companyId, invoice.id) }))
    return { ...rest, overdueInvoices: { totals, first: opened } }
  },
})

export const dashboardRoutes = [getDashboard]
