/** The bill of materials of a release, and a check that it is complete. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MIT_BY_TEXT, listPackages } from './licenses.ts'
import { packageName } from './lockfile.ts'
import type { Lockfile, PackageFile } from './lockfile.ts'

/** The members of a CycloneDX document that the check reads. */
export interface Parts {
  bomFormat: string
  components: { name: string; version: string; hashes?: unknown[]; licenses?: unknown[] }[]
}

/** npm creates it from the lockfile. `--omit dev` would also omit packages that tools share, such as zod. */
export function listParts(own: PackageFile, lock: Lockfile): string {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  try {
    // npm uses the name of the folder for the application.
    const copy = join(folder, own.name)
    mkdirSync(copy)
    const { devDependencies: _, ...shipped } = own
    writeFileSync(join(copy, 'package.json'), JSON.stringify(shipped))
    writeFileSync(join(copy, 'package-lock.json'), JSON.stringify(onlyShipped(lock)))
    const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application']
    return execFileSync('npm', args, { cwd: copy, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The lockfile without tools, and with the licenses that only the text of a package names. */
function onlyShipped(lock: Lockfile): Lockfile {
  const packages = Object.entries(lock.packages)
    .filter(([, { dev }]) => dev !== true)
    .map(([path, entry]) => [path, MIT_BY_TEXT.has(packageName(path)) ? { ...entry, license: 'MIT' } : entry])
  const { devDependencies: _, ...root } = (lock.packages[''] ?? {}) as Record<string, unknown>
  return { ...lock, packages: { ...Object.fromEntries(packages), '': root } }
}

export function findPartFaults(lock: Lockfile, { components }: Parts): string[] {
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`))
  const shipped = listPackages(lock).filter(({ isShipped }) => isShipped)
  const expected = new Set(shipped.map(({ name, version }) => `${name}@${version}`))
  return [
    ...[...expected].filter((part) => !listed.has(part)).map((part) => `the list of parts lacks ${part}`),
    ...[...listed].filter((part) => !expected.has(part)).map((part) => `${part} is listed, but no part`),
    ...components
      .filter(({ hashes = [], licenses = [] }) => hashes.length === 0 || licenses.length === 0)
      .map(({ name }) => `${name} is listed without its hash or its license`),
  ]
}
