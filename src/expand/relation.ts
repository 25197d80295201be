/** The four ways an object is related to others, each one statement for a whole page of parents. */
import type { Db } from '../db/connect.ts'
import type { IdentifiedRow, LoadByIds } from '../db/load.ts'

export interface Relation<Parent> {
  /** Name of the object it leads to. */
  to: string
  /** A collection, or a single object or null. */
  many: boolean
  /** For each parent, in their order, the rows related to it. */
  load: (db: Db, companyId: string, parents: readonly Parent[]) => Promise<object[][]>
}

/** At most one, by an id on the parent. */
export function one<Parent, Child extends IdentifiedRow>(
  to: string,
  idOf: (parent: Parent) => string | null,
  load: LoadByIds<Child>,
): Relation<Parent> {
  const idsOf = (parent: Parent) => {
    const id = idOf(parent)
    return id === null ? [] : [id]
  }
  return { ...many(to, idsOf, load), many: false }
}

/** Those whose ids the parent lists, in the order in which the loader gives them, after `firstOf` the parent. */
export function many<Parent, Child extends IdentifiedRow>(
  to: string,
  idsOf: (parent: Parent) => readonly string[],
  load: LoadByIds<Child>,
  firstOf: (parent: Parent) => string | null = () => null,
): Relation<Parent> {
  return {
    to,
    many: true,
    load: async (db, companyId, parents) => {
      const ids = parents.map(idsOf)
      const children = await load(db, companyId, [...new Set(ids.flat())])
      const places = new Map(children.map((child, place) => [child.id, place]))
      return parents.map((parent, i) => {
        const first = firstOf(parent)
        const placeOf = (id: string) => (id === first ? -1 : (places.get(id) ?? 0))
        return (ids[i] ?? [])
          .filter((id) => places.has(id))
          .toSorted((a, b) => placeOf(a) - placeOf(b))
          .flatMap((id) => children[places.get(id) ?? -1] ?? [])
      })
    },
  }
}

/** Those that name the parent as their owner, in the order in which the loader gives them. */
export function owned<Child extends object>(
  to: string,
  ownerOf: (child: Child) => string | null,
  load: LoadByIds<Child>,
): Relation<IdentifiedRow> {
  return shared(to, (child: Child) => [ownerOf(child) ?? ''], load)
}

/** Those that name the parent among their owners, in the order in which the loader gives them. */
export function shared<Child extends object>(
  to: string,
  ownersOf: (child: Child) => readonly string[],
  load: LoadByIds<Child>,
): Relation<IdentifiedRow> {
  return {
    to,
    many: true,
    load: async (db, companyId, parents) => {
      const groups = new Map<string, Child[]>(parents.map(({ id }) => [id, []]))
      for (const child of await load(db, companyId, [...groups.keys()])) {
        for (const owner of ownersOf(child)) groups.get(owner)?.push(child)
      }
      return parents.map(({ id }) => groups.get(id) ?? [])
    },
  }
}
