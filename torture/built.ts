/** Parts of the built program in dist/, where they find their migrations. */
const DIST = new URL('../../../dist/', import.meta.url)

const load = (path: string) => import(new URL(path, DIST).href) as Promise<unknown>

export const { restoreBackup } = (await load(
  'backup/restore.js',
)) as typeof import('../src/backup/restore.ts')
export const { runAsSuperuser } = (await load(
  'db/embedded-cluster.js',
)) as typeof import('../src/db/embedded-cluster.ts')
export const { prepareCluster } = (await load(
  'db/embedded-create.js',
)) as typeof import('../src/db/embedded-create.ts')
export const { startEmbedded } = (await load('db/embedded.js')) as typeof import('../src/db/embedded.ts')
export const { withClient } = (await load('db/connect.js')) as typeof import('../src/db/connect.ts')
export const { applyMigration, beginMigrating, listMigrations, migrate } = (await load(
  'db/migrate.js',
)) as typeof import('../src/db/migrate.ts')
export const { addMissingColumns, describeColumns, describeRelease } = (await load(
  'db/rehearsal.js',
)) as typeof import('../src/db/rehearsal.ts')
export const { compareState, saveState } = (await load(
  'upgrade/state.js',
)) as typeof import('../src/upgrade/state.ts')
