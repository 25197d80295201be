/**
 * Checks and repairs derived data: what statements have to maintain whenever they change the rows it follows from. A deviation
 * is a bug, a change made by hand in SQL, or a write of the previous release after a migration (docs/adr/0017).
 */
import { withDb } from '../db/connect.ts'
import type { Connection } from '../db/connect.ts'
import type { Db } from '../db/statement.ts'
import { isRecent } from '../db/migrate.ts'
import { transact } from '../db/transaction.ts'
import { beginSnapshot, lockImports, rollback } from '../db/world-transaction.ts'
import { listCompanyIds } from '../records/company/queries.ts'
import { findAssignmentErrors, repairAssignments } from '../records/event/assignments.ts'
import { findPaymentErrors, repairPayments } from '../records/payment/derived.ts'
import { findCalendarErrors, repairCalendar } from '../records/quote/calendar.ts'
import { findUsersWithStaleSessions, removeStaleSessions } from '../records/session/queries.ts'
import { findWebhookErrors, repairWebhooks } from '../records/webhook-delivery/check.ts'

/** Reports each deviation in one line, and returns the number of them. */
export async function checkDerived(
  connection: Connection,
  report: (finding: string) => void,
): Promise<number> {
  return withDb(connection, async (client) => {
    await beginSnapshot(client)
    try {
      let count = 0
      for (const companyId of await listCompanyIds(client)) {
        const { findings } = await findErrors(client, companyId)
        for (const finding of findings) report(`company ${JSON.stringify(companyId)}, ${finding}`)
        count += findings.length
      }
      return count
    } finally {
      await rollback(client)
    }
  })
}

interface DerivedErrors {
  /** Ids of events. */
  assignments: string[]
  /** Ids of invoices. */
  payments: string[]
  /** One line for each deviation. */
  findings: string[]
}

async function findErrors(client: Db, companyId: string): Promise<DerivedErrors> {
  const { stretches, startTimes } = await findCalendarErrors(client, companyId)
  const assignments = await findAssignmentErrors(client, companyId)
  const payments = await findPaymentErrors(client, companyId)
  const users = await findUsersWithStaleSessions(client, companyId)
  const webhooks = await findWebhookErrors(client, companyId)
  const findings = [
    ...webhooks,
    ...stretches.map((id) => `quote ${JSON.stringify(id)}: quote_stretches does not match the service days`),
    ...startTimes.map(
      (id) => `quote ${JSON.stringify(id)}: first and last start time do not match the service days`,
    ),
    ...assignments.map((id) => `event ${JSON.stringify(id)}: event_assignments does not match the event`),
    ...payments.map((id) => `invoice ${JSON.stringify(id)}: payments_cents does not match the payments`),
    ...users.map((id) => `user ${JSON.stringify(id)}: a session outlived the password or the disabling`),
  ]
  return { assignments, payments, findings }
}

/**
 * Corrects all deviations, one company at a time, so that imports wait only briefly. Returns how many findings there were.
 * Companies without a deviation are only read.
 */
export async function repairDerived(connection: Connection): Promise<number> {
  return withDb(connection, async (client) => {
    let count = 0
    for (const companyId of await listCompanyIds(client)) {
      count += await transact(client, () => repairCompany(client, companyId))
    }
    return count
  })
}

async function repairCompany(client: Db, companyId: string): Promise<number> {
  await lockImports(client)
  const { assignments, payments, findings } = await findErrors(client, companyId)
  if (findings.length === 0) return 0
  await repairCalendar(client, companyId)
  await repairAssignments(client, companyId, assignments)
  await repairPayments(client, companyId, payments)
  await removeStaleSessions(client, companyId)
  await repairWebhooks(client, companyId)
  return findings.length
}

/** The newest migration since which writes must maintain more derived data. */
const MIGRATION = '0008-reads.sql'

/**
 * Repairs what processes of the previous release wrote after the migration. Every process does it when it starts within a day
 * of the migration, so that the last one of a roll-out does it when the old processes are gone, or nearly.
 */
export async function repairAfterMigration(connection: Connection): Promise<number> {
  const isNeeded = await withDb(connection, (client) => isRecent(client, MIGRATION))
  return isNeeded ? repairDerived(connection) : 0
}
