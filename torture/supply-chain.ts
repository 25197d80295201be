/** The dependencies of the service. */
import { findLicenseFaults, findOtherLicenses, listPackages } from '../supply-chain/licenses.ts'
import { findInstallationFaults, findLockfileFaults, readJson } from '../supply-chain/lockfile.ts'
import type { Lockfile, PackageFile } from '../supply-chain/lockfile.ts'
import { findPartFaults, listParts } from '../supply-chain/parts.ts'
import type { Parts } from '../supply-chain/parts.ts'
import { checkHistory } from '../supply-chain/secrets.ts'
import type { Figure, Item } from './item.ts'

export const supplyChain: Item = {
  name: 'supply-chain',
  title: 'Supply chain',
  run: async () => {
    const root = process.cwd()
    const lock = readJson(root, 'package-lock.json') as Lockfile
    const own = readJson(root, 'package.json') as PackageFile
    const packages = listPackages(lock)
    const history = await checkHistory(root)
    const parts = JSON.parse(listParts(own, lock)) as Parts
    return [
      none(
        'errors in the lockfile',
        [...findLockfileFaults(lock, own), ...findInstallationFaults(root, lock)],
        `${packages.length} packages`,
      ),
      none(
        'licenses that are not allowed',
        [...findLicenseFaults(packages), ...findOtherLicenses(root, lock)],
        `${packages.length} packages`,
      ),
      none(
        'missing or wrong parts in the bill of materials',
        findPartFaults(lock, parts),
        `${parts.components.length} parts`,
      ),
      none('secrets in the history', history.findings, `${history.count} versions of files and messages`),
    ]
  },
}

function none(name: string, faults: string[], detail: string): Figure {
  return {
    name,
    value: faults.length,
    goal: '0',
    pass: faults.length === 0,
    detail: [detail, ...faults].join('; '),
  }
}
