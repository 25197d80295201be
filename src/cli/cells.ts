import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { composeMap, findConflicts, mapText } from '../cells/map.ts'
import type { CellMap } from '../cells/map.ts'
import { updateHaproxy } from '../cells/haproxy.ts'
import { openPool } from '../db/connect.ts'
import type { DbPool } from '../db/statement.ts'
import { listCellRoutes } from '../records/cell-route/queries.ts'
import type { CellRoute } from '../records/cell-route/queries.ts'
import { withCells } from './database.ts'
import type { Cells } from './database.ts'
import { print, report } from './print.ts'

interface MapOptions {
  file?: string
  socket?: string
  follow: boolean
}

const FOLLOW_MS = 1_000

const MAP_HELP = `
CELLS names the cells and their databases: CELLS='a=postgres://… b=postgres://…'. See docs/cells.md.`

export function addCells(program: Command): void {
  const cells = program.command('cells').description('several installations behind one address')
  cells
    .command('map')
    .description('print which key, company, email and form belongs to which cell, as a map for haproxy')
    .option('--file <file>', 'replace this file instead of printing')
    .option(
      '--socket <path>',
      'also change the map of the running haproxy, whose configuration names the file',
    )
    .option('--follow', 'repeat it every second', false)
    .addHelpText('after', MAP_HELP)
    .action(async (options: MapOptions) => {
      if (options.file === undefined && (options.socket !== undefined || options.follow))
        throw new Error('--socket and --follow need --file')
      await withCells((opened) => writeMap(opened, options))
    })
}

async function writeMap(cells: Cells, options: MapOptions): Promise<void> {
  const pools = [...cells].map(([name, connection]) => ({
    name,
    pool: openPool(connection, 'keys', () => undefined),
  }))
  try {
    if (options.follow) await followCells(pools, options)
    else await writeOnce(pools, options)
  } finally {
    await Promise.all(pools.map(({ pool }) => pool.end()))
  }
}

type Pools = readonly { name: string; pool: DbPool }[]

/**
 * Until a signal ends the process. Each problem is reported once. A cell that cannot be read keeps its entries; if haproxy cannot be
 * reached, the map stays as it is.
 */
async function followCells(pools: Pools, options: MapOptions): Promise<never> {
  let problem: string | undefined
  const known: KnownRoutes = new Map()
  for (;;) {
    try {
      const unread = await writeOnce(pools, options, known)
      if (unread !== null) throw unread
      if (problem !== undefined) report('the cells are followed again')
      problem = undefined
    } catch (error) {
      const { message } = error as Error
      if (message !== problem) report(`entries stay as they are: ${message}`)
      problem = message
    }
    await sleep(FOLLOW_MS)
  }
}

/** By cell. */
type KnownRoutes = Map<string, CellRoute[]>

/** Returns why a cell could not be read, if its entries in `known` were used instead. */
async function writeOnce(
  pools: Pools,
  { file, socket }: MapOptions,
  known?: KnownRoutes,
): Promise<Error | null> {
  const { map, unread } = await readMap(pools, known)
  const text = mapText(map)
  if (file === undefined) {
    process.stdout.write(text)
    return unread
  }
  const isNew = !existsSync(file) || readFileSync(file, 'utf8') !== text
  if (isNew) {
    // haproxy reads it when it starts: never half of it.
    writeFileSync(`${file}.part`, text)
    renameSync(`${file}.part`, file)
  }
  const changes = socket === undefined ? 0 : await updateHaproxy(socket, file, map)
  if (isNew || changes > 0) print(`The map has ${map.size} entries; ${changes} changed in haproxy.`)
  return unread
}

/** Reported once each. */
const reported = new Set<string>()

/** One cell after the other. A company that moves stays in its old cell for longer than this takes. */
async function readMap(
  pools: Pools,
  known: KnownRoutes = new Map(),
): Promise<{ map: CellMap; unread: Error | null }> {
  let unread: Error | null = null
  for (const { name, pool } of pools) {
    try {
      known.set(name, await listCellRoutes(pool))
    } catch (error) {
      if (!known.has(name)) throw error
      unread = new Error(`cell ${name} cannot be read: ${(error as Error).message}`, { cause: error })
    }
  }
  const cells = pools.map(({ name }) => ({ name, routes: known.get(name) ?? [] }))
  for (const conflict of findConflicts(cells)) {
    if (!reported.has(conflict)) report(conflict)
    reported.add(conflict)
  }
  return { map: composeMap(cells), unread }
}
