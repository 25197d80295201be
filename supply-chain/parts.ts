/** The bill of materials of a release, and a check that it is complete. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MIT_BY_TEXT, listPackages } from './licenses.ts'
import { BUNDLED, listShippedPaths, packageName } from './lockfile.ts'
import type { DependencyLists, Lockfile, PackageFile } from './lockfile.ts'

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
    writeFileSync(join(copy, 'package.json'), JSON.stringify(withoutTools(own)))
    writeFileSync(join(copy, 'package-lock.json'), JSON.stringify(onlyShipped(lock)))
    const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application']
    return execFileSync('npm', args, { cwd: copy, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The lockfile without tools. Adds licenses that a package only names in its license text. */
function onlyShipped(lock: Lockfile): Lockfile {
  const packages = [...listShippedPaths(lock)].map((path) => {
    const { dev: _, ...entry } = lock.packages[path] ?? {}
    return [path, MIT_BY_TEXT.has(packageName(path)) ? { ...entry, license: 'MIT' } : entry]
  })
  return { ...lock, packages: { ...Object.fromEntries(packages), '': withoutTools(lock.packages[''] ?? {}) } }
}

/** The bundled packages become dependencies like those of the server. */
function withoutTools<Root extends DependencyLists>({ devDependencies, ...root }: Root) {
  const bundled = Object.entries(devDependencies ?? {}).filter(([name]) => BUNDLED.includes(name))
  return { ...root, dependencies: { ...root.dependencies, ...Object.fromEntries(bundled) } }
}

export function findPartFaults(lock: Lockfile, { components }: Parts): string[] {
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`))
  const shipped = listPackages(lock).filter(({ isShipped }) => isShipped)
  const expected = new Set(shipped.map(({ name, version }) => `${name}@${version}`))
  return [
    ...[...expected].filter((part) => !listed.has(part)).map((part) => `the bill of materials lacks ${part}`),
    ...[...listed]
      .filter((part) => !expected.has(part))
      .map((part) => `${part} is in the bill of materials, but not in production`),
    ...components
      .filter(({ hashes = [], licenses = [] }) => hashes.length === 0 || licenses.length === 0)
      .map(({ name }) => `${name} is listed without its hash or its license`),
  ]
}
