/** `npm run supply-chain`: checks the lockfile, the licenses, and the history for secrets. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeLicenses, findLicenseFaults, findOtherLicenses, listPackages } from './licenses.ts'
import { findInstallationFaults, findLockfileFaults, readJson } from './lockfile.ts'
import type { Lockfile, PackageFile } from './lockfile.ts'
import { checkHistory } from './secrets.ts'

const ROOT = process.cwd()
/** The service, the client generators for `npm run test:system`, and the servers that the benchmark compares with. */
const PROJECTS = [ROOT, join(ROOT, 'system/clients'), join(ROOT, 'bench/peers')]
const locks = PROJECTS.map((project) => readJson(project, 'package-lock.json') as Lockfile)
const packages = listPackages(...locks)
const faults = findLicenseFaults(packages)
for (const [i, lock] of locks.entries()) {
  const project = PROJECTS[i] ?? ROOT
  faults.push(...findLockfileFaults(lock, readJson(project, 'package.json') as PackageFile))
  if (project !== ROOT && !existsSync(join(project, 'node_modules'))) continue
  faults.push(...findInstallationFaults(project, lock), ...findOtherLicenses(project, lock))
}

const list = join(ROOT, 'docs/licenses.md')
if (process.argv.includes('--write')) writeFileSync(list, describeLicenses(packages))
else if (readFileSync(list, 'utf8') !== describeLicenses(packages))
  faults.push('docs/licenses.md is out of date: run "npm run supply-chain -- --write"')

const shipped = packages.filter(({ isShipped }) => isShipped).length
console.log(`${packages.length} packages, ${shipped} of them in production`)
const history = await checkHistory(ROOT)
console.log(`${history.count} versions of files and messages, ${history.findings.length} secrets`)
faults.push(...history.findings)
for (const fault of faults) console.error(fault)
// Exits at once: the profiler of secretlint evaluates its marks afterwards, which takes minutes for a long history.
process.exit(faults.length === 0 ? 0 : 1)
