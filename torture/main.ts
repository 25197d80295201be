/**
 * `npm run torture`: faults, restarts, load and hostile input against the built server, with figures. Exits with 1 if a goal
 * is missed.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { randomInt } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { access } from './access.ts'
import { endAll, interrupt } from './at-end.ts'
import { backups } from './backups.ts'
import { busyHost } from './busy-host.ts'
import { changes } from './changes.ts'
import { databaseFaults } from './database-faults.ts'
import { failover } from './failover.ts'
import { hostileInput } from './hostile-input.ts'
import { isolation } from './isolation.ts'
import type { Item } from './item.ts'
import { killedMigration } from './killed-migration.ts'
import { memory } from './memory.ts'
import { howToInstall, isInstalled } from './programs.ts'
import { overload } from './overload.ts'
import { overlaps } from './overlaps.ts'
import { ownDeath } from './own-death.ts'
import { printResult, printSummary, writeReport } from './report.ts'
import type { ItemResult } from './report.ts'
import { publicForms } from './public.ts'
import { restarts } from './restarts.ts'
import { slowClients } from './slow-clients.ts'
import { smuggling } from './smuggling.ts'
import { stalls } from './stalls.ts'
import { supplyChain } from './supply-chain.ts'
import { webhooks } from './webhooks.ts'

/** In the order of the run and the report. */
const ITEMS: readonly Item[] = [
  isolation,
  access,
  databaseFaults,
  failover,
  ownDeath,
  overlaps,
  restarts,
  changes,
  overload,
  busyHost,
  memory,
  slowClients,
  smuggling,
  hostileInput,
  publicForms,
  stalls,
  backups,
  killedMigration,
  webhooks,
  supplyChain,
]

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    seed: { type: 'string' },
    only: { type: 'string' },
    json: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})

function chooseItems(only: string | undefined): readonly Item[] {
  if (only === undefined) return ITEMS
  const names = only.split(',')
  const unknown = names.find((name) => !ITEMS.some((item) => item.name === name))
  if (unknown !== undefined) {
    throw new Error(`unknown item ${unknown}; choose from ${ITEMS.map(({ name }) => name).join(', ')}`)
  }
  return ITEMS.filter(({ name }) => names.includes(name))
}

function chooseSeed(seed: string | undefined): number {
  if (seed === undefined) return randomInt(1, 2 ** 31)
  if (!/^\d{1,10}$/.test(seed)) throw new Error('--seed must be an integer of up to 10 digits')
  return Number(seed)
}

/** An item that fails with an error misses its goal. The others still run. */
async function runItem(item: Item, seed: number, folder: string): Promise<ItemResult> {
  const startedAt = performance.now()
  const scratch = join(folder, item.name)
  mkdirSync(scratch)
  const settings = { seed, quick: options.quick, folder: scratch }
  const figures = await item.run(settings).catch((error: Error) => {
    console.error(error)
    return [{ name: 'the run', value: error.message.slice(0, 120), goal: 'ends by itself', pass: false }]
  })
  await endAll()
  // Killed processes can still write for a moment.
  rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const date = new Date().toISOString().slice(0, 10)
  return { name: item.name, title: item.title, seed, quick: options.quick, date, seconds, figures }
}

async function main(): Promise<void> {
  const items = chooseItems(options.only)
  const seed = chooseSeed(options.seed)
  const missing = items.flatMap(({ programs = [] }) => programs).filter((program) => !isInstalled(program))
  if (missing.length > 0) throw new Error(howToInstall(missing))
  console.log(`Seed ${seed}${options.quick ? ', quick' : ''}: ${items.map(({ name }) => name).join(', ')}`)
  const folder = mkdtempSync(join(tmpdir(), 'quoting-torture-'))
  // PostgreSQL runs as another user and needs access to its data.
  chmodSync(folder, 0o755)
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      void interrupt().then(() => {
        removeFolder()
        process.exit(1)
      })
    })
  }
  const results: ItemResult[] = []
  for (const item of items) {
    console.log(`\n${item.title} (${item.name})`)
    const result = await runItem(item, seed, folder)
    printResult(result)
    results.push(result)
  }
  removeFolder()
  printSummary(results)
  if (options.json !== undefined) {
    writeFileSync(options.json, `${JSON.stringify({ seed, quick: options.quick, results }, null, 2)}\n`)
  }
  if (options.write || (!options.quick && options.only === undefined)) {
    writeReport(
      results,
      ITEMS.map(({ name }) => name),
    )
  }
  if (results.some(({ figures }) => figures.some(({ pass }) => !pass))) process.exitCode = 1
}

try {
  await main()
} catch (error) {
  console.error(`torture: ${(error as Error).message}`)
  process.exitCode = 1
}
