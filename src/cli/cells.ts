import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { composeMap, mapText } from '../cells/map.ts'
import type { CellMap } from '../cells/map.ts'
import { updateHaproxy } from '../cells/haproxy.ts'
import { openPool } from '../db/connect.ts'
import type { DbPool } from '../db/statement.ts'
import { listCellRoutes } from '../records/cell-route/queries.ts'
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
CELLS names the cells and their databases: CELLS='a=postgres://… b=postgres://…'. See "Cells" in docs/scaling.md.`

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

/** Until a signal ends the process. Each problem is reported once; meanwhile the map stays as it is. */
async function followCells(pools: Pools, options: MapOptions): Promise<never> {
  let problem: string | undefined
  for (;;) {
    try {
      await writeOnce(pools, options)
      if (problem !== undefined) report('the cells are followed again')
      problem = undefined
    } catch (error) {
      const { message } = error as Error
      if (message !== problem) report(`the map stays as it is: ${message}`)
      problem = message
    }
    await sleep(FOLLOW_MS)
  }
}

async function writeOnce(pools: Pools, { file, socket }: MapOptions): Promise<void> {
  const map = await readMap(pools)
  const text = mapText(map)
  if (file === undefined) {
    process.stdout.write(text)
    return
  }
  const isNew = !existsSync(file) || readFileSync(file, 'utf8') !== text
  if (isNew) {
    // haproxy reads it when it starts: never half of it.
    writeFileSync(`${file}.part`, text)
    renameSync(`${file}.part`, file)
  }
  const changes = socket === undefined ? 0 : await updateHaproxy(socket, file, map)
  if (isNew || changes > 0) print(`The map has ${map.size} entries; ${changes} changed in haproxy.`)
}

/** One cell after the other. A company that moves stays in its old cell for longer than this takes. */
async function readMap(pools: Pools): Promise<CellMap> {
  const cells = []
  for (const { name, pool } of pools) cells.push({ name, routes: await listCellRoutes(pool) })
  return composeMap(cells)
}
