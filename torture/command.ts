/** The built command as a process, with only the settings it is given. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

export function startCommand(args: string[], settings: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['bin/quoting.js', ...args], {
    env: { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs it to its end, which must be a good one, and returns what it printed. */
export async function runCommand(args: string[], settings: Record<string, string>): Promise<string> {
  const child = startCommand(args, settings)
  const output: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  const text = Buffer.concat(output).toString()
  if (code !== 0) throw new Error(`quoting ${args.join(' ')} ended with ${code}: ${text}`)
  return text
}

/** `quoting serve` that has said where it is. */
export async function startServer(
  args: string[],
  settings: Record<string, string>,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const child = startCommand(['serve', ...args], { PORT: '0', ...settings })
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  let output = ''
  for await (const chunk of child.stdout ?? []) {
    output += String(chunk)
    const [, url] = /API at (\S+)\/api/.exec(output) ?? []
    if (url !== undefined) {
      child.stdout?.resume()
      child.stderr?.resume()
      return { url, stop }
    }
  }
  await stop()
  throw new Error(`the server did not start: ${output}`)
}
