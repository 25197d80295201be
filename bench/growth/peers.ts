/**
 * Other servers that implement four reads of the API: Fastify with Drizzle and with Prisma, in bench/peers. Their packages have a
 * separate folder and lockfile and are installed on demand. They are not dependencies of the project.
 */
import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { isDeepStrictEqual, promisify } from 'node:util'
import { createServiceLoader } from '../load.ts'
import type { ServiceLoad } from '../load.ts'
import { interleave } from '../rounds.ts'
import { APP_SECRET, startService, startPeerServer } from '../servers.ts'
import type { RunningServer } from '../servers.ts'
import type { Filled } from './filled.ts'
import { costOf } from './measure.ts'
import type { CostFigures, Effort } from './measure.ts'
import { httpOf } from './requests.ts'
import type { Kind, Request } from './requests.ts'

export interface PeerFigures {
  name: string
  costs: Partial<Record<Kind, CostFigures>>
  /** Number of responses that were compared before the measurement. 0 for this service */
  answers: number
}

const FOLDER = 'bench/peers'
const SERVERS = { drizzle: 'Fastify and Drizzle', prisma: 'Fastify and Prisma' }
type ServerName = keyof typeof SERVERS
const NAMES = Object.keys(SERVERS) as ServerName[]

/** Other servers implement only reads. */
const KINDS_READ = ['get', 'list10', 'deep', 'list100'] as const satisfies Kind[]
/** Compared responses of each kind */
const COMPARED = 100

export async function measurePeers(world: Filled, { rounds, seconds }: Effort): Promise<PeerFigures[]> {
  await install()
  const service = await startService(world.url)
  const settings = {
    DATABASE_URL: world.url,
    APP_SECRET,
    // Equal links in the responses of all servers
    PUBLIC_URL: `http://127.0.0.1:${service.port}`,
  }
  const load = createServiceLoader(world.databasePid)
  const peers = new Map<ServerName, RunningServer>()
  try {
    for (const name of NAMES) {
      peers.set(name, await startPeerServer(`${FOLDER}/dist/build/bench/peers/${name}.js`, settings))
    }
    let answers = 0
    for (const kind of KINDS_READ) {
      for (const request of world.requests[kind].slice(0, COMPARED)) {
        await compareAnswers(service, peers, request)
        answers++
      }
    }
    const cases = KINDS_READ.flatMap((kind) => {
      const requests = world.requests[kind].map(httpOf)
      return [['ours', service] as const, ...peers].map(
        ([name, server]): [string, () => Promise<ServiceLoad>] => [
          `${name} ${kind}`,
          () => load.onService(server, requests, seconds),
        ],
      )
    })
    const results = await interleave(
      Object.fromEntries(cases),
      rounds,
      (round) => round === 1 && console.log(`Other servers: ${rounds} rounds`),
    )
    const costsOf = (name: string) =>
      Object.fromEntries(
        KINDS_READ.map((kind) => [kind, costOf(results[`${name} ${kind}`] ?? [], results[`ours ${kind}`])]),
      ) as PeerFigures['costs']
    return [
      { name: 'this service', costs: costsOf('ours'), answers: 0 },
      ...NAMES.map((name) => ({ name: SERVERS[name], costs: costsOf(name), answers })),
    ]
  } finally {
    await Promise.all([load.stop(), service.stop(), ...[...peers.values()].map((peer) => peer.stop())])
  }
}

function run(command: string, args: string[]): Promise<unknown> {
  return promisify(execFile)(command, args, {
    cwd: FOLDER,
    // Generating the client needs no engine. The setting prevents a download.
    env: { ...process.env, CHECKPOINT_DISABLE: '1', PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true' },
  })
}

async function install(): Promise<void> {
  if (!isInstalled()) {
    console.log('Installing the packages of other servers')
    // The prefix keeps npm in that folder if npm started the benchmark in another one.
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', '.'])
  }
  await run('node_modules/.bin/prisma', ['generate', '--schema', 'prisma-schema', '--no-hints'])
  await run('../../node_modules/.bin/tsc', ['-p', '.'])
}

/** npm writes this list of packages last, so that an interrupted installation is repeated. */
function isInstalled(): boolean {
  const list = `${FOLDER}/node_modules/.package-lock.json`
  return existsSync(list) && statSync(list).mtimeMs >= statSync(`${FOLDER}/package-lock.json`).mtimeMs
}

/** Checks that fast responses are also correct. */
async function compareAnswers(
  service: RunningServer,
  peers: ReadonlyMap<ServerName, RunningServer>,
  { path, key }: Request,
): Promise<void> {
  const ask = async ({ port }: RunningServer): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-api-key': key } })
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const expected = await ask(service)
  for (const [name, peer] of peers) {
    const answer = await ask(peer)
    if (!isDeepStrictEqual(answer, expected)) {
      throw new Error(
        `${SERVERS[name]} responds differently to ${path}: ${firstDifference(answer, expected)}`,
      )
    }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** The first path at which two values differ, such as `data.0.lead`. */
export function firstDifference(actual: unknown, expected: unknown, path = ''): string {
  if (isObject(actual) && isObject(expected)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(actual)])
    const name = [...names].find((one) => !isDeepStrictEqual(actual[one], expected[one]))
    if (name !== undefined) {
      return firstDifference(actual[name], expected[name], path === '' ? name : `${path}.${name}`)
    }
  }
  return `${path}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`
}
