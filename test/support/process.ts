/** The built command as a separate process, killed at the end of the test file. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './at-end.ts'
import { spawnCommand } from './command.ts'
import type { RunningCommand } from './command.ts'

/** Starts `quoting` with these arguments and settings. From the environment, it gets only PATH. */
export function startCommand(
  args: string[],
  settings: Record<string, string>,
  input?: string,
  program?: string,
): RunningCommand {
  const command = spawnCommand(args, settings, input, program)
  atEnd(async () => command.kill('SIGKILL'))
  return command
}

/** Runs a command to its end. */
export async function runCommand(
  args: string[],
  settings: Record<string, string>,
  input?: string,
  program?: string,
): Promise<{ status: number | NodeJS.Signals; stdout: string; stderr: string }> {
  const command = startCommand(args, settings, input, program)
  const status = await command.ended
  return { status, stdout: command.stdout(), stderr: command.stderr() }
}

/** A folder that is removed at the end of the test file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quoting-test-'))
  atEnd(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
