/**
 * Upgrades a data folder of the previous release. There the service was the superuser, and the password lay in the folder,
 * where every process of its owner could read it.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createOnce, syncFolder } from './data-folder.ts'
import { SERVICE_ROLE, checkCluster, passwordFile, runScript, setUpRoles } from './embedded-cluster.ts'
import type { Cluster } from './embedded-cluster.ts'
import { attach, leave, maintenanceConnection } from './embedded-presence.ts'

const TRY_FOR_MS = 10_000
const PAUSE_MS = 100

export async function upgradeCluster(cluster: Cluster): Promise<void> {
  const final = passwordFile(cluster.dataDir)
  const draft = `${final}-upgrade`
  // Shared by all processes that start at once, also with one that was killed.
  createOnce(draft, randomBytes(24).toString('base64url'))
  const deadline = Date.now() + TRY_FOR_MS
  while (!existsSync(final)) {
    try {
      await checkCluster(cluster)
      await setUpRoles(cluster, readFileSync(draft, 'utf8'))
      break
    } catch (error) {
      if (existsSync(final)) break
      // A server runs, or another process is upgrading.
      const { message } = error as Error
      if (!message.includes('lock file') || !message.includes('already exists')) throw error
      if (Date.now() > deadline) throw new Error(describeInUse(cluster), { cause: error })
      await stopUnused(cluster)
      await sleep(PAUSE_MS)
    }
  }
  publish(draft, final, cluster.dataDir)
  // It opens nothing any more.
  await runScript(cluster, 'rm -f password')
}

function describeInUse({ dataDir }: Cluster): string {
  return `${dataDir} is in use by a process of the previous release: stop it, then start again`
}

/** Never replaces the password: another process may have published it, and removed the draft, while this one created its own. */
function publish(draft: string, final: string, dataDir: string): void {
  try {
    if (!existsSync(final)) linkSync(draft, final)
  } catch (error) {
    // Another process was faster.
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST' && code !== 'ENOENT') throw error
  }
  syncFolder(dataDir)
  rmSync(draft, { force: true })
}

/** A server that outlived its last process is stopped; one that is in use is left alone. */
async function stopUnused(cluster: Cluster): Promise<void> {
  try {
    const password = await runScript(cluster, 'if [ -f password ]; then cat password; fi')
    const client = await attach({ ...maintenanceConnection(cluster.pgData), user: SERVICE_ROLE, password })
    await leave(client, cluster, undefined)
  } catch {
    // Nothing to stop: another process is upgrading, or has just finished.
  }
}
