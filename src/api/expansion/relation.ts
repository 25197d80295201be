/** The four kinds of relations, each one statement for a whole page of parents. */
import type { Db } from '../../db/statement.ts'
import type { IdentifiedRow, LoadByIds } from '../../codec/load.ts'
import type { Packed } from '../../codec/packed-row.ts'

/** Rows, each once, and for each parent, in their order, the indexes of its related rows. */
export interface Related {
  rows: readonly Packed<unknown>[]
  indexes: readonly (readonly number[])[]
}

/** By the ids of what it leads to, or of the parents. */
export type Loader = (db: Db, companyId: string, ids: readonly string[]) => Promise<unknown>

/** The parent has at least the columns of `Row`. */
export interface Relation<Row, To extends string = string, Many extends boolean = boolean> {
  /** Name of the object it leads to. */
  to: To
  /** A collection, or a single object or null. */
  many: Many
  /** Sends the statement of `load`, whatever the parents are. */
  loader: Loader
  load: (db: Db, companyId: string, parents: readonly Packed<Row, unknown>[]) => Promise<Related>
}

/** At most one, by an id in a column of the parent. */
export function one<To extends string, Column extends string, Child extends IdentifiedRow>(
  to: To,
  column: Column,
  load: LoadByIds<Child>,
): Relation<Record<Column, string | null>, To, false> {
  return {
    to,
    many: false,
    loader: load,
    load: async (db, companyId, parents) => {
      const ids = parents.map((parent) => parent.get(column))
      const rows = await load(db, companyId, [...new Set(ids.filter((id) => id !== null))])
      const indexOf = indexById(rows)
      return { rows, indexes: ids.map((id) => (id === null ? [] : indexesOf(indexOf, [id]))) }
    },
  }
}

/** Those whose ids the parent lists, in the order of the loader, after `firstOf` the parent. */
export function many<To extends string, Row, Child extends IdentifiedRow>(
  to: To,
  idsOf: (parent: Packed<Row, unknown>) => readonly string[],
  load: LoadByIds<Child>,
  firstOf: (parent: Packed<Row, unknown>) => string | null = () => null,
): Relation<Row, To, true> {
  return {
    to,
    many: true,
    loader: load,
    load: async (db, companyId, parents) => {
      const ids = parents.map(idsOf)
      const rows = await load(db, companyId, [...new Set(ids.flat())])
      const indexOf = indexById(rows)
      const indexes = parents.map((parent, i) => {
        const first = indexOf.get(firstOf(parent) ?? '')
        const rank = (index: number) => (index === first ? -1 : index)
        return indexesOf(indexOf, ids[i] ?? []).toSorted((a, b) => rank(a) - rank(b))
      })
      return { rows, indexes }
    },
  }
}

/** Those whose ids a column of the parent lists. */
export function listed<To extends string, Column extends string, Child extends IdentifiedRow>(
  to: To,
  column: Column,
  load: LoadByIds<Child>,
): Relation<Record<Column, string[]>, To, true> {
  return many(to, (parent: Packed<Record<Column, string[]>, unknown>) => parent.get(column), load)
}

function indexById(rows: readonly Packed<IdentifiedRow>[]): Map<string, number> {
  return new Map(rows.map((row, index) => [row.get('id'), index]))
}

/** Those that were found. */
function indexesOf(indexOf: ReadonlyMap<string, number>, ids: readonly string[]): number[] {
  const indexes: number[] = []
  for (const id of ids) {
    const index = indexOf.get(id)
    if (index !== undefined) indexes.push(index)
  }
  return indexes
}

/** Those with the parent's id in a column, in the order of the loader. */
export function owned<To extends string, Column extends string>(
  to: To,
  column: Column,
  load: LoadByIds<Record<Column, string | null>>,
): Relation<IdentifiedRow, To, true> {
  return ownedBy(to, (child) => [child.get(column) ?? ''], load)
}

/** Those with the parent's id among the ids in a column, in the order of the loader. */
export function shared<To extends string, Column extends string>(
  to: To,
  column: Column,
  load: LoadByIds<Record<Column, string[]>>,
): Relation<IdentifiedRow, To, true> {
  return ownedBy(to, (child) => child.get(column), load)
}

function ownedBy<To extends string, Child>(
  to: To,
  ownersOf: (child: Packed<Child>) => readonly string[],
  load: LoadByIds<Child>,
): Relation<IdentifiedRow, To, true> {
  return {
    to,
    many: true,
    loader: load,
    load: async (db, companyId, parents) => {
      const ids = parents.map((parent) => parent.get('id'))
      const groups = new Map<string, number[]>(ids.map((id) => [id, []]))
      const rows = await load(db, companyId, [...groups.keys()])
      for (const [index, child] of rows.entries()) {
        for (const owner of ownersOf(child)) groups.get(owner)?.push(index)
      }
      return { rows, indexes: ids.map((id) => groups.get(id) ?? []) }
    },
  }
}
