/**
 * The user that runs the embedded server. PostgreSQL refuses to run as root, so root starts it as a system user that runs
 * nothing else: processes of one user can read and change each other's files and memory.
 */
import { accessSync, constants, lstatSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRoot } from './data-folder.ts'
import { runProgram } from './run-program.ts'

export interface ServerUser {
  uid: number
  gid: number
}

export const DEDICATED_USER = 'quoting-db'
const CREATE_TRIES = 20
const CREATE_PAUSE_MS = 250

/** As on most systems, then as on those with busybox. */
const CREATE_COMMANDS: [string, string[]][] = [
  [
    'useradd',
    [
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir=/nonexistent',
      '--shell=/usr/sbin/nologin',
      DEDICATED_USER,
    ],
  ],
  ['adduser', ['-S', '-D', '-H', '-h', '/nonexistent', '-s', '/sbin/nologin', DEDICATED_USER]],
]

/** The user who runs the server of this data folder; undefined for the current user. */
export async function findServerUser(
  pgData: string,
  warn: (message: string) => void,
): Promise<ServerUser | undefined> {
  if (!isRoot) return undefined
  const folder = lstatSync(pgData, { throwIfNoEntry: false })
  if (folder === undefined) return findUnprivilegedUser(warn)
  if (!folder.isDirectory()) throw new Error(`${pgData} is not a folder`)
  if (folder.uid === 0) {
    throw new Error(
      `${pgData} belongs to root, but PostgreSQL refuses to run as root: give it to its user again, as in chown -R ${DEDICATED_USER} ${pgData}`,
    )
  }
  if (folder.uid === (await lookUp('nobody'))?.uid) {
    warn(
      `${pgData} belongs to the user 'nobody', so every process of that user can read and change the database: back it up and restore it into an empty DATA_DIR`,
    )
  }
  return { uid: folder.uid, gid: folder.gid }
}

/** The dedicated user, created where it is missing; `nobody` where it cannot be created; undefined: we ourselves. */
export async function findUnprivilegedUser(
  warn: (message: string) => void = () => undefined,
): Promise<ServerUser | undefined> {
  if (!isRoot) return undefined
  if (process.platform !== 'linux')
    throw new Error(
      'the embedded database does not run as root here: start as another user, or set DATABASE_URL',
    )
  const dedicated = (await lookUp(DEDICATED_USER)) ?? (await createUser())
  if (dedicated !== null) return dedicated
  const fallback = await lookUp('nobody')
  if (fallback === null) {
    throw new Error(
      `no user can be found to run the database: create one, as in useradd --system ${DEDICATED_USER}, or start as another user than root`,
    )
  }
  warn(
    `the user ${DEDICATED_USER} cannot be created, so the database runs as 'nobody', and every process of that user can read and change it: create ${DEDICATED_USER} before the first start, as in useradd --system ${DEDICATED_USER}`,
  )
  return fallback
}

/** Null where it cannot be created. Processes that start at once may all try; only one can hold the lock of the system. */
async function createUser(): Promise<ServerUser | null> {
  if (!isWritable('/etc/passwd')) return null
  for (let tries = 0; tries < CREATE_TRIES; tries++) {
    let isLocked = false
    for (const [program, args] of CREATE_COMMANDS) {
      await runProgram(program, args).catch((error: Error) => (isLocked ||= /lock/.test(error.message)))
      const created = await lookUp(DEDICATED_USER)
      if (created !== null) return created
    }
    if (!isLocked) return null
    await sleep(CREATE_PAUSE_MS)
  }
  return null
}

/** By the system's own program: not every user is in /etc/passwd. */
async function lookUp(name: string): Promise<ServerUser | null> {
  try {
    const [uid, gid] = [await runProgram('id', ['-u', name]), await runProgram('id', ['-g', name])]
    return { uid: Number(uid), gid: Number(gid) }
  } catch {
    return null
  }
}

/** False also on a file system that is mounted read-only. */
function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
