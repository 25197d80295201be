/** Records an import in the change log: one change per company, in the transaction of the import. */
import { DatabaseError } from 'pg'
import { SYSTEM } from '../core/change-log/change-types.ts'
import { sql } from '../db/sql.ts'
import { run } from '../db/statement.ts'
import type { Db } from '../db/statement.ts'
import { stagedName } from '../db/world-table.ts'
import type { WorldTable } from '../db/world-table.ts'
import { notifyChanges } from '../records/change/announce.ts'
import { lockCompany, recordChanges } from '../records/change/record.ts'
import { addAllDeliveries } from '../records/webhook-delivery/create.ts'
import { WEBHOOK_ENDPOINT_COLUMNS } from '../records/webhook-endpoint/columns.ts'
import { noteEndpoints } from '../records/webhook-endpoint/queries.ts'
import { KINDS } from './kinds.ts'

/** How many records of each kind, by company. */
type Counts = Map<string, Record<string, number>>

export async function recordImport(client: Db, staged: ReadonlyMap<WorldTable, number>): Promise<void> {
  const countsByCompany = await countStaged(client, staged)
  for (const [companyId, counts] of countsByCompany) {
    await lockPatiently(client, companyId)
    if (counts[WEBHOOK_ENDPOINT_COLUMNS.name] !== undefined) await noteEndpoints(client, companyId)
    const subject = { object: 'company', id: companyId }
    const data = JSON.stringify({ object: null, counts })
    await recordChanges(client, companyId, SYSTEM, [{ type: 'data.imported', subject, data, previous: '{}' }])
  }
  await notifyChanges(client, [...countsByCompany.keys()])
}

/** Call it before endpoints are merged: earlier changes are delivered with their previous settings. */
export async function createDeliveriesBefore(
  client: Db,
  staged: ReadonlyMap<WorldTable, number>,
): Promise<void> {
  const endpoints = KINDS.filter(
    ({ name, table }) => name === WEBHOOK_ENDPOINT_COLUMNS.name && staged.has(table),
  )
  const only = new Map(endpoints.map(({ table }) => [table, staged.get(table) ?? 0]))
  for (const companyId of (await countStaged(client, only)).keys()) {
    await lockPatiently(client, companyId)
    await addAllDeliveries(client, companyId)
  }
}

/** Before anything is checked, if the import cannot lock single rows: no other action changes these companies until it ends. */
export async function lockStaged(client: Db, staged: ReadonlyMap<WorldTable, number>): Promise<void> {
  for (const companyId of (await countStaged(client, staged)).keys()) await lockPatiently(client, companyId)
}

async function countStaged(client: Db, staged: ReadonlyMap<WorldTable, number>): Promise<Counts> {
  const counts: Counts = new Map()
  for (const { name, table } of KINDS) {
    if (!staged.has(table)) continue
    const company = table.key.includes('company_id') ? sql`company_id` : sql`id`
    const { rows } = await run<{ company: string; count: number }>(
      client,
      sql`SELECT ${company} AS company, count(*)::integer AS count FROM ${stagedName(table)} GROUP BY 1 ORDER BY 1`,
    )
    for (const row of rows) counts.set(row.company, { ...counts.get(row.company), [name]: row.count })
  }
  return counts
}

const LOCK_NOT_AVAILABLE = '55P03'
const TRIES_MAX = 120

/**
 * An action may hold the company while it waits for a row of this import. It gives up after a few seconds. Each wait here is
 * shorter than the server's deadlock detection, which could end the import instead.
 */
async function lockPatiently(client: Db, companyId: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    await run(client, sql`SAVEPOINT locking; SET LOCAL lock_timeout = 500`)
    try {
      await lockCompany(client, companyId)
      await run(client, sql`RELEASE SAVEPOINT locking; SET LOCAL lock_timeout = 0`)
      return
    } catch (error) {
      const isBusy = error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE
      if (!isBusy || tries === TRIES_MAX) throw error
      await run(client, sql`ROLLBACK TO SAVEPOINT locking`)
    }
  }
}
