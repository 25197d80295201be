/**
 * `npm run release`: writes the release files of a commit to release/: the sources with their lockfile, the bill of
 * materials (CycloneDX), the full license texts, and the checksums of the three.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { gatherLicenseTexts } from './licenses.ts'
import { readJson } from './lockfile.ts'
import type { Lockfile, PackageFile } from './lockfile.ts'
import { findPartFaults, listParts } from './parts.ts'
import type { Parts } from './parts.ts'

const ROOT = process.cwd()
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: ROOT, maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'inherit'] })

if (git('status', '--porcelain').length > 0)
  throw new Error('there are uncommitted changes: a release contains exactly one commit')
const own = readJson(ROOT, 'package.json') as PackageFile
const lock = readJson(ROOT, 'package-lock.json') as Lockfile
const name = `${own.name}-${own.version}`
const parts = listParts(own, lock)
const faults = findPartFaults(lock, JSON.parse(parts) as Parts)
if (faults.length > 0) throw new Error(faults.join('; '))

// Without time and user name, so that every run gives the same bytes.
const sources = gzipSync(git('archive', '--format=tar', `--prefix=${name}/`, 'HEAD'), { level: 9 })
const files: Record<string, string | Buffer> = {
  [`${name}.tar.gz`]: sources,
  'sbom.cdx.json': parts,
  'licenses.txt': gatherLicenseTexts(ROOT, lock),
}
const folder = join(ROOT, 'release')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
let sums = ''
for (const [file, content] of Object.entries(files)) {
  writeFileSync(join(folder, file), content)
  sums += `${createHash('sha256').update(content).digest('hex')}  ${file}\n`
}
writeFileSync(join(folder, 'SHA256SUMS'), sums)
console.log(`${sums}in ${folder}`)
