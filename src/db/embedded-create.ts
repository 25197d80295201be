/** Creates the folder of the embedded server, or upgrades one of the previous release. */
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { renameSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { createOnce, prepareDataFolder } from './data-folder.ts'
import { dataPathFor, findBinaries } from './embedded-binaries.ts'
import { passwordFile, runScript, setUpRoles } from './embedded-cluster.ts'
import type { Cluster } from './embedded-cluster.ts'
import { upgradeCluster } from './embedded-upgrade.ts'
import { findServerUser } from './embedded-user.ts'
import { runProgram } from './run-program.ts'

/** Afterwards the server can start. */
export async function prepareCluster(
  dataDir: string,
  warn: (message: string) => void = () => undefined,
): Promise<Cluster> {
  prepareDataFolder(dataDir)
  const pgData = join(dataDir, 'postgres')
  const cluster = { dataDir, pgData, user: await findServerUser(pgData, warn) }
  if (!existsSync(pgData)) await createCluster(cluster)
  else if (!existsSync(passwordFile(dataDir))) await upgradeCluster(cluster)
  return cluster
}

/** Creates it under another name first: a start that is killed midway leaves no incomplete folder. */
async function createCluster({ dataDir, pgData, user }: Cluster): Promise<void> {
  await removeLeftDrafts(dataDir)
  // The password comes first, and all processes that start at once share it: any of their folders may be the one kept.
  createOnce(passwordFile(dataDir), randomBytes(24).toString('base64url'))
  const name = `postgres-draft-${process.pid}-${randomBytes(4).toString('hex')}`
  const draft: Cluster = { dataDir, pgData: join(dataDir, name), user }
  mkdirSync(draft.pgData, { mode: 0o700 })
  if (user !== undefined) chownSync(draft.pgData, user.uid, user.gid)
  const initdb = (...args: string[]) =>
    runProgram(join(findBinaries(user), 'initdb'), [`--pgdata=${dataPathFor(user, draft.pgData)}`, ...args], {
      cwd: draft.pgData,
      user,
    })
  // No client can connect until pg_hba.conf is written.
  await initdb('--username=postgres', '--auth=reject', '--encoding=UTF8', '--locale=C', '--no-sync')
  await runScript(draft, 'cat > pg_hba.conf', 'local all all scram-sha-256\n')
  await setUpRoles(draft, readFileSync(passwordFile(dataDir), 'utf8'), ['-F'])
  await initdb('--sync-only')
  try {
    renameSync(draft.pgData, pgData)
  } catch (error) {
    // Another process that started at the same time was faster.
    if (!existsSync(pgData)) throw error
    await removeDraft(draft.pgData)
  }
  await removeLeftDrafts(dataDir)
}

async function removeLeftDrafts(dataDir: string): Promise<void> {
  for (const name of readdirSync(dataDir)) {
    const pid = /^postgres-draft-(\d+)-/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await removeDraft(join(dataDir, name))
  }
}

/** As its owner: root would follow what that user plants meanwhile. A program of a killed start may still write there. */
export async function removeDraft(draft: string): Promise<void> {
  const stat = lstatSync(draft, { throwIfNoEntry: false })
  if (stat === undefined) return
  const user = process.getuid?.() === stat.uid ? undefined : { uid: stat.uid, gid: stat.gid }
  await runScript({ dataDir: '', pgData: draft, user }, 'rm -rf -- * .[!.]*').catch(() => undefined)
  try {
    rmdirSync(draft)
  } catch (error) {
    if (!/^(ENOENT|ENOTEMPTY)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
