/** Load on the service and on the database alone, with its CPU time. */
import { execFile, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ClientConfig } from 'pg'
import { SESSION_OPTIONS } from '../src/db/connect.ts'
import { countOthers, quantile, startLoadGenerator } from '../torture/start-load-generator.ts'
import { endedChildrenCpuMs, treeCpuMs } from './cpu.ts'
import type { LoopJob, LoopResult } from './driver-loop.ts'
import type { SentStatement } from './sent-statements.ts'

/** CPU time is per request, in microseconds, without that of the load generator. */
export interface ServiceLoad {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  serverUs: number
  databaseUs: number
}

export interface DatabaseLoad {
  requestsPerSecond: number
  /** CPU time per transaction of the database and of the client that sends the statements */
  databaseUs: number
  clientUs: number
}

/** Keeps two processors busy without a queue. */
const CONNECTIONS = 4

export interface ServiceLoader {
  onService: (
    server: { port: number; pid: number },
    requests: string[],
    seconds: number,
  ) => Promise<ServiceLoad>
  stop: () => Promise<void>
}

export function createServiceLoader(databasePid: number): ServiceLoader {
  const generator = startLoadGenerator()
  return {
    onService: async ({ port, pid }, requests, seconds) => {
      const before = { server: treeCpuMs(pid), database: treeCpuMs(databasePid) }
      const load = await generator.run({ port, requests, clients: CONNECTIONS, seconds })
      if (countOthers(load) + load.rejectedMs.length > 0)
        throw new Error(`failed requests under load: ${JSON.stringify(load.others)}`)
      const count = load.goodMs.length
      return {
        requestsPerSecond: count / load.seconds,
        p50Ms: quantile(load.goodMs, 0.5),
        p99Ms: quantile(load.goodMs, 0.99),
        serverUs: ((treeCpuMs(pid) - before.server) * 1000) / count,
        databaseUs: ((treeCpuMs(databasePid) - before.database) * 1000) / count,
      }
    },
    stop: generator.stop,
  }
}

/** A complete HTTP request. */
export function httpGet(path: string, key: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\n\r\n`
}

export function httpPost(path: string, key: string, body: string): string {
  const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n`
  return `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** Sends the service's statements to the database directly, prepared and with the same session settings. */
export async function loadDatabase(
  connection: ClientConfig,
  databasePid: number,
  statements: readonly SentStatement[],
  seconds: number,
): Promise<DatabaseLoad> {
  const before = treeCpuMs(databasePid)
  const { transactions, clientMs, elapsedMs } = hasPgbench()
    ? await runPgbench(connection, statements, seconds)
    : await runDriverLoop(connection, statements, seconds)
  return {
    requestsPerSecond: (transactions * 1000) / elapsedMs,
    databaseUs: ((treeCpuMs(databasePid) - before) * 1000) / transactions,
    clientUs: (clientMs * 1000) / transactions,
  }
}

interface BareLoad {
  transactions: number
  clientMs: number
  elapsedMs: number
}

function hasPgbench(): boolean {
  return spawnSync('pgbench', ['--version']).status === 0
}

async function runPgbench(
  connection: ClientConfig,
  statements: readonly SentStatement[],
  seconds: number,
): Promise<BareLoad> {
  const folder = mkdtempSync(join(tmpdir(), 'quoting-bench-'))
  try {
    const { script, variables } = pgbenchScript(statements)
    writeFileSync(join(folder, 'script.sql'), script)
    const before = endedChildrenCpuMs()
    const { stdout } = await promisify(execFile)(
      'pgbench',
      [
        '--no-vacuum',
        '--protocol=prepared',
        '--client=2',
        '--jobs=2',
        `--time=${Math.ceil(seconds)}`,
        ...variables.flatMap((variable) => ['-D', variable]),
        '-f',
        join(folder, 'script.sql'),
      ],
      { env: { ...process.env, ...libpqEnvironment(connection) } },
    )
    const transactions = Number(/actually processed: (\d+)/.exec(stdout)?.[1])
    const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
    return {
      transactions,
      clientMs: endedChildrenCpuMs() - before,
      elapsedMs: (transactions * 1000) / perSecond,
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function runDriverLoop(
  connection: ClientConfig,
  statements: readonly SentStatement[],
  seconds: number,
): Promise<BareLoad> {
  const child = fork(fileURLToPath(new URL('driver-loop.js', import.meta.url)))
  try {
    const job: LoopJob = { connection: { ...connection, options: SESSION_OPTIONS }, statements, seconds }
    child.send(job)
    const [reply] = (await once(child, 'message')) as [{ result?: LoopResult; error?: string }]
    if (reply.result === undefined) throw new Error(reply.error)
    const { transactions, cpuUs } = reply.result
    return { transactions, clientMs: cpuUs / 1000, elapsedMs: seconds * 1000 }
  } finally {
    child.kill()
  }
}

/** A value `random(a, b)` is different in each transaction, like the ids in the service's requests. */
function pgbenchScript(statements: readonly SentStatement[]): { script: string; variables: string[] } {
  const variables: string[] = []
  const lines = statements.flatMap(({ text, values }, i) => {
    const drawn: string[] = []
    const names = values.map((value, n) => {
      const name = `s${i}v${n}`
      const random = /^(\w*)\{(.+)\}$/.exec(value)
      if (random === null || value.startsWith('{')) {
        variables.push(`${name}=${value}`)
        return `:${name}`
      }
      drawn.push(String.raw`\set ${name} ${random[2]}`)
      return `('${random[1]}' || :${name})`
    })
    const sql = text.replaceAll(/\s+/g, ' ').replaceAll(/\$(\d+)/g, (_, n) => names[Number(n) - 1] ?? '')
    return [...drawn, `${sql};`]
  })
  return { script: `${lines.join('\n')}\n`, variables }
}

function libpqEnvironment({ host, port, user, password, database, connectionString }: ClientConfig) {
  const url = connectionString === undefined ? {} : { PGDATABASE: connectionString }
  return {
    ...(host === undefined ? {} : { PGHOST: host }),
    ...(port === undefined ? {} : { PGPORT: String(port) }),
    ...(user === undefined ? {} : { PGUSER: user }),
    ...(typeof password === 'string' ? { PGPASSWORD: password } : {}),
    ...(database === undefined ? {} : { PGDATABASE: database }),
    ...url,
    PGOPTIONS: SESSION_OPTIONS,
  }
}
