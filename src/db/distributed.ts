/** Which connections lead to a database that is distributed with Citus. The others never run a statement that only Citus needs. */
import type { Db } from './statement.ts'

const distributed = new WeakSet<object>()

export function markDistributed(db: object): void {
  distributed.add(db)
}

export const isDistributed = (db: Db) => distributed.has(db)
