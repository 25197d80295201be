import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Program } from './item.ts'
import { freePort } from '../test/support/command.ts'
import { findProgram, startProgram, waitUntil } from './programs.ts'
import { probe } from './service.ts'

/** The set-up that docs/scaling.md describes. */
const CONFIGURATION = fileURLToPath(new URL('../../../docs/haproxy.cfg', import.meta.url))

export const HAPROXY: Program = { name: 'haproxy', debianPackage: 'haproxy' }

/** The documented configuration (docs/haproxy.cfg) on other ports: its own, and those of the two processes. */
export function haproxyConfiguration(
  documented: string,
  port: number,
  [first, second]: readonly [number, number],
): string {
  return documented
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${first}`)
    .replaceAll('127.0.0.1:3002', `127.0.0.1:${second}`)
}

/** On the port that it returns, with the documented configuration but for the ports. */
export async function startHaproxy(folder: string, ports: readonly [number, number]): Promise<number> {
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, haproxyConfiguration(readFileSync(CONFIGURATION, 'utf8'), port, ports))
  const haproxy = startProgram(findProgram(HAPROXY), ['-db', '-f', file], {
    cwd: folder,
    logFile: join(folder, 'haproxy.log'),
  })
  const isUp = async () => {
    if (haproxy.hasEnded()) throw new Error(`haproxy does not start: ${haproxy.log()}`)
    return (await probe(port, '/api/openapi.json')) === 200
  }
  await waitUntil('haproxy serves', isUp)
  // Both have been asked by then.
  await sleep(1000)
  return port
}
