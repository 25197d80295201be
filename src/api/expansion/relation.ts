/** The four ways an object is related to others, each one statement for a whole page of parents. */
import type { Db } from '../../db/connect.ts'
import type { IdentifiedRow, LoadByIds } from '../../codec/load.ts'

/** Rows, each once, and for each parent, in their order, the places of those related to it. */
interface Related {
  rows: readonly object[]
  places: readonly (readonly number[])[]
}

export interface Relation<Parent> {
  /** Name of the object it leads to. */
  to: string
  /** A collection, or a single object or null. */
  many: boolean
  load: (db: Db, companyId: string, parents: readonly Parent[]) => Promise<Related>
}

/** At most one, by an id on the parent. */
export function one<Parent, Child extends IdentifiedRow>(
  to: string,
  idOf: (parent: Parent) => string | null,
  load: LoadByIds<Child>,
): Relation<Parent> {
  return {
    to,
    many: false,
    load: async (db, companyId, parents) => {
      const ids = parents.map(idOf)
      const rows = await load(db, companyId, [...new Set(ids.filter((id) => id !== null))])
      const placeOf = placesById(rows)
      return { rows, places: ids.map((id) => (id === null ? [] : placesOf(placeOf, [id]))) }
    },
  }
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
      const rows = await load(db, companyId, [...new Set(ids.flat())])
      const placeOf = placesById(rows)
      const places = parents.map((parent, i) => {
        const first = placeOf.get(firstOf(parent) ?? '')
        const rank = (place: number) => (place === first ? -1 : place)
        return placesOf(placeOf, ids[i] ?? []).toSorted((a, b) => rank(a) - rank(b))
      })
      return { rows, places }
    },
  }
}

function placesById(rows: readonly IdentifiedRow[]): Map<string, number> {
  return new Map(rows.map(({ id }, place) => [id, place]))
}

/** Those that were found. */
function placesOf(placeOf: ReadonlyMap<string, number>, ids: readonly string[]): number[] {
  const places: number[] = []
  for (const id of ids) {
    const place = placeOf.get(id)
    if (place !== undefined) places.push(place)
  }
  return places
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
      const ids = parents.map(({ id }) => id)
      const groups = new Map<string, number[]>(ids.map((id) => [id, []]))
      const rows = await load(db, companyId, [...groups.keys()])
      for (const [place, child] of rows.entries()) {
        for (const owner of ownersOf(child)) groups.get(owner)?.push(place)
      }
      return { rows, places: ids.map((id) => groups.get(id) ?? []) }
    },
  }
}
