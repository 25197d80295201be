import type { Command } from 'commander'
import { exportWorld } from '../world/export.ts'
import { withDatabase } from './database.ts'

export function addExport(program: Command): void {
  program
    .command('export')
    .description('write everything to standard output as a world file')
    .action(withDatabase(async (connection) => void (await exportWorld(connection, process.stdout))))
}
