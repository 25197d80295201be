/** A copy of the built program with one more migration, like a later release. */
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { temporaryFolder } from './process.ts'

/** Returns the path of the program, for `runCommand`. */
export function programWith(migration: string): string {
  const folder = temporaryFolder()
  for (const name of ['bin', 'dist', 'migrations', 'package.json'])
    cpSync(resolve(name), join(folder, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'migrations', '9999-later.sql'), migration)
  return join(folder, 'bin', 'quoting.js')
}
