/** Child processes of an item. Each has a log file and ends with the item. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerUser } from '../src/db/embedded-user.ts'
import { atEnd, throwIfInterrupted } from './at-end.ts'
import type { Program } from './item.ts'

export interface Running {
  pid: number
  hasEnded: () => boolean
  kill: (signal: NodeJS.Signals) => void
  /** The exit status, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>
  /** The end of its output */
  log: () => string
}

interface StartOptions {
  cwd: string
  /** Its output is appended to this file. */
  logFile: string
  user?: ServerUser | undefined
  env?: Record<string, string>
}

export function isInstalled(program: Program): boolean {
  return folderOf(program) !== undefined
}

/** The path of a program in the folders of Debian. */
export function findProgram(program: Program): string {
  const folder = folderOf(program)
  if (folder === undefined) throw new Error(howToInstall([program]))
  return join(folder, program.name)
}

export function howToInstall(programs: readonly Program[]): string {
  const names = programs.map(({ name }) => name).join(', ')
  const packages = [...new Set(programs.map(({ debianPackage }) => debianPackage))].join(' ')
  return `needs ${names}: apt-get install --no-install-recommends ${packages}`
}

function folderOf({ name }: Program): string | undefined {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a))
  const folders = [
    ...newestFirst.map((version) => `/usr/lib/postgresql/${version}/bin`),
    ...(process.env['PATH'] ?? '').split(':'),
    '/usr/sbin',
  ]
  return folders.find((folder) => existsSync(join(folder, name)))
}

/** Ends with the item by SIGKILL. Items stop programs earlier that need a clean end. */
export function startProgram(program: string, args: string[], options: StartOptions): Running {
  throwIfInterrupted()
  const log = openSync(options.logFile, 'a', 0o600)
  const child = spawn(program, args, {
    cwd: options.cwd,
    ...options.user,
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', ...options.env },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const ended = once(child, 'exit').then(
    ([code, signal]: (number | NodeJS.Signals | null)[]) => code ?? signal ?? -1,
  )
  atEnd(async () => {
    if (hasEnded()) return
    child.kill('SIGKILL')
    await ended
  })
  return {
    pid: child.pid ?? -1,
    hasEnded,
    kill: (signal) => child.kill(signal),
    ended,
    log: () => readFileSync(options.logFile, 'utf8').slice(-2_000),
  }
}

/** Runs a program to a successful end. */
export async function runProgram(program: string, args: string[], options: StartOptions): Promise<void> {
  const running = startProgram(program, args, options)
  const status = await running.ended
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${running.log()}`)
}

/** Polls the condition, and returns the `performance.now()` at which it was true. */
export async function waitUntil(
  what: string,
  isTrue: () => Promise<boolean>,
  { timeoutMs = 30_000, everyMs = 20 } = {},
): Promise<number> {
  const deadline = performance.now() + timeoutMs
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeoutMs / 1000} s`)
    await sleep(everyMs)
  }
  return performance.now()
}
