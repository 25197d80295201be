import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Program } from './item.ts'
import { freePort } from '../test/support/command.ts'
import { findProgram, startProgram, waitUntil } from './programs.ts'
import { probe } from './service.ts'

/** The setup in docs/scaling.md. */
const CONFIGURATION = fileURLToPath(new URL('../../../docs/haproxy.cfg', import.meta.url))

export const HAPROXY: Program = { name: 'haproxy', debianPackage: 'haproxy' }

interface HaproxyPorts {
  /** Port of HTTPS */
  secure: number
  /** Port of plain HTTP, which redirects to HTTPS */
  plain: number
  processes: readonly [number, number]
}

/** The documented configuration (docs/haproxy.cfg) on other ports, with another certificate, or without TLS. */
export function haproxyConfiguration(
  documented: string,
  { secure, plain, processes: [first, second] }: HaproxyPorts,
  certificate?: string,
): string {
  const bind = documented.match(/^ {2}bind :443 ssl crt \S+ alpn \S+$/m)?.[0]
  if (bind === undefined) throw new Error('docs/haproxy.cfg has another line for TLS')
  const tls = certificate === undefined ? '' : bind.replace(/.* (ssl crt) \S+/, ` $1 ${certificate}`)
  return documented
    .replace(bind, `  bind 127.0.0.1:${secure}${tls}`)
    .replace('  bind :80\n', `  bind 127.0.0.1:${plain}\n`)
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${first}`)
    .replaceAll('127.0.0.1:3002', `127.0.0.1:${second}`)
}

/** Returns the port. Without TLS, because the clients of these items write raw bytes. */
export async function startHaproxy(folder: string, processes: readonly [number, number]): Promise<number> {
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  const ports = { secure: port, plain: await freePort(), processes }
  writeFileSync(file, haproxyConfiguration(readFileSync(CONFIGURATION, 'utf8'), ports))
  const haproxy = startProgram(findProgram(HAPROXY), ['-db', '-f', file], {
    cwd: folder,
    logFile: join(folder, 'haproxy.log'),
  })
  const isUp = async () => {
    if (haproxy.hasEnded()) throw new Error(`haproxy does not start: ${haproxy.log()}`)
    return (await probe(port, '/api/openapi.json')) === 200
  }
  await waitUntil('haproxy serves', isUp)
  // haproxy has checked both processes by then.
  await sleep(1000)
  return port
}
