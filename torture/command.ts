/** The built command as a process, with only the settings it is given. */
import { spawnCommand } from '../test/support/command.ts'
import type { RunningCommand } from '../test/support/command.ts'

export function startCommand(args: string[], settings: Record<string, string>): RunningCommand {
  return spawnCommand(args, { LOG_LEVEL: 'error', ...settings })
}

/** Runs it to its end, which must be a good one, and returns what it printed. */
export async function runCommand(args: string[], settings: Record<string, string>): Promise<string> {
  const command = startCommand(args, settings)
  const status = await command.ended
  const text = command.stdout() + command.stderr()
  if (status !== 0) throw new Error(`quoting ${args.join(' ')} ended with ${status}: ${text}`)
  return text
}

/** `quoting serve` that has said where it is. */
export async function startServer(
  args: string[],
  settings: Record<string, string>,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const command = startCommand(['serve', ...args], { PORT: '0', ...settings })
  const stop = async () => {
    command.kill('SIGTERM')
    await command.ended
  }
  const [, url = ''] = await command.waitFor(/API at (\S+)\/api/)
  return { url, stop }
}
