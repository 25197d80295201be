/** `npm run bench` measures the performance goals in one run, and exits with 1 if one is missed. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { LARGE, SMALL, openBigWorld } from './big-world.ts'
import type { BigWorld } from './big-world.ts'
import { measureChanges } from './changes.ts'
import { measureDatabaseCpu } from './database-cpu.ts'
import { countWrongAnswers } from './compare-answers.ts'
import { countBuffers, countNewPlans, countStatements, findCursors } from './counts.ts'
import { residentBytes } from './cpu.ts'
import { measureFilteredPages } from './filtered-pages.ts'
import type { PageCost } from './filtered-pages.ts'
import { judge } from './goals.ts'
import type { GoalResult } from './goals.ts'
import { measureGrowth } from './growth/main.ts'
import { createServiceLoader } from './load.ts'
import { measureRecordLists } from './record-lists.ts'
import { startPeer } from './peer.ts'
import { measurePeer } from './peer-requests.ts'
import { GET_PATH, LIST_100, measureRequests } from './requests.ts'
import type { LoadFigure } from './requests.ts'
import { printTable, writeReport } from './report.ts'
import { watchService } from './sent-statements.ts'
import type { Watched } from './sent-statements.ts'
import { measureWebhooks } from './webhooks.ts'
import { startBareServer, startService } from './servers.ts'
import type { RunningServer } from './servers.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    'database-cpu': { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    json: { type: 'string' },
    keep: { type: 'boolean', default: false },
    peer: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    sizes: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})

const FOLDER = resolve('.bench')
const EFFORT = options.quick
  ? { rounds: 5, pairRounds: 60, seconds: 1, filterRounds: 3, comparisons: 200, webhooks: 2_000 }
  : { rounds: 7, pairRounds: 200, seconds: 2, filterRounds: 3, comparisons: 1000, webhooks: 5_000 }
const MB = 1_000_000
const WEBHOOKS = { companyId: SMALL.id, key: SMALL.key, count: EFFORT.webhooks, rounds: 3 }

async function measure(world: BigWorld): Promise<{ goals: GoalResult[]; loads: LoadFigure[] }> {
  const watched = await watchService(world.connection, LARGE.key)
  const service = await startService(world.url)
  const bare = await startBareServer(world.url, LARGE.id)
  const load = createServiceLoader(world.databasePid)
  try {
    const memory = await measureRestingMemory(service)
    const [near, middle, deep] = await findCursors(world.connection, LARGE.id, [1_000, 50_000, 90_000])
    const cursors = [near, middle, deep].filter((id) => id !== undefined)
    const requests = await measureRequests({
      world,
      watched,
      service,
      bare,
      load,
      deepCursor: deep ?? '',
      ...EFFORT,
    })
    const goals = [
      ...requests.goals,
      ...(await measureChanges({ world, service, load, pairRounds: EFFORT.pairRounds })),
      ...(await filterGoals(world, watched)),
      ...(await measureRecordLists({ world, service, load, rounds: EFFORT.rounds })),
      ...(await countGoals(world, watched, cursors)),
      judge('memory', memory / MB, 'after the start and one request of each kind'),
      ...transferGoals(world),
    ]
    const service100 = { port: service.port, key: LARGE.key }
    const wrong = await countWrongAnswers(world.connection, LARGE.id, service100, EFFORT.comparisons)
    goals.push(judge('wrongAnswers', wrong, `${EFFORT.comparisons} random requests`))
    const webhooks = { ...WEBHOOKS, connection: world.connection, port: service.port }
    const rate = await measureWebhooks(webhooks)
    goals.push(
      judge('webhooks', rate, `${EFFORT.webhooks} deliveries to one endpoint, each with another subject`),
    )
    const loads = [...requests.loads]
    if (options.peer) {
      const cacheDir = resolve(FOLDER, 'peer')
      const peer = await startPeer({ databaseUrl: world.connection, cacheDir, companyId: LARGE.id })
      try {
        const against = await measurePeer({ peer, service, load, ...EFFORT })
        goals.push(...against.goals)
        loads.push(...against.loads)
      } finally {
        await peer.stop()
      }
    }
    return { goals, loads }
  } finally {
    await Promise.all([load.stop(), service.stop(), bare.stop(), watched.stop()])
  }
}

async function measureRestingMemory({ port, pid }: RunningServer): Promise<number> {
  for (const path of [GET_PATH(1), '/api/quotes', LIST_100]) {
    await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-api-key': LARGE.key } }).then((r) =>
      r.text(),
    )
  }
  return residentBytes(pid)
}

function worst(costs: readonly PageCost[]): PageCost {
  return costs.toSorted((a, b) => b.ratio - a.ratio)[0] ?? { name: 'none', ratio: 0 }
}

async function filterGoals(world: BigWorld, watched: Watched): Promise<GoalResult[]> {
  const pages = await measureFilteredPages(world.connection, watched, LARGE.id, EFFORT.filterRounds)
  const [ids, days, more] = [worst(pages.byId), worst(pages.byDay), worst(pages.byDayAndMore)]
  return [
    judge('ids', ids.ratio, `of ${pages.byId.length} pages: ${ids.name}`),
    judge('days', days.ratio, `of ${pages.byDay.length} pages: ${days.name}`),
    judge('daysAndMore', more.ratio, `of ${pages.byDayAndMore.length} pages: ${more.name}`),
  ]
}

async function countGoals(world: BigWorld, watched: Watched, cursors: string[]): Promise<GoalResult[]> {
  const many = await countStatements(watched, 100)
  const paths = ['/api/quotes', GET_PATH(1), LIST_100, `/api/quotes?starting_after=${cursors[0]}`]
  const filtered = ['location_id=loc_denver', 'service_start_time[gte]=2026-06-01T00:00:00Z']
  return [
    judge('statements', many, 'page, its pricing inputs, and one a relation'),
    judge('sameStatements', many - (await countStatements(watched, 1)), ''),
    judge(
      'plans',
      await countNewPlans(watched, [...paths, ...filtered.map((query) => `/api/quotes?${query}`)]),
      'pg_prepared_statements.custom_plans',
    ),
    judge(
      'buffers',
      await countBuffers(world.connection, LARGE.id, cursors),
      'first page, depths 1,000 to 90,000',
    ),
  ]
}

function transferGoals({ transfer }: BigWorld): GoalResult[] {
  const { lines, date } = transfer
  const note = `${lines} lines on ${date}`
  return [
    judge('importRate', lines / transfer.importSeconds, note),
    judge('importMemory', transfer.importBytes / MB, note),
    judge('exportRate', lines / transfer.exportSeconds, note),
    judge('exportMemory', transfer.exportBytes / MB, note),
  ]
}

async function measureGoals(): Promise<void> {
  console.log(
    `Companies of ${LARGE.quotes} and ${SMALL.quotes} quotes, and 18 others; ${EFFORT.rounds} rounds.`,
  )
  const world = await openBigWorld(FOLDER, process.env['BENCH_DATABASE_URL'])
  try {
    const { goals, loads } = await measure(world)
    printTable(goals, loads)
    if (options.json !== undefined) {
      writeFileSync(
        options.json,
        `${JSON.stringify({ ratios: goals, loads, date: new Date().toISOString() }, null, 2)}\n`,
      )
    }
    if (options.write || !options.quick) writeReport(goals, loads, options.quick)
    if (goals.some(({ pass }) => !pass)) process.exitCode = 1
  } finally {
    await world.stop()
  }
}

if (options['database-cpu']) {
  await measureDatabaseCpu(process.env['DATABASE_URL'] ?? '')
} else if (options.growth) {
  await measureGrowth({
    folder: resolve(FOLDER, 'growth'),
    isQuick: options.quick,
    sizes: options.sizes,
    isKept: options.keep,
    withPeers: options.peers,
    isWritten: options.write,
  })
} else await measureGoals()
