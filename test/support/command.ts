/** The built command as a separate process. Callers must end it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'

/** Relative to the working directory, because this file may be compiled into another folder. */
const PROGRAM = resolve('bin/quoting.js')

export interface RunningCommand {
  pid: number
  stdout: () => string
  stderr: () => string
  /** Waits until standard output matches. Throws if the process ends first. */
  waitFor: (pattern: RegExp) => Promise<RegExpMatchArray>
  kill: (signal: NodeJS.Signals) => void
  /** The exit status, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>
}

/** Starts `quoting` with these arguments and settings. From the environment, it gets only PATH. */
export function spawnCommand(
  args: string[],
  settings: Record<string, string>,
  input?: string,
  program = PROGRAM,
): RunningCommand {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...settings },
    // Not the checkout, because the program must not depend on the working directory.
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

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
