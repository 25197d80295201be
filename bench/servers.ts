/** The measured processes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { SentStatement } from './sent-statements.ts'

export interface RunningServer {
  port: number
  pid: number
  stop: () => Promise<void>
}

/** Encrypts links. */
export const APP_SECRET = 'a secret of thirty-two characters'

/** The built server as in production, with the default log level; the log is discarded. */
export function startService(databaseUrl: string): Promise<RunningServer> {
  return start(
    ['bin/quoting.js', 'serve'],
    {
      DATABASE_URL: databaseUrl,
      APP_SECRET,
      WEBHOOK_ALLOW_PRIVATE: 'true',
    },
    '/healthz',
  )
}

/** The same endpoint without authentication, log and metrics. */
export function startBareServer(databaseUrl: string, companyId: string): Promise<RunningServer> {
  const file = fileURLToPath(new URL('bare-server.js', import.meta.url))
  return start([file], { DATABASE_URL: databaseUrl, COMPANY: companyId }, '/ready')
}

/** A server that implements four reads of the API with other libraries. */
export function startPeerServer(file: string, settings: Record<string, string>): Promise<RunningServer> {
  return start([file], settings, '/healthz')
}

/** Creates tasks without a change log. */
export function startPlainWriteServer(databaseUrl: string): Promise<RunningServer> {
  const file = fileURLToPath(new URL('plain-write-server.js', import.meta.url))
  return start([file], { DATABASE_URL: databaseUrl }, '/healthz')
}

/** Sends the statements of a named request and returns their results. */
export function startFloorServer(
  databaseUrl: string,
  statements: Record<string, SentStatement[]>,
): Promise<RunningServer> {
  const file = fileURLToPath(new URL('floor-server.js', import.meta.url))
  return start([file], { DATABASE_URL: databaseUrl, STATEMENTS: JSON.stringify(statements) }, '/ready')
}

async function start(
  args: string[],
  settings: Record<string, string>,
  probe: string,
): Promise<RunningServer> {
  const port = await freePort()
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NODE_ENV: 'production', ...settings, PORT: String(port) },
    stdio: 'ignore',
  })
  const deadline = Date.now() + 30_000
  while (!(await answers(port, probe))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${args.join(' ')} did not start`)
    await sleep(50)
  }
  return {
    port,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

async function answers(port: number, path: string): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}${path}`).then(
    (response) => response.ok,
    () => false,
  )
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
