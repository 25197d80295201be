/** Checks package-lock.json, and that the installed packages match it. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface DependencyLists {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

interface LockedPackage extends DependencyLists {
  version?: string
  license?: string
  integrity?: string
  resolved?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
  devOptional?: boolean
  hasInstallScript?: boolean
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

export interface Lockfile {
  lockfileVersion: number
  packages: Record<string, LockedPackage>
}

export interface PackageFile extends DependencyLists {
  name: string
  version: string
  license?: string | { type?: string }
  allowScripts?: Record<string, boolean>
  [field: string]: unknown
}

/** The fields that `npm ci` compares, and some more. */
const ROOT_FIELDS = [
  'name',
  'version',
  'license',
  'bin',
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'engines',
]

export function readJson(...path: string[]): unknown {
  return JSON.parse(readFileSync(join(...path), 'utf8'))
}

/** `node_modules/a/node_modules/@b/c` is an installation of `@b/c`. */
export function packageName(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/**
 * The build bundles these into dist/browser, so a release contains them. They are not `dependencies`, because the server never
 * loads them and a production installation does not need them.
 */
export const BUNDLED: readonly string[] = [
  '@mantine/core',
  '@mantine/hooks',
  '@mantine/notifications',
  '@tanstack/react-query',
  'react',
  'react-dom',
  'react-router',
]

/** The paths of all packages that run in production: on the server or, as part of the bundle, in the browser. */
export function listShippedPaths({ packages }: Lockfile): Set<string> {
  const own = packages['']?.devDependencies ?? {}
  const shipped = new Set(Object.keys(packages).filter((path) => path !== '' && packages[path]?.dev !== true))
  const add = (path: string | null) => {
    if (path === null || shipped.has(path)) return
    shipped.add(path)
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = packages[path] ?? {}
    const peers = Object.keys(peerDependencies).filter(
      (name) => peerDependenciesMeta[name]?.optional !== true,
    )
    for (const name of [...Object.keys(dependencies), ...peers]) add(findPath(packages, path, name))
  }
  for (const name of BUNDLED) if (own[name] !== undefined) add(findPath(packages, '', name))
  return shipped
}

/** Where Node finds a package that the package at `from` imports. */
function findPath(packages: Lockfile['packages'], from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (packages[path] !== undefined) return path
    if (folder === '') return null
  }
}

/** One line for each fault. */
export function findLockfileFaults(lock: Lockfile, own: PackageFile): string[] {
  const faults: string[] = []
  if (lock.lockfileVersion !== 3) faults.push(`the lockfile is of version ${lock.lockfileVersion}, not 3`)
  const root = (lock.packages[''] ?? {}) as Record<string, unknown>
  for (const field of ROOT_FIELDS) {
    if (inOrder(root[field]) !== inOrder(own[field]))
      faults.push(`${field} is not the same as in package.json`)
  }
  const withScripts = new Set<string>()
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '') continue
    if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? '')) faults.push(`${path} has no SHA-512`)
    // The hash identifies the package. The registry depends on the settings of the installing machine.
    if (entry.resolved !== undefined) faults.push(`${path} names where it is downloaded from`)
    if (entry.link === true || entry.version === undefined) faults.push(`${path} is no package of a registry`)
    if (entry.hasInstallScript === true) withScripts.add(packageName(path))
  }
  const decided = new Set(Object.keys(own.allowScripts ?? {}))
  for (const name of withScripts) {
    if (!decided.has(name)) faults.push(`${name} has an install script that allowScripts does not list`)
  }
  return faults
}

/** Installed packages must be those of the lockfile. Packages for other platforms may be absent. */
export function findInstallationFaults(root: string, lock: Lockfile): string[] {
  const faults = Object.entries(lock.packages).flatMap(([path, { version, optional, devOptional }]) => {
    if (path === '') return []
    const file = join(root, path, 'package.json')
    if (!existsSync(file))
      return optional === true || devOptional === true ? [] : [`${path} is not installed: run npm ci`]
    const installed = (readJson(file) as PackageFile).version
    return installed === version ? [] : [`${path} is installed as ${installed}, not ${version}: run npm ci`]
  })
  const extra = listInstalled(root, 'node_modules').filter((path) => lock.packages[path] === undefined)
  return [...faults, ...extra.map((path) => `${path} is installed, but not in the lockfile: run npm ci`)]
}

/** The paths of all packages in a `node_modules` folder, and in those inside them. */
function listInstalled(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return []
  const names = readdirSync(join(root, folder)).filter((name) => !name.startsWith('.'))
  return names.flatMap((name) => {
    const path = `${folder}/${name}`
    if (name.startsWith('@')) return listInstalled(root, path)
    if (!existsSync(join(root, path, 'package.json'))) return []
    return [path, ...listInstalled(root, `${path}/node_modules`)]
  })
}

function inOrder(value: unknown): string {
  const isObject = typeof value === 'object' && value !== null
  return (
    JSON.stringify(isObject ? Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)) : value) ?? ''
  )
}
