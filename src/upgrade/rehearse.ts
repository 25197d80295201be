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
import type { Loaders } from './hot-statements.ts'
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

/** `copy` is an empty scratch database, `folder` holds the state, and the plans of `loaders` are compared, too. */
export async function rehearse(
  copy: Connection,
  backupFile: string,
  folder: string,
  loaders: Loaders,
): Promise<Rehearsal> {
  const release = await describeRelease(copy)
  await restoreBackup(copy, createReadStream(backupFile), { keepSchema: true })
  const { known, indexesBefore } = await withDb(copy, async (client) => ({
    known: namesOf(await describeColumns(client)),
    indexesBefore: await listIndexes(client),
  }))
  const stateFile = join(folder, 'state-before')

  const removeViews = await addMissingColumns(copy, release)
  await saveState(copy, known, stateFile)
  const plansBefore = await explainHotStatements(copy, loaders)
  await removeViews()

  const pending = await listPending(copy)
  const migrations: MeasuredMigration[] = []
  await withDb(copy, async (client) => {
    for (const name of pending) migrations.push(await applyMeasured(client, name))
  })

  const { differences, ...summary } = await compareState(copy, known, stateFile)
  const plansAfter = await explainHotStatements(copy, loaders)
  // An index that the migrations replaced by another one of the same name is new.
  const indexes = [...(await withDb(copy, listIndexes))]
  const kept = indexes.filter(([name, definition]) => indexesBefore.get(name) === definition)
  const names = new Set(kept.map(([name]) => name))
  const findings = [...differences, ...comparePlans(plansBefore, plansAfter, names)]
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
