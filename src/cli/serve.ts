import type { Command } from 'commander'
import { readConfig } from '../server/config.ts'

export function addServe(program: Command): void {
  program
    .command('serve')
    .description('serve the API')
    .option('--demo', 'fill an empty database with the demo world first', false)
    .action(async (options: { demo: boolean }) => {
      // Imported here only: the web server is most of the code, and no other command needs it.
      const { serve } = await import('../server/serve.ts')
      await serve(readConfig(process.env), options)
    })
}
