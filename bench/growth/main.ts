/** `npm run bench -- --growth`: cost per request, memory, disk and import by size. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fill } from './filled.ts'
import type { Filled } from './filled.ts'
import { measureWorld } from './measure.ts'
import type { GrowthFigures } from './measure.ts'
import { measurePeers } from './peers.ts'
import { printGrowth, printPeers, writeGrowth } from './report.ts'
import type { GrowthRecord } from './report.ts'
import { PEER_SIZE, REFERENCE, isSize, listSizes, nameOf, parseSize } from './sizes.ts'

interface GrowthOptions {
  folder: string
  isQuick: boolean
  /** Such as `1x10000,100x1000000`; undefined for all. */
  sizes: string | undefined
  /** Whether data sets stay on disk. */
  isKept: boolean
  /** Whether other servers are measured as well. */
  withPeers: boolean
  /** Whether docs/performance.md is written. */
  isWritten: boolean
}

const EFFORTS = { quick: { rounds: 5, seconds: 0.5 }, full: { rounds: 7, seconds: 1 } }

export async function measureGrowth(options: GrowthOptions): Promise<void> {
  const { folder, isQuick, isKept, withPeers, isWritten } = options
  const effort = isQuick ? 'quick' : 'full'
  const sizes = options.sizes?.split(',').map(parseSize) ?? listSizes(effort)
  if (withPeers && !sizes.some((size) => isSize(size, PEER_SIZE))) {
    throw new Error(`--peers needs the size ${nameOf(PEER_SIZE)}`)
  }
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'figures.json')
  // Figures of earlier runs remain valid, because every size is compared with the reference of its run.
  const record = readRecord(file)
  const date = new Date().toISOString().slice(0, 10)
  const save = () => writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`)
  const keep = (figures: GrowthFigures) => {
    record.worlds[nameOf(figures.size)] = { ...figures, date }
    save()
    printGrowth(figures)
  }
  const create = async (size: typeof REFERENCE): Promise<Filled> => {
    console.log(`${nameOf(size)}: creating`)
    return fill(size, { folder, isKept })
  }
  const reference = await create(REFERENCE)
  try {
    keep(await measureWorld(reference, reference, EFFORTS[effort]))
    for (const size of sizes.filter((one) => !isSize(one, REFERENCE))) {
      const world = await create(size)
      try {
        keep(await measureWorld(world, reference, EFFORTS[effort]))
        if (!withPeers || !isSize(size, PEER_SIZE)) continue
        record.peers = (await measurePeers(world, EFFORTS[effort])).map((peer) => ({ ...peer, date }))
        save()
        printPeers(record.peers)
      } finally {
        await world.stop()
      }
    }
  } finally {
    await reference.stop()
  }
  if (isWritten) writeGrowth(record)
}

function readRecord(file: string): GrowthRecord {
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as GrowthRecord)
    : { worlds: {}, peers: [] }
}
