/** The demo world for its tests, with lookups by kind and company. */
import type { RecordOf, WorldRecord } from '../../src/world/demo/records.ts'
import { DEMO_WORLD, generateWorld } from '../../src/world/demo/demo-world.ts'

export type Kind = WorldRecord['object']

export const MAIN = 'co_harborlight'

export const WORLD = [...generateWorld(DEMO_WORLD)]

export function isKind<K extends Kind>(kind: K) {
  return (record: WorldRecord): record is RecordOf<K> => record.object === kind
}

export function companyIdOf(record: WorldRecord): string {
  return record.object === 'company' ? record.id : record.companyId
}

/** The records of one kind in the main company. */
export function main<K extends Kind>(kind: K): RecordOf<K>[] {
  return WORLD.filter(isKind(kind)).filter((record) => companyIdOf(record) === MAIN)
}

export function keyOf(companyId: string, kind: Kind, id: string): string {
  return `${companyId} ${kind} ${id}`
}

export const BY_KEY = new Map(
  WORLD.map((record) => [keyOf(companyIdOf(record), record.object, record.id), record]),
)

export function find<K extends Kind>(companyId: string, kind: K, id: string): RecordOf<K> | undefined {
  const record = BY_KEY.get(keyOf(companyId, kind, id))
  return record !== undefined && isKind(kind)(record) ? record : undefined
}
