import type { Command } from 'commander'
import { withDatabase } from './database.ts'
import { print } from './print.ts'

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the schema of the database up to date')
    .action(withDatabase(async () => print('The schema is up to date.')))
}
