/**
 * DATA_DIR holds secrets and the database's folder. As root we write there only when no other user can change the path
 * to it: otherwise that user could plant a link and have root overwrite any file.
 */
import { closeSync, fsyncSync, linkSync, lstatSync, mkdirSync, openSync, readlinkSync } from 'node:fs'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { dirname, join, parse, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const isRoot = process.getuid?.() === 0

const GROUP_WRITABLE = 0o020
const OTHERS_WRITABLE = 0o002
/** Only the owner of an entry can rename or remove it, as in /tmp. */
const STICKY = 0o1000

/** Creates the folder where it is missing. As root, refuses one that another user can change. */
export function prepareDataFolder(dataDir: string): void {
  if (isRoot) refuseChangeable(dataDir)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (isRoot) refuseChangeable(dataDir)
}

/** Creates a file that only we can read. If several processes try at once, the first one decides its content. */
export function createOnce(path: string, text: string): void {
  const draft = writeDraft(path, text)
  try {
    // A link fails where the file exists.
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  syncFolder(dirname(path))
}

/** On disk before it gets its name: a power cut leaves no empty file behind. */
export function writeDraft(path: string, text: string): string {
  const draft = `${path}-${process.pid}`
  writeFileSync(draft, text, { mode: 0o600, flush: true })
  return draft
}

export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** Checks every folder and link on the way to `path`, as far as it exists. */
function refuseChangeable(path: string): void {
  const trusted = usersWhoCanChangeTheProgram()
  for (const part of prefixes(path)) {
    const stat = lstatSync(part, { throwIfNoEntry: false })
    if (stat === undefined) return
    const isTarget = part === path
    const problem = describeProblem(stat, trusted, isTarget)
    if (problem !== null) {
      throw new Error(
        `root does not keep data where other users can change files: ${part} ${problem}; choose another DATA_DIR, or start the service as another user than root`,
      )
    }
    if (stat.isSymbolicLink()) refuseChangeable(resolve(dirname(part), readlinkSync(part)))
  }
}

function describeProblem(stat: Stats, trusted: Trusted, isTarget: boolean): string | null {
  if (!trusted.users.has(stat.uid)) return `belongs to user ${stat.uid}`
  // The permissions of a link mean nothing.
  if (stat.isSymbolicLink()) return null
  if ((stat.mode & STICKY) !== 0 && !isTarget) return null
  if ((stat.mode & OTHERS_WRITABLE) !== 0) return 'is writable by everyone (chmod o-w)'
  if ((stat.mode & GROUP_WRITABLE) !== 0 && !trusted.groups.has(stat.gid))
    return `is writable by group ${stat.gid} (chmod g-w)`
  return null
}

interface Trusted {
  users: ReadonlySet<number>
  groups: ReadonlySet<number>
}

/** Root, and the owner of the checkout: root runs that user's code already. */
function usersWhoCanChangeTheProgram(): Trusted {
  const folders = prefixes(dirname(fileURLToPath(import.meta.url))).map((path) => statSync(path))
  const groups = folders.filter(({ mode }) => (mode & GROUP_WRITABLE) !== 0).map(({ gid }) => gid)
  return { users: new Set([0, ...folders.map(({ uid }) => uid)]), groups: new Set([0, ...groups]) }
}

/** `/a/b` is `/`, `/a` and `/a/b`. */
function prefixes(path: string): string[] {
  const { root } = parse(path)
  const names = path.slice(root.length).split(sep)
  const paths = names.map((_, i) => join(root, ...names.slice(0, i + 1)))
  return [...new Set([root, ...paths])]
}
