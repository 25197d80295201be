import type { Command } from 'commander'
import type { Connection } from '../db/connect.ts'
import { checkDerived, repairDerived } from '../world/derived.ts'
import { diagnose } from '../world/doctor.ts'
import { withDatabase } from './database.ts'
import { FindingsError, print, printError } from './print.ts'

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description(
      'list references that do not resolve and derived data that is wrong; exit status 1 if there are any',
    )
    .option('--repair', 'correct derived data first', false)
    .action((options: { repair: boolean }) => withDatabase(doctor)(options))
}

async function doctor(connection: Connection, { repair }: { repair: boolean }): Promise<void> {
  if (repair) print(`Repaired ${await repairDerived(connection)} deviation(s) of derived data.`)
  const references = await diagnose(connection, (finding) => printError(finding))
  const deviations = await checkDerived(connection, (finding) => printError(finding))
  if (deviations > 0) printError('"quoting doctor --repair" corrects derived data.')
  if (references + deviations > 0) throw new FindingsError()
  print('Every reference resolves, and derived data is correct.')
}
