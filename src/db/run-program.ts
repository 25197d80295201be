/** Runs programs to their end, also as another user. */
import { spawn } from 'node:child_process'
import { isAbsolute } from 'node:path'

interface RunOptions {
  cwd?: string | undefined
  user?: { uid: number; gid: number } | undefined
  /** Written to its standard input. */
  input?: string
  timeoutMs?: number
}

/** Returns its standard output. When it fails, the error holds the end of its output. */
export function runProgram(program: string, args: string[], options: RunOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      ...options.user,
      env: programEnvironment(),
      // A separate session: Ctrl-C must not end it before we do.
      detached: true,
    })
    const [stdout, stderr]: [string[], string[]] = [[], []]
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk.toString()))
    // A program that ends early reads no input; its exit status tells.
    child.stdin.on('error', () => undefined)
    child.stdin.end(options.input ?? '')
    const { timeoutMs } = options
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      const output = [...stdout, ...stderr].join('').trim().split('\n').slice(-3).join(' ')
      if (code === 0) resolve(stdout.join(''))
      else reject(new Error(`${program} failed (${code ?? signal}): ${output}`))
    })
  })
}

const SYSTEM_FOLDERS = ['/usr/sbin', '/usr/bin', '/sbin', '/bin']

/** Not our own variables: PG… would change what the programs do, and they need no secrets. */
export function programEnvironment(): Record<string, string> {
  // An empty or relative entry would be looked up in the folder the program starts in, which others may write.
  const ours = (process.env['PATH'] ?? '').split(':').filter((folder) => isAbsolute(folder))
  return { PATH: [...SYSTEM_FOLDERS, ...ours].join(':'), LC_ALL: 'C', TZ: 'UTC' }
}
