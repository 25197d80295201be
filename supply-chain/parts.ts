/** The list of parts of a release must have all of them, and nothing else. */
import { listPackages } from './licences.ts'
import type { Lockfile } from './lockfile.ts'

/** What is looked at of a CycloneDX document. */
export interface Parts {
  bomFormat: string
  components: { name: string; version: string; hashes?: unknown[]; licenses?: unknown[] }[]
}

/** The lockfile without tools. */
export function onlyShipped(lock: Lockfile): Lockfile {
  const packages = Object.entries(lock.packages).filter(([, { dev }]) => dev !== true)
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
      .map(({ name }) => `${name} is listed without its hash or its licence`),
  ]
}
