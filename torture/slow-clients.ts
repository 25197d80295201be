/** Five hundred clients keep connections busy while other clients work. */
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atLeast, atMost, atMostTimesIdle, largest } from './item.ts'
import type { Figure, Item, Program, Settings } from './item.ts'
import { countOthers, quantile, startLoadGenerator } from './start-load-generator.ts'
import type { LoadJob } from './load-generator.ts'
import type { LoadGenerator } from './start-load-generator.ts'
import { POSTGRES_PROGRAMS, startPostgres } from './postgres.ts'
import { findProgram, startProgram } from './programs.ts'
import { GOOD_KEY, requestOf, startService } from './service.ts'
import type { Service } from './service.ts'

const SLOWHTTPTEST: Program = { name: 'slowhttptest', debianPackage: 'slowhttptest' }

export const slowClients: Item = {
  name: 'slow-clients',
  title: 'Slow clients',
  programs: [...POSTGRES_PROGRAMS, SLOWHTTPTEST],
  run: async (settings) => {
    const { folder } = settings
    const postgres = await startPostgres(folder)
    const service = await startService({ folder, settings: { DATABASE_URL: postgres.url } })
    const generator = startLoadGenerator()
    await generator.run(goodRequests(service.port, settings.seed, 3))
    const alone = await generator.run(goodRequests(service.port, settings.seed, 5))
    const idleMs = quantile(alone.goodMs, 0.99)
    const figures = [
      atLeast('valid requests alone', alone.goodMs.length, 100, `p99 ${idleMs.toFixed(1)} ms: the idle p99`),
    ]
    for (const attack of listAttacks())
      figures.push(...(await withstand(attack, service, generator, settings, idleMs)))
    return [...figures, atMost('crashes', service.hasEnded() ? 1 : 0, 0)]
  },
}

/** An open loop from another address than the tool, so that its connections can be distinguished. */
function goodRequests(port: number, seed: number, seconds: number): LoadJob {
  const requests = ['/api/quotes/quote_0246', '/api/quotes?limit=10', '/api/resources'].map((path) =>
    requestOf(path),
  )
  return { port, localAddress: '127.0.0.2', requests, seed, seconds, perSecond: 40 }
}

interface Attack {
  name: string
  path: string
  args: readonly string[]
}

const CONNECTIONS = 500
const PER_SECOND = 100
/** Maximum time from the opening of a connection to its end */
const CLOSED_MS = 15_000
/** The tool sends the value of this header unchanged, so it can include the key header. */
const WITH_KEY = ['-m', `*/*\r\nx-api-key: ${GOOD_KEY}`]

const listAttacks = (): readonly Attack[] => [
  {
    name: 'slow headers',
    path: '/api/quotes',
    // A header every second keeps the request in progress.
    args: ['-H', '-i', '1', '-x', '10', ...WITH_KEY],
  },
  {
    name: 'slow body',
    path: '/api/task/create',
    args: ['-B', '-i', '1', '-s', '200000', '-x', '10', '-f', 'application/json', ...WITH_KEY],
  },
  {
    name: 'slow read',
    // A large response without much work, because the item tests slow reads.
    path: `/assets/${largestAsset()}`,
    args: ['-X', '-k', '4', '-n', '1', '-z', '32', '-w', '256', '-y', '1024', ...WITH_KEY],
  },
]

/** The largest file, because names of assets have a hash. */
function largestAsset(): string {
  const folder = fileURLToPath(new URL('../../../dist/browser/assets/', import.meta.url))
  const sizes = readdirSync(folder).map((name) => ({ name, size: statSync(join(folder, name)).size }))
  return sizes.toSorted((a, b) => b.size - a.size)[0]?.name ?? ''
}

async function withstand(
  attack: Attack,
  { port }: Service,
  generator: LoadGenerator,
  { folder, seed }: Settings,
  idleMs: number,
): Promise<Figure[]> {
  const watch = watchConnections(port)
  const opening = CONNECTIONS / PER_SECOND
  const seconds = Math.ceil(opening + CLOSED_MS / 1000)
  const counts = ['-c', String(CONNECTIONS), '-r', String(PER_SECOND), '-l', String(seconds + 10), '-v', '1']
  const url = `http://127.0.0.1:${port}${attack.path}`
  const tool = startProgram(findProgram(SLOWHTTPTEST), [...attack.args, ...counts, '-u', url], {
    cwd: folder,
    logFile: join(folder, 'slowhttptest.log'),
  })
  const good = await generator.run(goodRequests(port, seed, seconds))
  const { lives, stillOpen } = watch.stop()
  tool.kill('SIGKILL')
  await tool.ended
  const failed = good.rejectedMs.length + countOthers(good)
  return [
    atLeast(`${attack.name}: connections`, lives.length, CONNECTIONS),
    atMost(
      `${attack.name}: open for, at most`,
      largest(lives) / 1000,
      CLOSED_MS / 1000,
      's',
      `half of them ${(quantile(lives, 0.5) / 1000).toFixed(1)} s`,
    ),
    atMost(`${attack.name}: still open ${seconds} s after the first`, stillOpen, 0),
    atLeast(`${attack.name}: valid requests meanwhile`, good.goodMs.length, 400),
    atMost(`${attack.name}: of these failed`, failed, 0, '', JSON.stringify(good.others)),
    atMostTimesIdle(`${attack.name}: p99 of these`, quantile(good.goodMs, 0.99), {
      idleMs,
      times: 10,
      leastS: 0.2,
      detail: `slowest ${Math.round(largest(good.goodMs))} ms`,
    }),
  ]
}

interface Watch {
  /** Duration of each connection of the tool in milliseconds */
  stop: () => { lives: number[]; stillOpen: number }
}

const LOOK_MS = 250

/** The state of the server's side of each connection, according to the system. */
function watchConnections(port: number): Watch {
  const seen = new Map<string, { first: number; last: number }>()
  let open = new Set<string>()
  const look = () => {
    const now = performance.now()
    open = new Set(openPeers(port))
    for (const peer of open) seen.set(peer, { first: seen.get(peer)?.first ?? now, last: now })
  }
  const timer = setInterval(look, LOOK_MS)
  return {
    stop: () => {
      clearInterval(timer)
      look()
      return { lives: [...seen.values()].map(({ first, last }) => last - first), stillOpen: open.size }
    },
  }
}

/** Established, and closed by the peer but not by the server. */
const OPEN_STATES = '01|08'
/** 127.0.0.1 in the format of /proc/net/tcp */
const TOOL_ADDRESS = '0100007F'

function openPeers(port: number): string[] {
  const own = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const line = new RegExp(
    `^ *\\d+: [0-9A-F]{8}${own} (${TOOL_ADDRESS}:[0-9A-F]{4}) (?:${OPEN_STATES}) `,
    'gm',
  )
  return [...readFileSync('/proc/net/tcp', 'utf8').matchAll(line)].map(([, peer]) => peer ?? '')
}
