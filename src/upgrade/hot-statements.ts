/** The indexes that the most frequent statements use, before and after a migration. */
import type { Connection } from '../db/connect.ts'
import { explainStatements } from '../db/explain.ts'
import type { TableRead } from '../db/explain.ts'
import type { Db } from '../db/statement.ts'
import { findKeyHolder } from '../records/api-key/queries.ts'
import { findKept, listChanges } from '../records/change/list.ts'
import type { ChangeFilters } from '../records/change/list.ts'
import type { QuoteFilters } from '../records/quote/filter.ts'
import { findQuote, listQuotes } from '../records/quote/queries.ts'
import { listTasks, outlineChecklist } from '../records/task/queries.ts'
import { NO_FILTERS } from './state.ts'

/** Reads related records by ids: `listLoaders` in api/expansion. */
export type Loaders = ReadonlyMap<
  string,
  (db: Db, companyId: string, ids: readonly string[]) => Promise<unknown>
>

const RANGE = { from: Date.UTC(2026, 0), before: Date.UTC(2027, 0) }
const LIMIT = 10

/** Generic plans do not depend on the values, so any id will do. */
const listed = (filters: Partial<QuoteFilters>, startingAfter?: string) => (db: Db) =>
  listQuotes(db, 'any', { ...NO_FILTERS, ...filters }, { limit: LIMIT, startingAfter })

const changes = (filters: Partial<ChangeFilters>) => (db: Db) =>
  listChanges(
    db,
    'any',
    { types: [], subject: undefined, actor: undefined, createdAt: null, order: 'asc', ...filters },
    { limit: LIMIT, after: 1n },
  )

const HOT_STATEMENTS: Record<string, (db: Db) => Promise<unknown>> = {
  'find the company of a key': (db) => findKeyHolder(db, 'any'),
  'get one quote': (db) => findQuote(db, 'any', 'any'),
  'list quotes': listed({}),
  'list quotes after a cursor': listed({}, 'any'),
  'list quotes of a lead': listed({ ids: { leadId: 'any' } }),
  'list quotes of a location': listed({ ids: { locationId: 'any' } }),
  'list quotes by creation': listed({ createdAt: RANGE }),
  'list quotes by service day': listed({ serviceStartTime: RANGE }),
  'list tasks of an event': (db) =>
    listTasks(
      db,
      'any',
      { eventId: 'any', completed: undefined, dueDate: null, createdAt: null, updatedAt: null },
      { limit: LIMIT, startingAfter: undefined },
    ),
  'checklist of an event': (db) => outlineChecklist(db, 'any', 'any', LIMIT),
  'oldest and newest change': (db) => findKept(db, 'any'),
  'list changes': changes({}),
  'list changes of a type': changes({ types: ['task.completed'] }),
  'list changes of a record': changes({ subject: { id: 'any' } }),
}

/** By the name of the statement. */
export type Plans = Map<string, TableRead[]>

export async function explainHotStatements(connection: Connection, loaders: Loaders): Promise<Plans> {
  const plans: Plans = new Map()
  for (const [name, work] of Object.entries(HOT_STATEMENTS))
    plans.set(name, await explainStatements(connection, work))
  for (const [name, load] of loaders)
    plans.set(`expand ${name}`, await explainStatements(connection, (db) => load(db, 'any', ['any'])))
  return plans
}

/**
 * Reports a table that is read as a whole, and an index that is used instead of another one although it is one of
 * `keptIndexes`, which the migrations did not create. A table that the statement did not read before is new to it, and has no index to compare.
 */
export function comparePlans(before: Plans, after: Plans, keptIndexes: ReadonlySet<string>): string[] {
  const findings: string[] = []
  for (const [name, reads] of after) {
    const earlier = before.get(name) ?? []
    for (const { table, index } of reads) {
      const same = earlier.filter((read) => read.table === table)
      if (same.some((read) => read.index === index)) continue
      if (index === null) findings.push(`"${name}" reads all of ${table}`)
      else if (same.length > 0 && keptIndexes.has(index))
        findings.push(`"${name}" reads ${table} by ${index} instead of ${listIndexes(same)}`)
    }
  }
  return [...new Set(findings)]
}

function listIndexes(reads: readonly TableRead[]): string {
  return [...new Set(reads.map(({ index }) => index ?? 'no index'))].join(', ')
}
