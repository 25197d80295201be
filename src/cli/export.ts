import type { Command } from 'commander'
import type { Connection } from '../db/connect.ts'
import { exportWorld } from '../world/export.ts'
import { withDatabase } from './database.ts'

export function addExport(program: Command): void {
  program
    .command('export')
    .description('write everything to standard output as a world file')
    .option('--company <id>', 'only this company with everything that belongs to it')
    .action(({ company }: { company?: string }) => withDatabase(exportAll)(company ?? null))
}

async function exportAll(connection: Connection, companyId: string | null): Promise<void> {
  await exportWorld(connection, process.stdout, companyId)
}
