/** Companies and their dashboards. */
import { loadDashboard } from '../../src/records/dashboard/queries.ts'
import type { Dashboard } from '../../src/records/dashboard/queries.ts'
import { createDatabase } from './database.ts'
import { insertCompany } from './records.ts'
import { watchedPool } from './watched-pool.ts'

export const statements: string[] = []

export const NOW = '2026-03-15T12:00:00.000Z'
export const EARLIER = '2026-03-15T11:59:59.999Z'
export const LATER = '2026-03-15T12:00:00.001Z'

export const EMPTY: Dashboard = {
  quotes: { draft: 0, sent: 0, expired: 0, booked: 0, lost: 0 },
  booked: {
    months:
      `2025-04 2025-05 2025-06 2025-07 2025-08 2025-09 2025-10 2025-11 2025-12 2026-01 2026-02 2026-03`.split(
        ' ',
      ),
    values: [],
  },
  upcomingEvents: [],
  overdueTasks: { count: 0, first: [] },
  overdueInvoices: { totals: [], first: [] },
}

export async function createDashboard() {
  const database = await createDatabase()
  const { pool, connection } = database

  const reports = watchedPool(connection, 'reports', (text) => statements.push(text))

  let companies = 0
  async function newCompany(): Promise<string> {
    const id = `company ${++companies}`
    await insertCompany(pool, id)
    return id
  }

  const load = (companyId: string, now = NOW): Promise<Dashboard> => loadDashboard(reports, companyId, now)
  return { database, pool, connection, reports, newCompany, load }
}
