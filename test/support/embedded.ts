/** Starts a service with an embedded database, and finds the process of the database. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startCommand } from './process.ts'

export const READY = /API at (\S+)\/api/

export const serving = (settings: Record<string, string>) =>
  startCommand(['serve'], { PORT: '0', LOG_LEVEL: 'error', ...settings })

/** The process id of the database server, or null if it does not run. */
export function serverPid(dataDir: string): number | null {
  const path = join(dataDir, 'postgres', 'postmaster.pid')
  if (!existsSync(path)) return null
  const pid = Number.parseInt(readFileSync(path, 'utf8'), 10)
  return isRunning(pid) ? pid : null
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
