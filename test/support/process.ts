/** The built command as a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atEnd } from './at-end.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/quoting.js', import.meta.url))

export interface RunningCommand {
  pid: number
  stdout: () => string
  stderr: () => string
  /** Waits until standard output matches; fails when the process ends before. */
  waitFor: (pattern: RegExp) => Promise<RegExpMatchArray>
  kill: (signal: NodeJS.Signals) => void
  /** The exit status, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>
}

/** Starts `quoting` with these arguments and settings, and nothing of our own environment. */
export function startCommand(
  args: string[],
  settings: Record<string, string>,
  input?: string,
): RunningCommand {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...settings },
    // Another directory than the checkout: nothing may depend on it.
    cwd: tmpdir(),
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const ended = once(child, 'close').then(
    ([code, signal]: (number | NodeJS.Signals | null)[]) => code ?? signal ?? -1,
  )
  atEnd(async () => void child.kill('SIGKILL'))
  return {
    pid: child.pid ?? -1,
    stdout: () => stdout,
    stderr: () => stderr,
    waitFor: async (pattern) => {
      for (;;) {
        const match = stdout.match(pattern)
        if (match !== null) return match
        const over = await Promise.race([ended, once(child.stdout, 'data').then(() => undefined)])
        if (over !== undefined && !pattern.test(stdout))
          throw new Error(`ended with ${over}: ${stdout}${stderr}`)
      }
    },
    kill: (signal) => child.kill(signal),
    ended,
  }
}

/** Runs a command to its end. */
export async function runCommand(
  args: string[],
  settings: Record<string, string>,
  input?: string,
): Promise<{ status: number | NodeJS.Signals; stdout: string; stderr: string }> {
  const command = startCommand(args, settings, input)
  const status = await command.ended
  return { status, stdout: command.stdout(), stderr: command.stderr() }
}

/** A folder that is gone when the test file is done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quoting-test-'))
  atEnd(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
