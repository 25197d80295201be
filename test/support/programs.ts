/** Runs installed programs as a user without privileges, and ends them at the end of the test file. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findUnprivilegedUser } from '../../src/db/embedded-user.ts'
import { atEnd } from './at-end.ts'

/** PostgreSQL and pgbouncer refuse to run as root. */
const user = await findUnprivilegedUser()

export interface RunningProgram {
  output: () => string
  hasEnded: () => boolean
  kill: (signal: NodeJS.Signals) => Promise<void>
}

/** A folder that the user of the programs owns. */
export function programFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quoting-test-'))
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  atEnd(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The path of a program in PATH or the folders of Debian. Throws if it is missing, so that no test is skipped silently. */
export function findProgram(name: string, debianPackage: string): string {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a))
  const folders = [
    ...newestFirst.map((version) => `/usr/lib/postgresql/${version}/bin`),
    ...(process.env['PATH'] ?? '').split(':'),
    '/usr/sbin',
  ]
  const folder = folders.find((candidate) => existsSync(join(candidate, name)))
  if (folder === undefined)
    throw new Error(`this test needs ${name}: apt-get install --no-install-recommends ${debianPackage}`)
  return join(folder, name)
}

/** `endSignal` is the signal for a fast and clean end. */
export function startProgram(
  program: string,
  args: string[],
  options: { cwd: string; endSignal: NodeJS.Signals },
): RunningProgram {
  const { child, output, ended } = spawnProgram(program, args, options.cwd)
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  atEnd(() => kill(options.endSignal))
  return { output, hasEnded: () => child.exitCode !== null || child.signalCode !== null, kill }
}

/** Runs a program to a successful end. */
export async function runProgram(program: string, args: string[], cwd: string): Promise<void> {
  const { child, output, ended } = spawnProgram(program, args, cwd)
  await ended
  if (child.exitCode !== 0) throw new Error(`${program} failed: ${output()}`)
}

function spawnProgram(program: string, args: string[], cwd: string) {
  const child = spawn(program, args, { cwd, ...user, env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' } })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return { child, output: () => output, ended: once(child, 'close') }
}
