import type { Command } from 'commander'
import type { Connection } from '../db/connect.ts'
import { distribute } from '../db/distribute.ts'
import { withDatabase } from './database.ts'
import { print } from './print.ts'

export function addDistribute(program: Command): void {
  program
    .command('distribute')
    .description(
      'store the records of companies on the workers of a Citus cluster; run it again after an upgrade',
    )
    .addHelpText(
      'after',
      `
DATABASE_URL is the database on the coordinator, empty or filled. Every server has the extension citus in it, and the coordinator
knows the workers (docs/citus.md). Stop the service first. Afterwards, set DATABASE_DISTRIBUTED=true for the service and every command.`,
    )
    .action(withDatabase(distributeTables))
}

async function distributeTables(connection: Connection): Promise<void> {
  const { workers, distributed, removed, local } = await distribute(connection)
  const on = workers === 1 ? '1 worker' : `${workers} workers`
  if (distributed.length === 0) print(`All tables are distributed already, over ${on}.`)
  else {
    print(`Distributed by company over ${on}: ${distributed.join(', ')}.`)
    print(
      `Foreign keys removed, because they reference tables on the coordinator: ${removed.join(', ') || 'none'}.`,
    )
  }
  print(`On the coordinator: ${local.join(', ')}.`)
  if (connection.isDistributed !== true)
    print('Set DATABASE_DISTRIBUTED=true for the service and every command.')
}
