/** The built server as in production. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEMO_KEYS } from '../src/world/demo/demo-world.ts'
import { freePort } from '../test/support/command.ts'
import { startProgram, waitUntil } from './programs.ts'
import type { Running } from './programs.ts'

export const [{ key: GOOD_KEY }] = DEMO_KEYS

export const PROGRAM = fileURLToPath(new URL('../../../bin/quoting.js', import.meta.url))

export interface Service extends Running {
  port: number
}

interface ServiceOptions {
  folder: string
  /** DATABASE_URL or DATA_DIR, and other settings */
  settings: Record<string, string>
  /** A free port by default */
  port?: number
}

/** Waits until the demo world is served, without polling `/readyz`, which changes how the service stops. */
export async function startService({ folder, settings, port }: ServiceOptions): Promise<Service> {
  const chosen = port ?? (await freePort())
  const running = startProgram(process.execPath, [PROGRAM, 'serve', '--demo'], {
    cwd: folder,
    logFile: join(folder, `service-${chosen}.log`),
    env: {
      NODE_ENV: 'production',
      APP_SECRET: 'a secret of thirty-two characters',
      ...settings,
      PORT: String(chosen),
    },
  })
  const isReady = async () => {
    if (running.hasEnded()) throw new Error(`the service ended during its start: ${lastLine(running)}`)
    return (await probe(chosen, '/api/quotes/quote_0246')) === 200
  }
  await waitUntil('the service is ready', isReady, { timeoutMs: 60_000 })
  return { ...running, port: chosen }
}

const lastLine = ({ log }: Running) => log().trimEnd().split('\n').at(-1)

/** A complete request with a valid key. */
export function requestOf(path: string, key = GOOD_KEY): string {
  return `GET ${path} HTTP/1.1\r\nhost: quoting\r\nx-api-key: ${key}\r\n\r\n`
}

/** The status, or 0 without a response. */
export async function probe(port: number, path: string): Promise<number> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { connection: 'close', 'x-api-key': GOOD_KEY },
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}
