/** Fills a database with a generated world, using the built command line. */
import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { withClient } from '../src/db/connect.ts'
import type { Connection } from '../src/db/connect.ts'
import { generateWorld } from '../src/world/demo/demo-world.ts'
import type { WorldOptions } from '../src/world/demo/plan.ts'
import { endedChildrenCpuMs, parentOf, residentBytes } from './cpu.ts'

/** The DATABASE_URL of a connection */
export function urlOf({ host, port, user, password, database }: Connection): string {
  const secret = encodeURIComponent(typeof password === 'string' ? password : '')
  return `postgres://${user}:${secret}@/${database}?host=${encodeURIComponent(host ?? '')}&port=${port}`
}

/** The process id of the postmaster */
export async function databasePidOf(connection: Connection): Promise<number> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    return parentOf(rows[0]?.pid ?? 0)
  })
}

/** For a day after a migration, the service checks all derived data at each start, which would distort measurements. */
export async function ageMigrations(connection: Connection): Promise<void> {
  await withClient(connection, (client) =>
    client.query("UPDATE schema_migrations SET applied_at = applied_at - interval '2 days'"),
  )
}

/** Writes the world file record by record and returns the number of its lines. */
export async function writeWorld(file: string, options: WorldOptions): Promise<number> {
  let lines = 0
  const texts = function* (): Generator<string> {
    let text = ''
    for (const record of generateWorld(options)) {
      text += `${JSON.stringify(record)}\n`
      lines++
      if (text.length < 65_536) continue
      yield text
      text = ''
    }
    yield text
  }
  await pipeline(Readable.from(texts()), createWriteStream(file))
  return lines
}

interface CommandCost {
  seconds: number
  /** CPU time of the command, without the database */
  cpuSeconds: number
  /** Peak memory */
  bytes: number
}

/** Runs the built command line and discards its output. */
export async function runCommand(args: string[], settings: Record<string, string>): Promise<CommandCost> {
  const startedAt = performance.now()
  const cpuBefore = endedChildrenCpuMs()
  let bytes = 0
  const child = spawn(process.execPath, ['bin/quoting.js', ...args], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const watching = setInterval(() => {
    try {
      bytes = Math.max(bytes, residentBytes(child.pid ?? 0) || 0)
    } catch {
      // The process has just ended.
    }
  }, 100)
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  clearInterval(watching)
  if (code !== 0) throw new Error(`quoting ${args[0]} failed`)
  return {
    seconds: (performance.now() - startedAt) / 1000,
    cpuSeconds: (endedChildrenCpuMs() - cpuBefore) / 1000,
    bytes,
  }
}
