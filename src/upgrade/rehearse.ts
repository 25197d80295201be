/** Rehearses an upgrade: migrates a copy of the database, and compares it before and after. */
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { restoreBackup } from '../backup/restore.ts'
import { withDb } from '../db/connect.ts'
import type { Connection } from '../db/connect.ts'
import { listApplied, listMigrations } from '../db/migrate.ts'
import {
  addMissingColumns,
  applyMeasured,
  describeColumns,
  describeRelease,
  listIndexes,
} from '../db/rehearsal.ts'
import type { MeasuredMigration } from '../db/rehearsal.ts'
import type { KnownColumns } from '../world/export.ts'
import { comparePlans, explainHotStatements } from './hot-statements.ts'
import { compareState, saveState } from './state.ts'
import type { StateSummary } from './state.ts'

export interface Rehearsal {
  migrations: MeasuredMigration[]
  /** The extent of the comparison. */
  compared: StateSummary & { statements: number }
  /** One line for each difference. */
  findings: string[]
  /** The columns of the earlier schema, and the file with the state before: for `compareState` after the upgrade. */
  known: KnownColumns
  stateFile: string
}

/** The migrations of this release that the database lacks. */
export async function listPending(connection: Connection): Promise<string[]> {
  const applied = new Set(await withDb(connection, listApplied))
  return (await listMigrations()).filter((name) => !applied.has(name))
}

/** `copy` is an empty scratch database, and `folder` holds the state. */
export async function rehearse(copy: Connection, backupFile: string, folder: string): Promise<Rehearsal> {
  const release = await describeRelease(copy)
  await restoreBackup(copy, createReadStream(backupFile), { keepSchema: true })
  const { known, indexes } = await withDb(copy, async (client) => ({
    known: namesOf(await describeColumns(client)),
    indexes: await listIndexes(client),
  }))
  const stateFile = join(folder, 'state-before')

  const removeViews = await addMissingColumns(copy, release)
  await saveState(copy, known, stateFile)
  const plansBefore = await explainHotStatements(copy)
  await removeViews()

  const pending = await listPending(copy)
  const migrations: MeasuredMigration[] = []
  await withDb(copy, async (client) => {
    for (const name of pending) migrations.push(await applyMeasured(client, name))
  })

  const { differences, ...summary } = await compareState(copy, known, stateFile)
  const plansAfter = await explainHotStatements(copy)
  const findings = [...differences, ...comparePlans(plansBefore, plansAfter, indexes)]
  return {
    migrations,
    compared: { ...summary, statements: plansAfter.size },
    findings,
    known,
    stateFile,
  }
}

function namesOf(columns: Awaited<ReturnType<typeof describeColumns>>): KnownColumns {
  return new Map([...columns].map(([table, list]) => [table, new Set(list.map(({ name }) => name))]))
}
