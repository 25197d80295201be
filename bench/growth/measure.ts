/** Cost of requests and memory of a world, in the same rounds as the reference. */
import { residentBytes, treeMemoryBytes } from '../cpu.ts'
import { createServiceLoader } from '../load.ts'
import type { ServiceLoad } from '../load.ts'
import { totalUs } from '../requests.ts'
import { interleave, median, ratioOver } from '../rounds.ts'
import { startService } from '../servers.ts'
import type { RunningServer } from '../servers.ts'
import type { DiskFigures, Filled, ImportFigures } from './filled.ts'
import { KINDS, httpOf } from './requests.ts'
import type { Kind, Requests } from './requests.ts'
import { REFERENCE, isSize, nameOf } from './sizes.ts'
import type { Size } from './sizes.ts'

export interface CostFigures {
  /** CPU per request, in microseconds. */
  serverUs: number
  databaseUs: number
  /** Ratio of the total to that of the reference in the same rounds */
  ratio: number
}

/** The cost, scaled to the rounds of the reference. */
export function comparableCost(reference: CostFigures, { serverUs, databaseUs, ratio }: CostFigures) {
  const scale = (ratio * (reference.serverUs + reference.databaseUs)) / (serverUs + databaseUs)
  return { serverUs: scale * serverUs, databaseUs: scale * databaseUs }
}

export interface GrowthFigures {
  size: Size
  imported: ImportFigures
  disk: DiskFigures
  memory: { restingBytes: number; loadedBytes: number; databaseBytes: number }
  costs: Record<Kind, CostFigures>
}

export function referenceOf(figures: readonly GrowthFigures[]): GrowthFigures {
  const reference = figures.find(({ size }) => isSize(size, REFERENCE))
  if (reference === undefined) throw new Error('the reference was not measured')
  return reference
}

export interface Effort {
  rounds: number
  seconds: number
}

const NAMES = Object.keys(KINDS) as Kind[]

/** Starts both services, so that neither has an advantage. Ratios of the reference are 1. */
export async function measureWorld(world: Filled, reference: Filled, effort: Effort): Promise<GrowthFigures> {
  const service = await startService(world.url)
  const other = world === reference ? null : await startService(reference.url)
  const load = createServiceLoader(world.databasePid)
  const otherLoad = createServiceLoader(reference.databasePid)
  try {
    const restingBytes = await measureRest(service, world.requests)
    // Compared cases run one after the other.
    const cases = NAMES.flatMap((kind): [string, () => Promise<ServiceLoad>][] => {
      const [own, others] = [world, reference].map(({ requests }) => requests[kind].map(httpOf))
      const run = () => load.onService(service, own ?? [], effort.seconds)
      if (other === null) return [[kind, run]]
      return [
        [kind, run],
        [`reference ${kind}`, () => otherLoad.onService(other, others ?? [], effort.seconds)],
      ]
    })
    const results = await interleave(
      Object.fromEntries(cases),
      effort.rounds,
      (round) => round === 1 && console.log(`${nameOf(world.size)}: ${effort.rounds} rounds`),
    )
    const costs = Object.fromEntries(
      NAMES.map((kind) => [kind, costOf(results[kind] ?? [], results[`reference ${kind}`])]),
    ) as Record<Kind, CostFigures>
    const memory = {
      restingBytes,
      loadedBytes: residentBytes(service.pid),
      databaseBytes: treeMemoryBytes(world.databasePid),
    }
    return { size: world.size, imported: world.imported, disk: world.disk, memory, costs }
  } finally {
    await Promise.all([load.stop(), otherLoad.stop(), service.stop(), other?.stop()])
  }
}

export function costOf(
  loads: readonly ServiceLoad[],
  references: readonly ServiceLoad[] = loads,
): CostFigures {
  return {
    serverUs: median(loads.map(({ serverUs }) => serverUs)),
    databaseUs: median(loads.map(({ databaseUs }) => databaseUs)),
    ratio: ratioOver(loads, references, (a, b) => totalUs(a) / totalUs(b)),
  }
}

/** Memory after the start and one request of each kind. */
async function measureRest({ port, pid }: RunningServer, requests: Requests): Promise<number> {
  for (const [first] of Object.values(requests)) {
    if (first === undefined) throw new Error('the world has no requests')
    const { method, path, key, body } = first
    const headers = {
      'x-api-key': key,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: body ?? null })
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`)
    await response.text()
  }
  return residentBytes(pid)
}
