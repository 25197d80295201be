/**
 * `npm run release`: what is handed on of a commit, in release/. The sources with their lockfile, the list of all parts
 * (CycloneDX), the licences of these in full, and the checksums of the three.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { findPartFaults, onlyShipped } from './parts.ts'
import type { Parts } from './parts.ts'
import { gatherLicenceTexts } from './licences.ts'
import { readJson } from './lockfile.ts'
import type { Lockfile, PackageFile } from './lockfile.ts'

const ROOT = process.cwd()
const run = (program: string, args: string[], cwd = ROOT) =>
  execFileSync(program, args, { cwd, maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'inherit'] })

/** By npm itself, from the lockfile: `--omit dev` would leave out what tools use, too, such as zod. */
function listParts(own: PackageFile, lock: Lockfile): string {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  try {
    // npm calls the whole by the name of the folder.
    const copy = join(folder, own.name)
    mkdirSync(copy)
    const { devDependencies: _, ...shipped } = own
    writeFileSync(join(copy, 'package.json'), JSON.stringify(shipped))
    writeFileSync(join(copy, 'package-lock.json'), JSON.stringify(onlyShipped(lock)))
    const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application']
    return run('npm', args, copy).toString()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (run('git', ['status', '--porcelain']).length > 0)
  throw new Error('there are changes that are not committed: a release is made of a commit')
const own = readJson<PackageFile>(ROOT, 'package.json')
const lock = readJson<Lockfile>(ROOT, 'package-lock.json')
const name = `${own.name}-${own.version}`
const parts = listParts(own, lock)
const faults = findPartFaults(lock, JSON.parse(parts) as Parts)
if (faults.length > 0) throw new Error(faults.join('; '))

// No time and no name of ours in it: whoever makes it again gets the same bytes.
const sources = gzipSync(run('git', ['archive', '--format=tar', `--prefix=${name}/`, 'HEAD']), { level: 9 })
const files: Record<string, string | Buffer> = {
  [`${name}.tar.gz`]: sources,
  'sbom.cdx.json': parts,
  'licences.txt': gatherLicenceTexts(ROOT, lock),
}
const folder = join(ROOT, 'release')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
let sums = ''
for (const [file, content] of Object.entries(files)) {
  writeFileSync(join(folder, file), content)
  sums += `${createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex')}  ${file}\n`
}
writeFileSync(join(folder, 'SHA256SUMS'), sums)
console.log(`${sums}in ${folder}`)
