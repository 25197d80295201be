/** Runs the built command as a process with only these settings. */
import { spawnCommand } from '../test/support/command.ts'
import type { RunningCommand } from '../test/support/command.ts'

export function startCommand(args: string[], settings: Record<string, string>): RunningCommand {
  return spawnCommand(args, { LOG_LEVEL: 'error', ...settings })
}

/** Runs a command to a successful end, and returns its output. */
export async function runCommand(args: string[], settings: Record<string, string>): Promise<string> {
  const command = startCommand(args, settings)
  const status = await command.ended
  const text = command.stdout() + command.stderr()
  if (status !== 0) throw new Error(`quoting ${args.join(' ')} ended with ${status}: ${text}`)
  return text
}

/** Starts `quoting serve`, and waits for its URL. */
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
